import { type Case, inThread } from './cases.ts';
import { LANGUAGES } from './languages.ts';
import { message, multipart, type Part, textPart, word } from './raw.ts';

// What machines send: out-of-office replies, reports of mail servers, ticket systems, lists and newsletters.

const REPLY_ID = 'reply-9-9.AAAAAAAAAAAAAAAA@shop.example';

const away: Case[] = LANGUAGES.flatMap(({ code, away: [prefix, text], subject }): Case[] => [
  {
    name: `out of office of Exchange in a thread, ${code}`,
    raw: message(
      {
        ...inThread(word(`${prefix}Re: ${subject}`)),
        'Auto-Submitted': 'auto-generated',
        'X-Auto-Response-Suppress': 'All',
        'X-MS-Exchange-Inbox-Rules-Loop': 'customer@mail.example',
      },
      textPart(text),
    ),
    state: 'reply',
    reason: 'automatic',
    text,
    quoted: null,
  },
  {
    name: `vacation responder of Gmail to nothing, ${code}`,
    raw: message(
      {
        Subject: word(`${prefix}${subject}`),
        'Auto-Submitted': 'auto-replied',
        Precedence: 'bulk',
        'X-Autoreply': 'yes',
      },
      textPart(text),
    ),
    state: 'ignored',
    reason: 'auto_reply',
  },
]);

const status = (fields: string): Part => ({
  headers: { 'Content-Type': 'message/delivery-status' },
  body: `Reporting-MTA: dns; mx.mail.example\r\n\r\nFinal-Recipient: rfc822; nobody@mail.example\r\n${fields}\r\n`,
});
const original: Part = {
  headers: { 'Content-Type': 'message/rfc822' },
  body: `From: help@shop.example\r\nTo: nobody@mail.example\r\nSubject: Re: Parcel\r\nMessage-ID: <${REPLY_ID}>\r\n\r\nYour parcel\r\n`,
};
const report = (text: string, fields: string): Part =>
  multipart('report', [textPart(text), status(fields), original], '; report-type=delivery-status');
const FAILED = 'Action: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 User unknown';

/** None of them names a mail of Foyer's with a valid signature, so each is a bounce of an unknown mail. */
const bounces: Case[] = (
  [
    [
      'Postfix',
      'MAILER-DAEMON@mail.example',
      'Undelivered Mail Returned to Sender',
      report('This is the mail system at host mail.example.', FAILED),
    ],
    [
      'Exchange',
      'postmaster@mail.example',
      'Undeliverable: Re: Parcel',
      report('Your message couldn’t be delivered.', FAILED),
    ],
    [
      'Exchange, German',
      'postmaster@mail.example',
      word('Unzustellbar: Paket'),
      report('Ihre Nachricht konnte nicht zugestellt werden.', FAILED),
    ],
    [
      'Exchange, French',
      'postmaster@mail.example',
      word('Non remis : colis'),
      report('Impossible de remettre le message.', FAILED),
    ],
    [
      'Exchange, Japanese',
      'postmaster@mail.example',
      word('配信不能: 荷物'),
      report('メッセージを配信できませんでした。', FAILED),
    ],
    [
      'Gmail',
      'mailer-daemon@googlemail.com',
      'Delivery Status Notification (Failure)',
      report('Address not found', FAILED),
    ],
    [
      'SES',
      'MAILER-DAEMON@amazonses.com',
      'Delivery Status Notification (Failure)',
      report('An error occurred while trying to deliver the mail', FAILED),
    ],
    [
      'Exim',
      'Mailer-Daemon@mail.example',
      'Mail delivery failed: returning message to sender',
      textPart(
        `This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its recipients.\n\n  nobody@mail.example\n    host mx.mail.example: 550 5.1.1 unknown user\n\nMessage-Id: <${REPLY_ID}>\n`,
      ),
    ],
    [
      'qmail',
      'MAILER-DAEMON@mail.example',
      'failure notice',
      textPart(
        'Hi. This is the qmail-send program at mail.example.\nI wasn’t able to deliver your message.\n\n<nobody@mail.example>:\nSorry, no mailbox here by that name. (#5.1.1)\n',
      ),
    ],
    [
      'GMX',
      'mailer-daemon@gmx.example',
      'Mail delivery failed: returning message to sender',
      textPart(
        'This message was created automatically by mail delivery software.\n\nnobody@mail.example:\nSMTP error 550 mailbox unavailable\n',
      ),
    ],
  ] satisfies [string, string, string, Part][]
).map(([name, from, subject, part]) => ({
  name: `bounce of ${name}`,
  raw: message(
    {
      From: `Mail Delivery Subsystem <${from}>`,
      Subject: subject,
      'Return-Path': '<>',
      'Auto-Submitted': 'auto-replied',
    },
    part,
  ),
  state: 'bounce',
  reason: 'unknown_mail',
}));

const SYSTEMS: [name: string, headers: Record<string, string>, reason: string][] = [
  [
    'Zendesk',
    { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', 'X-Mailer': 'Zendesk Mailer' },
    'automatic',
  ],
  [
    'Freshdesk',
    { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'DR, RN, OOF, AutoReply' },
    'automatic',
  ],
  ['Jira', { 'Auto-Submitted': 'auto-generated', Precedence: 'bulk' }, 'automatic'],
  [
    'GitHub',
    {
      'List-ID': 'foyer <foyer.github.example>',
      'List-Unsubscribe': '<mailto:unsub@github.example>',
      Precedence: 'list',
      'X-GitHub-Reason': 'subscribed',
      'X-Auto-Response-Suppress': 'All',
    },
    'automatic',
  ],
  [
    'a newsletter',
    { 'List-Unsubscribe': '<https://news.example/u>', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    'bulk',
  ],
  [
    'Mailchimp',
    { 'List-Unsubscribe': '<https://news.example/u>', 'Feedback-ID': '1:2:mc', Precedence: 'bulk' },
    'bulk',
  ],
  ['cron', { 'Auto-Submitted': 'auto-generated' }, 'automatic'],
  ['a monitor', { Precedence: 'junk' }, 'bulk'],
  ['SpamAssassin’s verdict', { 'X-Spam-Flag': 'YES', 'X-Spam-Status': 'Yes, score=12.1' }, 'spam'],
  ['rspamd’s verdict', { 'X-Spam': 'Yes' }, 'spam'],
];

const systems: Case[] = SYSTEMS.map(([name, headers, reason]) => ({
  name,
  raw: message({ Subject: `News from ${name}`, ...headers }, textPart('Something has happened.')),
  state: 'suspended',
  reason,
}));

/** Messages of people that machines send. */
const people: Case[] = [
  {
    name: 'a mailing list of people',
    raw: message(
      {
        Subject: '[team] Parcel',
        'List-Id': '<team.mail.example>',
        'List-Unsubscribe': '<mailto:x@mail.example>',
        Precedence: 'list',
      },
      textPart('Where is our parcel?'),
    ),
    state: 'ticket',
    text: 'Where is our parcel?',
  },
  {
    name: 'a group of Google',
    raw: message(
      {
        Subject: 'Parcel',
        'List-ID': '<support.shop.example>',
        'Mailing-list': 'list support@shop.example',
        Precedence: 'list',
      },
      textPart('Where is the parcel?'),
    ),
    state: 'ticket',
  },
  {
    name: 'a contact form',
    raw: message(
      { Subject: 'Contact', 'X-Mailer': 'PHPMailer 6.9', 'Auto-Submitted': 'no' },
      textPart('From the form.'),
    ),
    state: 'ticket',
    text: 'From the form.',
  },
  {
    name: 'a person whose server checked for spam',
    raw: message(
      { Subject: 'Parcel', 'X-Spam-Flag': 'NO', 'X-Spam-Status': 'No, score=-1' },
      textPart('All is well.'),
    ),
    state: 'ticket',
  },
  {
    name: 'our own auto-reply that came back',
    raw: message(
      { ...inThread('Re: Parcel'), 'Auto-Submitted': 'auto-replied (vacation)' },
      textPart('Gone fishing.'),
    ),
    state: 'reply',
    reason: 'automatic',
  },
  {
    name: 'a delay of Postfix',
    raw: message(
      {
        From: 'Mail Delivery System <MAILER-DAEMON@mail.example>',
        Subject: 'Delayed Mail (still being retried)',
        'Return-Path': '<>',
      },
      report(
        'THIS IS A WARNING ONLY. YOU DO NOT NEED TO RESEND YOUR MESSAGE.',
        'Action: delayed\r\nStatus: 4.4.1',
      ),
    ),
    state: 'bounce',
    reason: 'unknown_mail',
  },
];

export const machines: Case[] = [...away, ...bounces, ...systems, ...people];
