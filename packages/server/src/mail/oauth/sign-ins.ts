import { type Selectable, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import type { Tables } from '../../db/tables.generated.ts';
import type { MailProviderId } from './providers.ts';
import type { Tokens } from './token-requests.ts';

export type SignInRow = Selectable<Tables['mailbox_sign_ins']>;

/** How a mailbox signs in with a provider; undefined: with a password. */
export const findSignIn = ({ db, site }: SiteContext, mailboxId: number): Promise<SignInRow | undefined> =>
  db
    .selectFrom('mailbox_sign_ins')
    .selectAll()
    .where('site_id', '=', site.id)
    .where('mailbox_id', '=', mailboxId)
    .executeTakeFirst();

/** The sign-ins of mailboxes, by the mailbox. */
export async function readSignIns(
  { db, site }: SiteContext,
  mailboxIds: readonly number[],
): Promise<ReadonlyMap<number, SignInRow>> {
  if (mailboxIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('mailbox_sign_ins')
    .selectAll()
    .where('site_id', '=', site.id)
    .where('mailbox_id', 'in', mailboxIds)
    .execute();
  return new Map(rows.map((row) => [row.mailbox_id, row]));
}

/**
 * Whether a mailbox signs in to a server with a token. Tokens are only sent to the provider's own servers, whatever
 * else a mailbox is set up with.
 */
export const usesToken = (
  { services }: SiteContext,
  signIn: SignInRow | undefined,
  kind: 'imap' | 'smtp',
  { host, cipher }: { host: string | null; cipher: Buffer | null },
): signIn is SignInRow =>
  signIn !== undefined && cipher === null && services.mailProviders[signIn.provider][kind].host === host;

/** Sets how a mailbox signs in. Switching to another provider, or to a password, deletes the tokens. */
export async function setSignIn(
  tx: SiteContext,
  mailboxId: number,
  provider: MailProviderId | 'password',
): Promise<void> {
  await sql`
    delete from mailbox_sign_ins
    where site_id = ${tx.site.id} and mailbox_id = ${mailboxId} and provider <> ${provider}`.execute(tx.db);
  if (provider === 'password') return;
  await sql`
    insert into mailbox_sign_ins (site_id, mailbox_id, provider) values (${tx.site.id}, ${mailboxId}, ${provider})
    on conflict (site_id, mailbox_id) do nothing`.execute(tx.db);
}

/** Stores the tokens of an admin's sign-in, encrypted. A refresh that is under way stores nothing then. */
export async function storeSignIn(
  tx: SiteContext,
  { mailbox_id, provider }: SignInRow,
  { access, refresh, lifeMs }: Tokens & { refresh: string },
): Promise<void> {
  const { vault } = tx.services;
  const now = tx.now();
  await tx.db
    .updateTable('mailbox_sign_ins')
    .set({
      signed_in_at: now,
      refresh_token_cipher: vault.seal(refresh),
      access_token_cipher: vault.seal(access),
      access_expires_at: new Date(now.getTime() + lifeMs),
      refreshed_at: now,
      refreshing_until: null,
      ended_at: null,
      ended_reason: null,
    })
    .where('site_id', '=', tx.site.id)
    .where('mailbox_id', '=', mailbox_id)
    // Unless the mailbox signs in otherwise by now.
    .where('provider', '=', provider)
    .execute();
}
