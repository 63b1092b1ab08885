import type { OutputOf } from '@foyer/protocol';
import { hashSecret, newSecret } from '../../base/secret-token.ts';
import type { SiteContext } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import { scimUrl } from '../../sites/single-sign-on/addresses.ts';
import { type ProviderRow, providerRecords } from '../../sites/single-sign-on/providers.ts';

const HINT_LENGTH = 4;
/** How exact the time of the last request is. */
const USED_EVERY_S = 60;

/**
 * The token with which a provider creates and removes agents. A new one replaces the one before. Only this response
 * ever contains it.
 * @throws AppError 404
 */
export async function rotateScimToken(
  ctx: SiteContext,
  id: number,
): Promise<OutputOf<'identity_providers.rotate_scim_token'>> {
  const token = `scim_${newSecret()}`;
  await store(ctx, id, {
    scim_token_hash: hashSecret(token),
    scim_token_hint: token.slice(-HINT_LENGTH),
    scim_token_made_at: ctx.now(),
  });
  return { id, token, base_url: scimUrl(ctx.services.address.url) };
}

/** Ends provisioning. Provisioned people, and the agents, stay. @throws AppError 404 */
export async function removeScimToken(
  ctx: SiteContext,
  id: number,
): Promise<OutputOf<'identity_providers.remove_scim_token'>> {
  await store(ctx, id, { scim_token_hash: null, scim_token_hint: null, scim_token_made_at: null });
  return { id, removed: true };
}

type TokenColumns = Pick<ProviderRow, 'scim_token_hash' | 'scim_token_hint' | 'scim_token_made_at'>;

const store = (ctx: SiteContext, id: number, token: TokenColumns) =>
  providerRecords.update(ctx, id, { ...token, scim_used_at: null }, { updated_at: ctx.now() });

/** The provider whose token it is; undefined for an unknown token, and while the provider is disabled. */
export const findByScimToken = (db: Db, token: string): Promise<ProviderRow | undefined> =>
  db
    .selectFrom('identity_providers')
    .selectAll()
    .where('scim_token_hash', '=', hashSecret(token))
    .where('disabled_at', 'is', null)
    .executeTakeFirst();

/** Stores that a provider has called, at most once a minute. */
export async function noteScimUse(
  { db, now }: { db: Db; now: () => Date },
  provider: ProviderRow,
): Promise<void> {
  const { scim_used_at: before } = provider;
  if (before !== null && now().getTime() - before.getTime() < USED_EVERY_S * 1000) return;
  await db
    .updateTable('identity_providers')
    .set({ scim_used_at: now() })
    .where('site_id', '=', provider.site_id)
    .where('id', '=', provider.id)
    .execute();
}
