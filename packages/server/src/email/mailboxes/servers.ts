import type { MailboxRecord, ParsedInputOf } from '@foyer/protocol';
import type { MAIL_SIGN_INS } from '@foyer/protocol/values/wire-names';
import type { Selectable } from 'kysely';
import { type AppError, invalidInput } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { passwordCipher, type StoredLogin } from '../../mail/kept-password.ts';

export type MailboxRow = Selectable<Tables['mailboxes']>;
/** How a mailbox signs in to its servers. */
export type MailSignIn = (typeof MAIL_SIGN_INS)[number];
type Create = ParsedInputOf<'mailboxes.create'>;
type Imap = NonNullable<Create['imap']>;
type Smtp = NonNullable<Create['smtp']>;

/** A field that doesn't fit the rest of a mailbox. */
export const misfit = (path: string, message: string): AppError =>
  invalidInput([{ path, message, reason: 'form' }]);

/** The IMAP server as the record shows it. */
export const imapOf = (row: MailboxRow): MailboxRecord['imap'] =>
  row.imap_host === null
    ? null
    : {
        host: row.imap_host,
        port: row.imap_port ?? 993,
        security: row.imap_security ?? 'tls',
        user: row.imap_username ?? '',
        has_password: row.imap_password_cipher !== null,
        folder: row.imap_folder,
        days: row.imap_days,
      };

/** Its own server for replies, if it has one. */
export const smtpOf = (row: MailboxRow): MailboxRecord['smtp'] =>
  row.smtp_host === null
    ? null
    : {
        host: row.smtp_host,
        port: row.smtp_port ?? 587,
        security: row.smtp_security ?? 'starttls',
        user: row.smtp_username,
        has_password: row.smtp_password_cipher !== null,
      };

/** The stored sign-in at a mailbox's IMAP server. */
export const imapLogin = (row: MailboxRow): StoredLogin => ({
  host: row.imap_host,
  port: row.imap_port,
  user: row.imap_username,
  cipher: row.imap_password_cipher,
});

/** The stored sign-in at a mailbox's own server for replies. */
export const smtpLogin = (row: MailboxRow): StoredLogin => ({
  host: row.smtp_host,
  port: row.smtp_port,
  user: row.smtp_username,
  cipher: row.smtp_password_cipher,
});

/**
 * The server to use: the given one, or the provider's. A provider's tokens are sent only to its own servers, so a
 * mailbox with a sign-in reads from no other; another server for replies has a password.
 * @throws AppError 400
 */
export function serverOf<Given extends Imap | Smtp>(
  { services }: SiteContext,
  kind: 'imap' | 'smtp',
  given: Given,
  signIn: MailSignIn,
): Given & { host: string } {
  const { host } = given;
  if (signIn === 'password') {
    if (host === undefined) throw misfit(`${kind}.host`, 'is required with a password');
    return { ...given, host };
  }
  const own = services.mailProviders[signIn][kind];
  if (host !== undefined && host !== own.host) {
    if (kind === 'imap') throw misfit('imap.host', 'is the provider’s: leave it out');
    return { ...given, host };
  }
  if (given.password !== undefined)
    throw misfit(`${kind}.password`, 'is for mailboxes that sign in with a password');
  return { ...given, ...own };
}

/**
 * The columns of the server that mail is fetched from. With another account or folder, fetching starts over, as on the
 * first connection.
 */
export function imapColumns(ctx: SiteContext, given: Imap, signIn: MailSignIn, before?: MailboxRow) {
  const imap = serverOf(ctx, 'imap', given, signIn);
  const isElsewhere =
    before?.imap_host !== imap.host ||
    before.imap_username !== imap.user ||
    before.imap_folder !== imap.folder;
  return {
    imap_host: imap.host,
    imap_port: imap.port,
    imap_security: imap.security,
    imap_username: imap.user,
    imap_password_cipher:
      signIn === 'password' ? passwordCipher(ctx, imap, before && imapLogin(before)) : null,
    imap_folder: imap.folder,
    imap_days: imap.days,
    ...(isElsewhere && { imap_uid_validity: null, imap_last_uid: null }),
  };
}

/** The columns of the server for replies. */
export function smtpColumns(ctx: SiteContext, given: Smtp, signIn: MailSignIn, before?: MailboxRow) {
  const smtp = serverOf(ctx, 'smtp', given, signIn);
  const isProviders = signIn !== 'password' && smtp.host === ctx.services.mailProviders[signIn].smtp.host;
  return {
    smtp_host: smtp.host,
    smtp_port: smtp.port,
    smtp_security: smtp.security,
    smtp_username: smtp.user,
    smtp_password_cipher: isProviders ? null : passwordCipher(ctx, smtp, before && smtpLogin(before)),
  };
}

export const NO_SMTP = {
  smtp_host: null,
  smtp_port: null,
  smtp_security: null,
  smtp_username: null,
  smtp_password_cipher: null,
} as const;
