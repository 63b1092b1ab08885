import { z } from 'zod';
import { mailAuthentication, mailPerson } from '../tickets/ticket-mail.ts';
import { DECISIONS_MAX } from '../values/bounds.ts';
import {
  MAIL_ATTEMPTS,
  MAIL_DECISIONS,
  MAIL_OUTCOMES,
  MAIL_ROUTES,
  SENT_MAIL_STATES,
} from '../values/wire-names.ts';
import {
  agentRef,
  deleted,
  email,
  id,
  page,
  paging,
  sessionId,
  TIME_FORM,
  text,
  time,
  utc,
} from '../values.ts';

const mailboxRef = z.object({ id, address: z.string() });

export const receivedMail = z.object({
  id,
  mailbox: mailboxRef,
  route: z.enum(MAIL_ROUTES),
  received_utc: utc,
  from: mailPerson.nullable().describe('Null if the email has no valid sender, or hasn’t been read yet'),
  subject: z.string().nullable(),
  size: z.int().describe('In bytes'),
  outcome: z.enum(MAIL_OUTCOMES),
  reason: z.string().nullable().describe('Why, as a code'),
  suspended_for: z.string().nullable().describe('Why it was suspended, once that is decided'),
  ticket_id: id.nullable(),
  reply_id: id.nullable(),
  session_id: sessionId.nullable().describe('The chat that it is part of'),
  has_source: z.boolean().describe('Whether the raw message is still stored'),
});
export type ReceivedMail = z.infer<typeof receivedMail>;

export const receivedMailDetail = receivedMail.extend({
  detail: z.string().nullable().describe('The reason in detail, such as an error'),
  message_id: z.string().nullable(),
  envelope_from: z.string().nullable(),
  envelope_to: z.string().nullable(),
  remote_address: z.string().nullable().describe('Of the server that sent it'),
  authentication: mailAuthentication.nullable(),
  attempts: z.int().describe('How often it was processed'),
  processed_utc: utc.nullable(),
  accepted_utc: utc.nullable(),
  content: z
    .object({
      to: z.array(mailPerson),
      cc: z.array(mailPerson),
      text: z.string().describe('Plain text, shortened'),
      files: z.array(z.object({ name: z.string(), size: z.int() })),
      headers: z.array(z.object({ name: z.string(), value: z.string() })),
    })
    .nullable()
    .describe('Null without a raw message that can be read'),
});
export type ReceivedMailDetail = z.infer<typeof receivedMailDetail>;

export const blockedSender = z.object({
  id,
  sender: z.string().describe('An address, or a domain whose addresses are all blocked'),
  agent: agentRef.nullable().describe('Who blocked it'),
  created_utc: utc,
});
export type BlockedSender = z.infer<typeof blockedSender>;

const mailAttempt = z.object({
  attempted_utc: utc,
  outcome: z.enum(MAIL_ATTEMPTS),
  answer: z.string().nullable().describe('The server’s response, or what else went wrong'),
});

export const sentMail = z.object({
  id: id.describe('The reply’s'),
  ticket_id: id,
  mailbox: mailboxRef.nullable(),
  from: z.string().nullable(),
  to: z.array(mailPerson),
  cc: z.array(mailPerson),
  bcc: z.array(mailPerson),
  subject: z.string().nullable(),
  state: z.enum(SENT_MAIL_STATES).describe('`sent`: a server has accepted it'),
  error: z.string().nullable(),
  created_utc: utc,
});
export type SentMail = z.infer<typeof sentMail>;

export const sentMailDetail = sentMail.extend({
  message_id: z.string(),
  attempts: z.array(mailAttempt).describe('Oldest first'),
});
export type SentMailDetail = z.infer<typeof sentMailDetail>;

/** Labels of letters, digits and hyphens, at least two. */
function isDomain(text: string): boolean {
  const labels = text.split('.');
  return labels.length > 1 && labels.every((label) => /^[\p{L}\p{N}-]{1,63}$/u.test(label));
}

/** An email address or a domain, in lower case. */
export const emailOrDomain = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .refine(
    (value) => isDomain(value) || email.safeParse(value).success,
    'must be an email address or a domain',
  );

const action = z
  .enum(MAIL_DECISIONS)
  .describe(
    '`accept` and `process_again` process the email; `block_address` and `block_domain` reject it and later ones of its sender; `undo_block` suspends it again',
  );

const filters = {
  mailbox_id: id.optional(),
  ticket_id: id.optional(),
  address: text(1, 254).optional(),
  q: text(1, 200).optional().describe('Words of the subject'),
  since: time.optional().describe(`At or after this time. ${TIME_FORM}`),
  until: time.optional().describe(`Before this time. ${TIME_FORM}`),
};

export const mailLogContract = {
  'received_mails.list': {
    input: z.strictObject({
      ...paging,
      id: id.optional().describe('Read one email instead of a list'),
      ...filters,
      outcome: z.enum(MAIL_OUTCOMES).optional(),
      reason: z
        .string()
        .regex(/^[a-z_]{1,40}$/)
        .optional(),
    }),
    output: z.union([page(receivedMail), receivedMailDetail]),
  },
  /** Suspended mails that wait for a decision; the count ends at `SUSPENDED_COUNTED_MAX`. */
  'received_mails.count': {
    input: z.strictObject({}),
    output: z.object({ suspended: z.int() }),
  },
  'received_mails.decide': { input: z.strictObject({ id, action }), output: receivedMail },
  'received_mails.decide_all': {
    input: z.strictObject({ ids: z.array(id).min(1).max(DECISIONS_MAX), action }),
    output: z.object({
      decided: z.array(receivedMail),
      skipped: z
        .array(receivedMail)
        .describe('To which the action doesn’t apply, such as those already decided'),
    }),
  },
  /** A link to the raw message as a file, which expires. */
  'received_mails.source': {
    input: z.strictObject({ id }),
    output: z.object({ url: z.string(), expires_utc: utc }),
  },
  'blocked_senders.list': { input: z.strictObject({ ...paging }), output: page(blockedSender) },
  'blocked_senders.create': { input: z.strictObject({ sender: emailOrDomain }), output: blockedSender },
  'blocked_senders.delete': { input: z.strictObject({ id }), output: deleted },
  'sent_mails.list': {
    input: z.strictObject({
      ...paging,
      id: id.optional().describe('Read one email instead of a list'),
      ...filters,
      state: z.enum(SENT_MAIL_STATES).optional(),
    }),
    output: z.union([page(sentMail), sentMailDetail]),
  },
} as const;
