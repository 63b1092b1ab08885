import { z } from 'zod';
import { NAME_MAX } from '../values/bounds.ts';
import { MAIL_KINDS, MAIL_SECURITIES } from '../values/wire-names.ts';
import { email, text, utc } from '../values.ts';

/** A server's name or address, without a port. */
export const mailHost = z
  .string()
  .trim()
  .max(253)
  .refine((value) => /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|[0-9A-Fa-f:]{2,45})$/.test(value), {
    error: 'must be a host name such as mail.example.com',
    params: { reason: 'host' },
  });

export const mailSecurity = z.enum(MAIL_SECURITIES);

export const mailSetup = z.object({
  /**
   * Where the settings come from: `environment` (SMTP_URL) has priority over the site's; null: no email is sent.
   */
  source: z.enum(['environment', 'site']).nullable(),
  server: z
    .object({
      host: z.string(),
      port: z.int(),
      security: mailSecurity,
      user: z.string().nullable(),
      /** The password itself is never returned. */
      has_password: z.boolean(),
    })
    .nullable(),
  /** `name` null: the site's name. */
  from: z.object({ name: z.string().nullable(), address: z.string() }).nullable(),
  /** The DNS records that the sender's domain needs. */
  records: z.array(
    z.object({ kind: z.enum(['spf', 'dkim', 'dmarc']), name: z.string(), value: z.string().nullable() }),
  ),
  /** Mails that couldn't be sent, newest first, including those being retried. Contains no addresses. */
  failures: z.array(
    z.object({
      kind: z.enum(MAIL_KINDS),
      at_utc: utc,
      error: z.string(),
      /** Null: it won't be retried. */
      next_try_utc: utc.nullable(),
    }),
  ),
});
export type MailSetup = z.infer<typeof mailSetup>;

export const mailContract = {
  'mail.get': { input: z.strictObject({}), output: mailSetup },
  /** For every agent: whether email is set up. */
  'mail.status': { input: z.strictObject({}), output: z.object({ sends_mail: z.boolean() }) },
  'mail.set': {
    input: z.strictObject({
      host: mailHost,
      port: z.int().min(1).max(65_535),
      security: mailSecurity,
      user: text(1, 200).nullable(),
      /** Absent: the stored one stays; null: none. */
      password: z.string().min(1).max(500).nullable().optional(),
      from_name: text(1, NAME_MAX).nullable(),
      from_address: email,
    }),
    output: mailSetup,
  },
  'mail.clear': { input: z.strictObject({}), output: mailSetup },
  /** Sends a mail to the caller's own address and waits for the server's response. */
  'mail.test': {
    input: z.strictObject({}),
    output: z.object({
      to: z.string(),
      sent: z.boolean(),
      /** The error of the server or the network, if it failed. */
      error: z.string().nullable(),
    }),
  },
} as const;
