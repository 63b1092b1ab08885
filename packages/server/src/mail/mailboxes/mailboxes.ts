import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { createMailer, type Mailer } from '../mailer.ts';
import { findMailer, findMailRow, guardedConnect, sendsMail, settingsOf } from '../site-mailer.ts';

/** What sending from a mailbox needs. */
export interface SendingMailbox {
  id: number;
  address: string;
  /** The sender's name; null: the site's. */
  name: string | null;
  smtp_host: string | null;
  smtp_port: number | null;
  smtp_security: 'starttls' | 'tls' | null;
  smtp_username: string | null;
  smtp_password_cipher: Buffer | null;
  has_plus_addresses: boolean;
}

/** @returns undefined if it was deleted, and for another site's */
export async function findMailbox(
  { db, site }: SiteContext,
  id: number | null,
): Promise<SendingMailbox | undefined> {
  if (id === null) return undefined;
  return db
    .selectFrom('mailboxes')
    .select([
      'id',
      'address',
      'name',
      'smtp_host',
      'smtp_port',
      'smtp_security',
      'smtp_username',
      'smtp_password_cipher',
      'has_plus_addresses',
    ])
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The mailbox of new tickets that came by no mail: the site's only one. */
export async function onlyMailboxId({ db, site }: SiteContext): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from mailboxes where site_id = ${site.id} and is_enabled order by id limit 2`.execute(db);
  return rows.length === 1 ? (rows[0]?.id ?? null) : null;
}

/** @returns undefined if neither the mailbox nor its site has a mail server */
export async function findMailboxMailer(
  ctx: SiteContext,
  mailbox: SendingMailbox,
): Promise<Mailer | undefined> {
  const { smtp_host: host, smtp_port: port, smtp_security: security, address, name } = mailbox;
  if (host !== null && port !== null && security !== null) {
    const { smtp_username: username, smtp_password_cipher: password_cipher } = mailbox;
    const row = { host, port, security, username, password_cipher, from_name: name, from_address: address };
    return createMailer(settingsOf(ctx, row), guardedConnect(ctx.services.webhooks));
  }
  const mailer = await findMailer(ctx);
  return mailer?.sendingAs({ name: name ?? undefined, address });
}

/** Whether mail from this mailbox, or from the site if there is none, can be sent. Decrypts nothing. */
export const canSend = async (ctx: SiteContext, mailboxId: number | null): Promise<boolean> =>
  (await sendsMail(ctx)) || Boolean((await findMailbox(ctx, mailboxId))?.smtp_host);

/** The address that replies of a mailbox, or of the site if there is none, come from. */
export const senderAddressOf = async (
  ctx: SiteContext,
  mailbox: SendingMailbox | undefined,
): Promise<string | undefined> =>
  mailbox?.address ?? ctx.services.mailer?.settings.from.address ?? (await findMailRow(ctx))?.from_address;
