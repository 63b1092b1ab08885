import type { ImapFlow } from 'imapflow';
import type { SiteContext } from '../../../core/context.ts';
import { withAccessToken } from '../../../mail/oauth/access-token.ts';
import type { GuardOptions } from '../../../net/address-guard.ts';
import { openImap } from './client.ts';
import type { ImapRow } from './position.ts';

/** Signs in to the server of a stored mailbox, with its password or with a token of its provider. */
export function openMailbox(
  ctx: SiteContext,
  row: ImapRow,
  guard: GuardOptions,
  maxBytes: number,
): Promise<ImapFlow> {
  const { imap_password_cipher: cipher } = row;
  const settings = {
    host: row.imap_host ?? '',
    port: row.imap_port ?? 993,
    security: row.imap_security ?? 'tls',
    user: row.imap_username ?? '',
    folder: row.imap_folder,
  };
  const open = (login: { password?: string; accessToken?: string }): Promise<ImapFlow> =>
    openImap({ ...settings, ...login }, guard, maxBytes);
  if (row.provider !== null) return withAccessToken(ctx, row.id, (accessToken) => open({ accessToken }));
  return open({ password: cipher ? ctx.services.vault.open(cipher) : '' });
}
