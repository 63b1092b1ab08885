import { connect, isIP, type Socket } from 'node:net';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { type GuardOptions, guardedLookup, isPublicAddress } from '../net/address-guard.ts';
import { createMailer, type Mailer } from './mailer.ts';
import type { MailSettings } from './settings.ts';

export interface MailRow {
  host: string;
  port: number;
  security: 'starttls' | 'tls';
  username: string | null;
  password_cipher: Buffer | null;
  from_name: string | null;
  from_address: string;
}

/** The mail server that an admin of the site has set up in the desk. */
export async function findMailRow({ db, site }: SiteContext): Promise<MailRow | undefined> {
  const { rows } = await sql<MailRow>`
    select host, port, security, username, password_cipher, from_name, from_address
    from mail_settings where site_id = ${site.id}`.execute(db);
  return rows[0];
}

/** The settings for the mailer, with the password decrypted. */
export const settingsOf = (ctx: SiteContext, row: MailRow): MailSettings => ({
  host: row.host,
  port: row.port,
  secure: row.security === 'tls',
  user: row.username ?? undefined,
  password: row.password_cipher ? ctx.services.vault.open(row.password_cipher) : undefined,
  from: { name: row.from_name ?? undefined, address: row.from_address },
  // The site's own server decides who may send from which address.
  domains: 'any',
});

const CONNECT_MS = 10_000;

/** A site's admin is not the operator: their settings must not reach into the operator's own network. */
export const guardedConnect =
  (guard: GuardOptions) =>
  (host: string, port: number): Promise<Socket> =>
    new Promise((resolve, reject) => {
      if (!guard.allowPrivate && isIP(host) !== 0 && !isPublicAddress(host))
        return reject(
          new Error(
            'The mail server must have a public address. The owner of this installation can set SMTP_URL instead.',
          ),
        );
      const socket = connect({ host, port, lookup: guardedLookup(guard) });
      const refused = (error: Error): void => {
        socket.destroy();
        reject(error);
      };
      socket.setTimeout(CONNECT_MS, () =>
        refused(Object.assign(new Error('The mail server doesn’t answer.'), { code: 'ETIMEDOUT' })),
      );
      socket.once('error', refused);
      socket.once('connect', () => {
        socket.setTimeout(0);
        socket.off('error', refused);
        resolve(socket);
      });
    });

/** The mailer of SMTP_URL, or else of the site's own settings; undefined: the site sends no mail. */
export async function findMailer(ctx: SiteContext): Promise<Mailer | undefined> {
  const { mailer, webhooks } = ctx.services;
  if (mailer) return mailer;
  const row = await findMailRow(ctx);
  return row && createMailer(settingsOf(ctx, row), guardedConnect(webhooks));
}

/** Whether the site sends mail, without decrypting its settings. */
export const sendsMail = async (ctx: SiteContext): Promise<boolean> =>
  ctx.services.mailer !== undefined || (await findMailRow(ctx)) !== undefined;
