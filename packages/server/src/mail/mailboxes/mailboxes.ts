import { sql } from 'kysely';
import { domainOf } from '../../base/email-address.ts';
import type { SiteContext } from '../../core/context.ts';
import type { GuardOptions } from '../../net/address-guard.ts';
import { createMailer, type Mailer } from '../mailer.ts';
import { withAccessToken } from '../oauth/access-token.ts';
import { findSignIn, usesToken } from '../oauth/sign-ins.ts';
import type { MailSettings } from '../settings.ts';
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

/** The mailbox of new tickets that weren't created by a mail: the site's only one. */
export async function onlyMailboxId({ db, site }: SiteContext): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from mailboxes where site_id = ${site.id} and is_enabled order by id limit 2`.execute(db);
  return rows.length === 1 ? (rows[0]?.id ?? null) : null;
}

/**
 * Whether SMTP_URL may send from an address. Any admin of a site could enter any address as a mailbox, so the operator
 * lists the domains.
 */
const maySendFrom = ({ from, domains }: MailSettings, address: string): boolean =>
  domains === 'any' || domains.includes(domainOf(address)) || from.address.toLowerCase() === address;

type Sending = Pick<SendingMailbox, 'smtp_host' | 'address'>;

/**
 * Reads which address replies of mailboxes come from: their own, or else the installation's; answers then find the
 * mailbox by `Reply-To`. One query for any number of mailboxes.
 * @returns a function that returns undefined for a mailbox whose replies can't be sent
 */
export async function readSenders(ctx: SiteContext): Promise<(mailbox: Sending) => string | undefined> {
  const installation = ctx.services.mailer?.settings;
  const isBySite = installation === undefined && (await findMailRow(ctx)) !== undefined;
  return ({ smtp_host, address }) => {
    if (smtp_host !== null || isBySite) return address;
    if (installation === undefined) return undefined;
    return maySendFrom(installation, address) ? address : installation.from.address;
  };
}

/** The address that a mailbox's replies come from, or would. */
export const mailboxSender = async (ctx: SiteContext, mailbox: Sending): Promise<string> =>
  (await readSenders(ctx))(mailbox) ?? mailbox.address;

/** As when mail is fetched: passwords are only sent encrypted, except where private addresses are allowed. */
export const requiresTls = (security: 'starttls' | 'tls', { allowPrivate }: GuardOptions): boolean =>
  security === 'starttls' && !allowPrivate;

/** Sends with an access token, requested for each mail because it expires within an hour. */
function tokenMailer(ctx: SiteContext, mailboxId: number, settings: MailSettings): Mailer {
  const connect = guardedConnect(ctx.services.webhooks);
  return {
    settings,
    sendingAs: (from) => tokenMailer(ctx, mailboxId, { ...settings, from }),
    send: (mail) =>
      withAccessToken(ctx, mailboxId, (accessToken) =>
        createMailer({ ...settings, accessToken }, connect).send(mail),
      ),
  };
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
    const { webhooks } = ctx.services;
    const settings = { ...settingsOf(ctx, row), requireTls: requiresTls(security, webhooks) };
    const signIn = await findSignIn(ctx, mailbox.id);
    if (!usesToken(ctx, signIn, 'smtp', { host, cipher: password_cipher }))
      return createMailer(settings, guardedConnect(webhooks));
    return tokenMailer(ctx, mailbox.id, { ...settings, user: username ?? address });
  }
  const mailer = await findMailer(ctx);
  return mailer?.sendingAs({ name: name ?? undefined, address: await mailboxSender(ctx, mailbox) });
}

/** Whether mail from this mailbox, or from the site if there is none, can be sent. Decrypts nothing. */
export const canSend = async (ctx: SiteContext, mailboxId: number | null): Promise<boolean> =>
  (await sendsMail(ctx)) || Boolean((await findMailbox(ctx, mailboxId))?.smtp_host);

/** The address that replies of a mailbox, or of the site if there is none, come from. */
export const senderAddressOf = async (
  ctx: SiteContext,
  mailbox: SendingMailbox | undefined,
): Promise<string | undefined> =>
  mailbox
    ? mailboxSender(ctx, mailbox)
    : (ctx.services.mailer?.settings.from.address ?? (await findMailRow(ctx))?.from_address);
