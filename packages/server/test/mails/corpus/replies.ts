import { type Case, inThread, OLD } from './cases.ts';
import { LANGUAGES, type Language, SHOP } from './languages.ts';
import { message, multipart, type Part, textPart, word } from './raw.ts';

// Answers to a mail of Foyer's, as each program writes them.

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const alternative = (text: string, html: string, charset = 'utf-8'): Part =>
  multipart('alternative', [textPart(text, 'text/plain', charset), textPart(html, 'text/html', charset)]);

const head = ([from, sent, to, subject]: Language['outlook'], about: string): string[] => [
  `${from} ${SHOP}`,
  `${sent} 2026-11-02 10:00`,
  `${to} customer@mail.example`,
  `${subject} ${about}`,
];

type Client = (language: Language) => Part;

const gmail: Client = ({ answer, gmail: line }) =>
  alternative(
    `${answer}\n\n${line}\n\n> ${OLD}\n> Kind regards\n`,
    `<div dir="ltr">${answer}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">${escaped(line)}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"><div>${OLD}</div></blockquote></div>`,
  );

const outlookDesktop: Client = ({ answer, outlook, subject }) =>
  alternative(
    `${answer}\n\n \n\n${head(outlook, `Re: ${subject}`).join(' \n')}\n\n \n\n${OLD}\n\nKind regards\n`,
    `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm;} --></style></head><body lang=DE><div class="WordSection1"><p class="MsoNormal">${answer}<o:p></o:p></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal"><b>${outlook[0]}</b> ${escaped(SHOP)}<br><b>${outlook[1]}</b> 2026-11-02 10:00</p></div><p class="MsoNormal">${OLD}</p></div></body></html>`,
  );

const outlookWeb: Client = ({ answer, outlook, subject }) =>
  alternative(
    `${answer}\n________________________________\n${head(outlook, subject).join('\n')}\n\n${OLD}\n`,
    `<html><body><div class="elementToProof" style="font-family: Aptos, sans-serif; font-size: 12pt; color: rgb(0, 0, 0);">${answer}</div><div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt"><b>${outlook[0]}</b> ${escaped(SHOP)}</font></div><div><p>${OLD}</p></div></body></html>`,
  );

const outlookMobile: Client = ({ answer, outlook, outlookMobile: sign, subject }) =>
  alternative(
    `${answer}\n\n${sign}\n________________________________\n${head(outlook, subject).join('\n')}\n\n${OLD}\n`,
    `<html><body><div dir="auto">${answer}</div><div id="ms-outlook-mobile-signature"><div></div>${escaped(sign)}</div><div id="mail-editor-reference-message-container"><hr><div id="divRplyFwdMsg" dir="ltr"><b>${outlook[0]}</b> ${escaped(SHOP)}</div><div>${OLD}</div></div></body></html>`,
  );

const appleMac: Client = ({ answer, apple }) =>
  alternative(
    `${answer}\n\n> ${apple}\n> \n> ${OLD}\n> \n> Kind regards\n`,
    `<html><body style="overflow-wrap: break-word; -webkit-nbsp-mode: space;">${answer}<br><div><br><blockquote type="cite"><div>${escaped(apple)}</div><br><div><div>${OLD}</div></div></blockquote></div></body></html>`,
  );

const iphone: Client = ({ answer, apple, iphone: sign }) =>
  alternative(
    `${answer}\n\n${sign}\n\n> ${apple}\n> \n> \uFEFF${OLD}\n`,
    `<html><body dir="auto"><div dir="ltr"></div><div dir="ltr">${answer}</div><br id="lineBreakAtBeginningOfSignature"><div dir="ltr">${sign}</div><div dir="ltr"><br><blockquote type="cite">${escaped(apple)}<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">${OLD}</div></blockquote></body></html>`,
  );

const iphoneOlder: Client = ({ answer, apple, iphone: sign }) =>
  textPart(`${answer}\n\n${sign}\n\n${apple}\n\n> ${OLD}\n> Kind regards\n`, 'text/plain', 'utf-8', 'base64');

const thunderbird: Client = ({ answer, thunderbird: line }) =>
  textPart(
    `${answer}\n\n${line}\n> ${OLD}\n>\n> Kind regards\n\n-- \nAda Lovelace\n+49 30 1234567\n`,
    'text/plain',
    'utf-8',
    '8bit',
    '; format=flowed',
  );

/** Above the answer, as some people set it. */
const thunderbirdBelow: Client = ({ answer, thunderbird: line }) =>
  textPart(`${line}\n> ${OLD}\n>\n> Kind regards\n\n${answer}\n`, 'text/plain', 'utf-8', '8bit');

const CLIENTS: Readonly<Record<string, Client>> = {
  'Gmail on the web': gmail,
  'Outlook for Windows': outlookDesktop,
  'Outlook on the web': outlookWeb,
  'Outlook for iOS': outlookMobile,
  'Apple Mail for macOS': appleMac,
  'Apple Mail for iOS': iphone,
  'an older Apple Mail for iOS': iphoneOlder,
  Thunderbird: thunderbird,
  'Thunderbird, answering below': thunderbirdBelow,
};

const byLanguage = (name: string, client: Client): Case[] =>
  LANGUAGES.map((language) => ({
    name: `${name}, ${language.code}`,
    raw: message(inThread(`Re: ${word(language.subject)}`), client(language)),
    state: 'reply',
    text: language.answer,
    quoted: OLD,
    files: [],
  }));

/** Programs that write the same in every language, or for which one language is enough. */
const OTHERS: [name: string, part: Part, collapses: boolean][] = [
  [
    'Gmail for Android',
    alternative(
      `Thanks, that works for me.\n\nOn Mon, 2 Nov 2026, 10:00 Shop, <help@shop.example> wrote:\n\n> ${OLD}\n>\n`,
      `<div dir="auto">Thanks, that works for me.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Mon, 2 Nov 2026, 10:00 Shop wrote:</div><blockquote class="gmail_quote">${OLD}</blockquote></div>`,
    ),
    true,
  ],
  [
    'Gmail, wrapping its line',
    textPart(
      `Thanks, that works for me.\n\nOn Mon, Nov 2, 2026 at 10:00 AM The Lantern and Loom Company <\nhelp@shop.example> wrote:\n\n> ${OLD}\n`,
    ),
    false,
  ],
  [
    'Yahoo',
    alternative(
      `Thanks, that works for me.\n\n    On Monday, November 2, 2026 at 10:00:00 AM GMT+1, Shop <help@shop.example> wrote:  \n \n ${OLD}\n  `,
      `<html><body><div class="ydp1 yahoo-style-wrap"><div>Thanks, that works for me.</div></div><div id="yahoo_quoted_1" class="yahoo_quoted"><div>On Monday, November 2, 2026, Shop wrote:</div><div>${OLD}</div></div></body></html>`,
    ),
    true,
  ],
  [
    'Yahoo for Android',
    textPart(
      `Thanks, that works for me.\n\nSent from Yahoo Mail on Android \n \n  On Mon, Nov 2, 2026 at 10:00, Shop<help@shop.example> wrote:   ${OLD}  \n`,
    ),
    false,
  ],
  [
    'GMX',
    alternative(
      `Thanks, that works for me.\n \n\nGesendet: Montag, 02. November 2026 um 10:00 Uhr\nVon: ${SHOP}\nAn: customer@mail.example\nBetreff: Re: Paket\n${OLD}`,
      `<html><body><div style="font-family: Verdana;font-size: 12.0px;"><div>Thanks, that works for me.</div><div>&nbsp;<div name="quote" style="margin:10px 5px 5px 10px;"><div><b>Gesendet:</b> Montag</div><div>${OLD}</div></div></div></div></body></html>`,
    ),
    true,
  ],
  [
    'Web.de, older',
    textPart(`Thanks, that works for me.\n\n> Gesendet: 02.11.2026 um 10:00 Uhr\n> Von: ${SHOP}\n> ${OLD}\n`),
    false,
  ],
  [
    'Samsung Email',
    alternative(
      `Thanks, that works for me.\n\nSent from my Galaxy\n\n-------- Original message --------\nFrom: ${SHOP} \nDate: 02/11/2026 10:00 (GMT+01:00) \nTo: customer@mail.example \nSubject: Re: Parcel \n\n${OLD}\n`,
      `<html><body dir="auto">Thanks, that works for me.<div id="composer_signature" dir="auto"><div>Sent from my Galaxy</div></div><div><br></div><div align="left" dir="auto"><div>-------- Original message --------</div><div>From: Shop</div></div><div>${OLD}</div></body></html>`,
    ),
    false,
  ],
  [
    'Samsung Email, German',
    textPart(
      `Thanks, that works for me.\n\nVon meinem Galaxy gesendet\n\n\n-------- Ursprüngliche Nachricht --------\nVon: ${SHOP}\nDatum: 02.11.26 10:00 (GMT+01:00)\nAn: customer@mail.example\nBetreff: Re: Paket\n\n${OLD}\n`,
    ),
    false,
  ],
  [
    'Spark',
    alternative(
      `Thanks, that works for me.\n\nAda\nOn 2. Nov 2026 at 10:00 +0100, ${SHOP}, wrote:\n> ${OLD}\n`.replace(
        '\n\nAda',
        '',
      ),
      `<html><body><div name="messageBodySection">Thanks, that works for me.</div><div name="messageReplySection">On 2. Nov 2026 at 10:00 +0100, Shop, wrote:<br><blockquote type="cite">${OLD}</blockquote></div></body></html>`,
    ),
    true,
  ],
  [
    'Proton Mail',
    alternative(
      `Thanks, that works for me.\n\nSent with [Proton Mail](https://proton.me/) secure email.\n\nOn Monday, November 2nd, 2026 at 10:00, ${SHOP} wrote:\n\n> ${OLD}\n`,
      `<div style="font-family: Arial;">Thanks, that works for me.</div><div class="protonmail_signature_block"><div>Sent with Proton Mail secure email.</div></div><div class="protonmail_quote">On Monday, Shop wrote:<br><blockquote class="protonmail_quote" type="cite">${OLD}</blockquote></div>`,
    ),
    true,
  ],
  [
    'Zoho',
    alternative(
      `Thanks, that works for me.\n\n\n\n\n---- On Mon, 02 Nov 2026 10:00:00 +0100 Shop <help@shop.example> wrote ---\n\n${OLD}\n`,
      `<div style="font-family: Verdana;"><div>Thanks, that works for me.</div><div class="zmail_extra"><div>---- On Mon, 02 Nov 2026 Shop wrote ---</div><blockquote>${OLD}</blockquote></div></div>`,
    ),
    true,
  ],
  [
    'iCloud on the web',
    textPart(`Thanks, that works for me.\n\n> On Nov 2, 2026, at 10:00 AM, ${SHOP} wrote:\n> \n> ${OLD}\n`),
    false,
  ],
  [
    'Lotus Notes',
    textPart(
      `Thanks, that works for me.\n\n\n\nFrom:\tShop <help@shop.example>\nTo:\tcustomer@mail.example\nDate:\t02.11.2026 10:00\nSubject:\tRe: Parcel\n\n\n\n${OLD}\n`,
    ),
    false,
  ],
  [
    'Evolution',
    textPart(`Thanks, that works for me.\n\nOn Mon, 2026-11-02 at 10:00 +0100, Shop wrote:\n> ${OLD}\n`),
    false,
  ],
  [
    'mutt',
    textPart(`Thanks, that works for me.\n\n* Shop <help@shop.example> [2026-11-02 10:00]:\n> ${OLD}\n`),
    false,
  ],
  [
    'Fastmail',
    textPart(`Thanks, that works for me.\n\nOn Mon, Nov 2, 2026, at 10:00, Shop wrote:\n> ${OLD}\n`),
    false,
  ],
  [
    'a BlackBerry',
    textPart(
      `Thanks, that works for me.\n\nSent from my BlackBerry\n\n-----Original Message-----\nFrom: ${SHOP}\nDate: Mon, 2 Nov 2026 10:00:00\nTo: <customer@mail.example>\nSubject: Re: Parcel\n\n${OLD}\n`,
    ),
    false,
  ],
];

export const replies: Case[] = [
  ...Object.entries(CLIENTS).flatMap(([name, client]) =>
    byLanguage(name, client).map((one) =>
      /Thunderbird|older/.test(name) ? one : { ...one, collapses: true, isRich: false },
    ),
  ),
  ...OTHERS.map(
    ([name, part, collapses]): Case => ({
      name,
      raw: message(inThread('Re: Parcel'), part),
      state: 'reply',
      text: 'Thanks, that works for me.',
      quoted: OLD,
      ...(collapses ? { collapses } : {}),
    }),
  ),
];
