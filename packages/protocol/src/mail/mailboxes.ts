import { z } from 'zod';
import { NAME_MAX, SIGNATURE_MAX } from '../values/bounds.ts';
import { SIGNATURE_PLACEHOLDERS } from '../values/macro-text.ts';
import { MAIL_PROVIDERS, MAIL_ROUTES, MAIL_SIGN_INS, MAILBOX_PROTOCOLS } from '../values/wire-names.ts';
import {
  agentRef,
  deleted,
  email,
  id,
  knowsPlaceholders,
  page,
  paging,
  teamRef,
  text,
  utc,
} from '../values.ts';
import { mailHost, mailSecurity } from './mail.ts';

const port = z.int().min(1).max(65_535);
const user = text(1, 200);
const password = z.string().min(1).max(500);
const folder = text(1, 200);
const OF_PROVIDER =
  'Required with a password; a mailbox that signs in with a provider has the provider’s server';

const ROUTES =
  '`imap`: fetched from a server; `smtp`: sent to the SMTP server of this installation; `http`: posted by a mail service';

export const mailbox = z.object({
  id,
  address: z.string(),
  name: z.string().nullable().describe('The sender’s name; null: the site’s'),
  signature: z.string().nullable().describe('Null: the site’s'),
  assignee: agentRef.nullable().describe('Gets new tickets'),
  team: teamRef.nullable().describe('New tickets belong to it'),
  enabled: z.boolean(),
  route: z.enum(MAIL_ROUTES).describe(ROUTES),
  sign_in: z
    .enum(MAIL_SIGN_INS)
    .describe('How Foyer signs in to its servers: with a password, or with a provider by OAuth'),
  signed_in_utc: utc
    .nullable()
    .describe('When an admin last signed in with the provider; null: nobody has, or the sign-in has ended'),
  imap: z
    .object({
      host: z.string(),
      port: z.int(),
      security: mailSecurity,
      user: z.string(),
      has_password: z.boolean(),
      folder: z.string(),
      days: z.int(),
    })
    .nullable(),
  smtp: z
    .object({
      host: z.string(),
      port: z.int(),
      security: mailSecurity,
      user: z.string().nullable(),
      has_password: z.boolean(),
    })
    .nullable()
    .describe('The server for replies; null: the site’s'),
  http: z
    .object({
      has_secret: z.boolean().describe('Whether signatures are checked'),
      url: z
        .string()
        .nullable()
        .describe('Where the service posts mail; only in the response that created it'),
    })
    .nullable(),
  has_plus_addresses: z.boolean(),
  replies_from: z
    .string()
    .nullable()
    .describe(
      'The address that replies come from: its own, or the installation’s; null: no mail server sends them',
    ),
  checked_utc: utc.nullable().describe('When it last worked'),
  failing_since_utc: utc.nullable(),
  problem: z.string().nullable().describe('Why it is failing'),
  created_utc: utc,
  updated_utc: utc,
});
export type MailboxRecord = z.infer<typeof mailbox>;

const imap = z.strictObject({
  host: mailHost.optional().describe(OF_PROVIDER),
  port: port.default(993),
  security: mailSecurity.default('tls'),
  user,
  password: password.optional().describe('Kept if omitted, for the same server and user'),
  folder: folder.default('INBOX'),
  days: z
    .int()
    .min(0)
    .max(3_650)
    .default(0)
    .describe('On the first connection, mail of this many days is fetched too'),
});

const smtp = z.strictObject({
  host: mailHost.optional().describe(OF_PROVIDER),
  port: port.default(587),
  security: mailSecurity.default('starttls'),
  user: user.nullable().default(null),
  password: password.optional().describe('Kept if omitted, for the same server and user'),
});

const http = z.strictObject({
  secret: z
    .string()
    .min(1)
    .max(2_000)
    .nullable()
    .optional()
    .describe(
      'Mailgun’s signing key or SendGrid’s public key, to check signatures; null: the URL alone is checked',
    ),
});

const fields = {
  name: text(1, NAME_MAX).nullable().optional(),
  signature: text(0, SIGNATURE_MAX)
    .superRefine(knowsPlaceholders(SIGNATURE_PLACEHOLDERS))
    .nullable()
    .optional(),
  assignee_id: id.nullable().optional().describe('Gets new tickets'),
  team_id: id.nullable().optional().describe('The team that new tickets belong to'),
  enabled: z.boolean().optional(),
  sign_in: z
    .enum(MAIL_SIGN_INS)
    .optional()
    .describe('With `google` or `microsoft` an admin then signs in at the desk; default: `password`'),
  smtp: smtp.nullable().optional().describe('Null: the site’s server sends replies'),
  has_plus_addresses: z
    .boolean()
    .optional()
    .describe('Whether mail to name+anything@domain arrives here too'),
};

/** The result of a connection test of one server. */
const tested = z.object({
  protocol: z.enum(MAILBOX_PROTOCOLS),
  ok: z.boolean(),
  problem: z.string().nullable().describe('Null if it works'),
});

export const mailboxContract = {
  'mailboxes.list': {
    input: z.strictObject({
      ...paging,
      id: id.optional().describe('Read one mailbox instead of a list'),
    }),
    output: z.union([page(mailbox), mailbox]),
  },
  'mailboxes.create': {
    input: z.strictObject({
      address: email,
      route: z.enum(MAIL_ROUTES).default('imap').describe(ROUTES),
      imap: imap.optional().describe('The server that mail is fetched from; required for the route `imap`'),
      http: http.optional().describe('For the route `http`'),
      ...fields,
    }),
    output: mailbox,
  },
  'mailboxes.update': {
    input: z.strictObject({
      id,
      address: email.optional(),
      imap: imap.optional(),
      http: http
        .extend({
          new_url: z.literal(true).optional().describe('Replaces the URL; the old one stops working'),
        })
        .optional(),
      ...fields,
    }),
    output: mailbox,
  },
  /** Whether mailboxes can sign in with the providers, and what the operator registers there. */
  'mailboxes.providers': {
    input: z.strictObject({}),
    output: z.object({
      providers: z.array(z.object({ id: z.enum(MAIL_PROVIDERS), is_set_up: z.boolean() })),
      redirect_url: z.string().describe('Where the provider sends the browser back to'),
    }),
  },
  /** Begins a sign-in with the mailbox's provider: the URL to open in the caller's browser. */
  'mailboxes.begin_sign_in': {
    input: z.strictObject({ id }),
    output: z.object({ url: z.string() }),
  },
  /** Ends it with what the provider has appended to the redirect URL. */
  'mailboxes.finish_sign_in': {
    input: z.strictObject({ id, code: z.string().min(1).max(4_000), state: z.string().min(1).max(2_000) }),
    output: mailbox,
  },
  'mailboxes.delete': { input: z.strictObject({ id }), output: deleted },
  /** Signs in to the servers of a mailbox and opens its folder; stores nothing. */
  'mailboxes.test': {
    input: z.strictObject({
      id: id.optional().describe('Passwords that are omitted are those of this mailbox'),
      imap: imap.optional(),
      smtp: smtp.optional(),
    }),
    output: z.object({ results: z.array(tested) }),
  },
} as const;
