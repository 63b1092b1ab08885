import { type Case, OLD } from './cases.ts';
import { LANGUAGES, SHOP } from './languages.ts';
import { base64, filePart, message, multipart, type Part, textPart, word } from './raw.ts';
import { compressedRtf, winmail } from './winmail.ts';

// Mails that begin a ticket: charsets, formatting, files, forwarded and broken ones.

/** The charset that programs of a language used before UTF-8. */
const CHARSETS: Readonly<Record<string, string>> = {
  en: 'us-ascii',
  de: 'iso-8859-1',
  fr: 'windows-1252',
  es: 'iso-8859-15',
  pt: 'iso-8859-1',
  it: 'windows-1252',
  nl: 'utf-8',
  pl: 'iso-8859-2',
  tr: 'iso-8859-9',
  uk: 'koi8-u',
  ja: 'iso-2022-jp',
  zh: 'gb18030',
  ar: 'windows-1256',
  he: 'windows-1255',
};

const charsets: Case[] = LANGUAGES.map(({ code, question, subject }) => {
  const charset = CHARSETS[code] ?? 'utf-8';
  const form = charset === 'iso-2022-jp' || charset === 'gb18030' ? 'B' : 'Q';
  return {
    name: `a first mail in ${charset}, ${code}`,
    raw: message(
      { Subject: word(subject, charset, form) },
      textPart(question, 'text/plain', charset, code === 'ja' ? '8bit' : 'quoted-printable'),
    ),
    state: 'ticket',
    subject,
    // Neither charset has these.
    text: question,
    quoted: null,
  };
});

const ODD: [name: string, charset: string, body: Buffer, text: string][] = [
  ['Shift_JIS', 'Shift_JIS', Buffer.from('82b182f182c982bf82cd', 'hex'), 'こんにちは'],
  ['EUC-KR by an old name', 'ks_c_5601-1987', Buffer.from('bec8b3e7', 'hex'), '안녕'],
  ['Big5', 'big5', Buffer.from('a741a66e', 'hex'), '你好'],
  ['UTF-16', 'utf-16le', Buffer.from('Grüße', 'utf16le'), 'Grüße'],
  ['Mac OS Roman', 'macintosh', Buffer.from('47729f', 'hex'), 'Grü'],
  ['a charset that nobody has', 'x-unknown-9', Buffer.from('plain text'), 'plain text'],
  ['UTF-8 that calls itself ASCII', 'us-ascii', Buffer.from('Grüße'), 'Grüße'],
];
const odd: Case[] = ODD.map(([name, charset, body, text]) => ({
  name: `a first mail in ${name}`,
  raw: message(
    { Subject: 'Hello' },
    {
      headers: { 'Content-Type': `text/plain; charset=${charset}`, 'Content-Transfer-Encoding': 'base64' },
      body: base64(body),
    },
  ),
  state: 'ticket',
  text,
}));

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const RICH =
  '<html><body><h1>Order</h1><table><tr><td>Lamp</td><td>2</td></tr></table><p>Please <b>hurry</b>.</p></body></html>';
const SHOWN = 'Order\n\nLamp 2\n\nPlease hurry.';
const html = (body: string): Part => textPart(body, 'text/html');

const calendar = (lines: readonly string[]): string =>
  [
    'BEGIN:VCALENDAR',
    'PRODID:-//Calendar//EN',
    'VERSION:2.0',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    'UID:1@mail.example',
    'DTSTAMP:20261101T090000Z',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
const MEETING = calendar([
  'DTSTART;TZID=Europe/Berlin:20261105T100000',
  'DTEND;TZID=Europe/Berlin:20261105T103000',
  'SUMMARY:Delivery\\, second try',
  'LOCATION:Room 5',
  'ORGANIZER;CN="Ada Lovelace":mailto:ada@mail.ex',
  ' ample',
]);
const MEETING_SHOWN =
  '📅 Delivery, second try\n2026-11-05 10:00 – 10:30 (Europe/Berlin)\nRoom 5\nAda Lovelace <ada@mail.example>';
const calendarPart = (content: string): Part => ({
  headers: {
    'Content-Type': 'text/calendar; charset="utf-8"; method=REQUEST',
    'Content-Transfer-Encoding': 'base64',
  },
  body: base64(content),
});

const FILES: [name: string, part: Part, expected: Partial<Case>][] = [
  ['a formatted order', html(RICH), { text: SHOWN, isRich: true, files: [] }],
  [
    'an inline picture of Apple Mail',
    multipart('related', [
      html('<p>See <img src="cid:p1@mail"></p>'),
      filePart('image0.png', 'image/png', PNG, 'p1@mail'),
    ]),
    { text: 'See', isRich: true, files: ['image0.png'] },
  ],
  [
    'only a picture',
    multipart('mixed', [textPart('\n'), filePart('photo.jpg', 'image/jpeg', PNG)]),
    { text: '—', files: ['photo.jpg'] },
  ],
  [
    'a tracking pixel, which is no formatting',
    html('<div>Hello</div><img src="https://t.example/p.gif" width="1" height="1">'),
    { text: 'Hello', isRich: false },
  ],
  [
    'a name in pieces, RFC 2231',
    multipart('mixed', [
      textPart('File'),
      {
        headers: {
          'Content-Type': 'application/pdf',
          'Content-Disposition': `attachment;\r\n filename*0*=utf-8''Rechnung%20f%C3%BCr;\r\n filename*1*=%20B%C3%BCro;\r\n filename*2=".pdf"`,
        },
        body: 'x',
      },
    ]),
    { text: 'File', files: ['Rechnung für Büro.pdf'] },
  ],
  [
    'a name in another charset, RFC 2231',
    multipart('mixed', [
      textPart('File'),
      {
        headers: {
          'Content-Type': 'application/pdf',
          'Content-Disposition': `attachment; filename*=iso-8859-1'de'Gr%FC%DFe.pdf`,
        },
        body: 'x',
      },
    ]),
    { files: ['Grüße.pdf'] },
  ],
  [
    'a name as an encoded word, as Outlook writes it',
    multipart('mixed', [textPart('File'), filePart(word('Übersicht.xlsx'), 'application/vnd.ms-excel', 'x')]),
    { files: ['Übersicht.xlsx'] },
  ],
  ['a file alone', filePart('scan.pdf', 'application/pdf', 'x'), { text: '—', files: ['scan.pdf'] }],
  [
    'a signed mail (S/MIME)',
    multipart(
      'signed',
      [textPart('Signed.'), filePart('smime.p7s', 'application/pkcs7-signature', 'x')],
      '; protocol="application/pkcs7-signature"; micalg=sha-256',
    ),
    { text: 'Signed.', files: ['smime.p7s'] },
  ],
  [
    'an encrypted mail (PGP)',
    multipart('encrypted', [
      { headers: { 'Content-Type': 'application/pgp-encrypted' }, body: 'Version: 1\r\n' },
      filePart('encrypted.asc', 'application/octet-stream', '-----BEGIN PGP MESSAGE-----'),
    ]),
    { text: '—' },
  ],
  [
    'a mail as a file',
    multipart('mixed', [
      textPart('See this mail.'),
      {
        headers: { 'Content-Type': 'message/rfc822' },
        body: 'From: x@mail.example\r\nSubject: Inner\r\n\r\nInner text\r\n',
      },
    ]),
    { text: 'See this mail.', files: ['message.eml'] },
  ],
  [
    'an invitation of Google',
    multipart('mixed', [
      multipart('alternative', [textPart('You are invited.'), calendarPart(MEETING)]),
      filePart('invite.ics', 'application/ics', MEETING),
    ]),
    { text: `You are invited.\n\n${MEETING_SHOWN}`, files: ['invite.ics'] },
  ],
  [
    'an invitation of Exchange without a text',
    multipart('alternative', [textPart('\n'), calendarPart(MEETING)]),
    { text: MEETING_SHOWN, files: ['invite.ics'] },
  ],
  [
    'an invitation for a day',
    multipart('alternative', [
      textPart('Party'),
      calendarPart(calendar(['DTSTART;VALUE=DATE:20261105', 'DTEND;VALUE=DATE:20261106', 'SUMMARY:Party'])),
    ]),
    { text: 'Party\n\n📅 Party\n2026-11-05', files: ['invite.ics'] },
  ],
  [
    'an invitation in UTC',
    multipart('alternative', [
      textPart('Call'),
      calendarPart(calendar(['DTSTART:20261105T230000Z', 'DTEND:20261106T003000Z', 'SUMMARY:Call'])),
    ]),
    { text: 'Call\n\n📅 Call\n2026-11-05 23:00 – 2026-11-06 00:30 (UTC)' },
  ],
  [
    'a calendar that is none',
    multipart('mixed', [textPart('Broken'), filePart('a.ics', 'text/calendar', 'BEGIN:VEVENT\r\nnonsense')]),
    { text: 'Broken', files: ['a.ics'] },
  ],
  [
    'a winmail.dat of Outlook',
    multipart('mixed', [
      textPart('See the files.'),
      filePart(
        'winmail.dat',
        'application/ms-tnef',
        winmail({
          files: [
            ['Übersicht 2026.pdf', 'PDF'],
            ['b.txt', 'text'],
          ],
        }),
      ),
    ]),
    { text: 'See the files.', files: ['Übersicht 2026.pdf', 'b.txt'] },
  ],
  [
    'a winmail.dat with the text too',
    multipart('mixed', [
      filePart('winmail.dat', 'application/ms-tnef', winmail({ body: 'Only here.', files: [] })),
    ]),
    { text: 'Only here.', files: [] },
  ],
  [
    'a winmail.dat whose text is only RTF',
    multipart('mixed', [
      filePart(
        'winmail.dat',
        'application/ms-tnef',
        winmail({ rtf: compressedRtf(String.raw`{\rtf1\ansi\b Hello\b0\par caf\'e9}`), files: [] }),
      ),
    ]),
    { text: 'Hello\ncafé', files: [] },
  ],
  [
    'a winmail.dat that is cut off',
    multipart('mixed', [
      textPart('See the files.'),
      filePart('winmail.dat', 'application/ms-tnef', winmail({ files: [['a.pdf', 'PDF']] }).subarray(0, 60)),
    ]),
    { text: 'See the files.', files: ['winmail.dat'] },
  ],
  [
    'something else called winmail.dat',
    multipart('mixed', [textPart('Hi'), filePart('winmail.dat', 'application/octet-stream', 'no')]),
    { files: ['winmail.dat'] },
  ],
];

const files: Case[] = FILES.map(([name, part, expected]) => ({
  name: `a first mail: ${name}`,
  raw: message({ Subject: `About ${name}` }, part),
  state: 'ticket',
  ...expected,
}));

/** The text of a forwarded mail is the mail that it forwards. */
const FORWARDED: [name: string, text: string, whole: boolean][] = [
  [
    'Gmail',
    `---------- Forwarded message ---------\nFrom: ${SHOP}\nDate: Mon, 2 Nov 2026 at 10:00\nSubject: Parcel\nTo: <customer@mail.example>\n\n\n${OLD}`,
    true,
  ],
  [
    'Gmail with a comment',
    `Please look.\n\n---------- Forwarded message ---------\nFrom: ${SHOP}\nDate: Mon, 2 Nov 2026 at 10:00\nSubject: Parcel\nTo: <customer@mail.example>\n\n\n${OLD}`,
    false,
  ],
  [
    'Outlook, German',
    `\nVon: ${SHOP}\nGesendet: Montag, 2. November 2026 10:00\nAn: customer@mail.example\nBetreff: Paket\n\n${OLD}`,
    true,
  ],
  [
    'Apple Mail',
    `\n\nBegin forwarded message:\n\nFrom: ${SHOP}\nSubject: Parcel\nDate: 2 November 2026 at 10:00:00 CET\nTo: customer@mail.example\n\n${OLD}`,
    true,
  ],
  [
    'Thunderbird, French',
    `\n\n\n-------- Message transféré --------\nSujet : \tColis\nDate : \tMon, 2 Nov 2026 10:00:00 +0100\nDe : \t${SHOP}\nPour : \tcustomer@mail.example\n\n\n${OLD}`,
    true,
  ],
];
const forwarded: Case[] = FORWARDED.map(([name, text, whole]) => ({
  name: `forwarded by ${name}`,
  raw: message({ Subject: 'Fwd: Parcel' }, textPart(text)),
  state: 'ticket',
  ...(whole ? { text: text.trim(), quoted: null } : { text: 'Please look.', quoted: OLD }),
}));

const bytes = (text: string): Buffer => Buffer.from(text.replaceAll('\n', '\r\n'));
const from = 'From: Ada <ada@broken.example>\nTo: help@shop.example\n';
const BROKEN: [name: string, raw: Buffer, expected: Partial<Case> & Pick<Case, 'state'>][] = [
  ['no headers at all', bytes('\nJust text'), { state: 'rejected', reason: 'no_sender' }],
  [
    'only LF',
    Buffer.from(`${from}Subject: LF\nMessage-ID: <lf@b>\n\nLine one\nLine two\n`),
    { state: 'ticket', text: 'Line one\nLine two' },
  ],
  [
    'no body',
    bytes(`${from}Subject: Empty\nMessage-ID: <none@b>\n`),
    { state: 'ticket', text: '—', subject: 'Empty' },
  ],
  [
    'no subject',
    bytes(`${from}Message-ID: <nos@b>\n\nHello there\nSecond`),
    { state: 'ticket', subject: 'Hello there' },
  ],
  ['no Message-ID and no date', bytes(`${from}Subject: Bare\n\nBare`), { state: 'ticket', text: 'Bare' }],
  [
    'a boundary that never ends',
    bytes(
      `${from}Subject: Open\nMessage-ID: <o@b>\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nStill here`,
    ),
    { state: 'ticket', text: 'Still here' },
  ],
  [
    'a multipart without parts',
    bytes(
      `${from}Subject: Nothing\nMessage-ID: <np@b>\nContent-Type: multipart/mixed; boundary=x\n\nPreamble`,
    ),
    { state: 'ticket', text: '—' },
  ],
  [
    'broken base64',
    bytes(
      `${from}Subject: B64\nMessage-ID: <b64@b>\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\nSGVsbG8*gd29ybGQ`,
    ),
    { state: 'ticket' },
  ],
  [
    'broken quoted-printable',
    bytes(
      `${from}Subject: QP\nMessage-ID: <qp@b>\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n100=ZZ sure=\n`,
    ),
    { state: 'ticket' },
  ],
  [
    '8-bit headers',
    Buffer.concat([
      Buffer.from(
        'From: J\u00f6rg <joerg@broken.example>\r\nSubject: Gr\u00fc\u00dfe\r\nMessage-ID: <h8@b>\r\n\r\nHello',
        'utf8',
      ),
    ]),
    { state: 'ticket', subject: 'Grüße' },
  ],
  [
    'NUL in the text',
    bytes(`${from}Subject: NUL\nMessage-ID: <nul@b>\n\nA\0B`),
    { state: 'ticket', text: 'AB' },
  ],
  [
    'two From addresses',
    bytes('From: a@two.example, b@two.example\nSubject: Two\nMessage-ID: <two@b>\n\nTwo'),
    { state: 'ticket', text: 'Two' },
  ],
  [
    'an address without a domain',
    bytes('From: root\nSubject: Local\nMessage-ID: <loc@b>\n\nLocal'),
    { state: 'rejected', reason: 'no_sender' },
  ],
];
const broken: Case[] = BROKEN.map(([name, raw, expected]) => ({ name: `broken: ${name}`, raw, ...expected }));

export const first: Case[] = [...charsets, ...odd, ...files, ...forwarded, ...broken];
