import type { OutputOf } from '@foyer/protocol';
import { hashSecret, newSecret } from '../../base/secret-token.ts';
import type { SiteContext } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import { scimUrl } from '../../sites/single-sign-on/addresses.ts';
import { getProvider, type ProviderRow } from '../../sites/single-sign-on/providers.ts';

const HINT_LENGTH = 4;
/** How exact the time of the last request is. */
const USED_EVERY_S = 60;

/**
 * The token with which a provider creates and removes agents. A new one replaces the one before. Only this response
 * ever contains it.
 * @throws AppError 404
 */
export function rotateScimToken(
  ctx: SiteContext,
  id: number,
): Promise<OutputOf<'identity_providers.rotate_scim_token'>> {
  const token = `scim_${newSecret()}`;
  return ctx.transaction(async (tx) => {
    await getProvider(tx, id);
    await store(tx, id, {
      scim_token_hash: hashSecret(token),
      scim_token_hint: token.slice(-HINT_LENGTH),
      scim_token_made_at: tx.now(),
      scim_used_at: null,
    });
    return { id, token, base_url: scimUrl(tx.services.address.url) };
  });
}

/** Ends provisioning. Whom the provider has named, and the agents, stay. @throws AppError 404 */
export function removeScimToken(
  ctx: SiteContext,
  id: number,
): Promise<OutputOf<'identity_providers.remove_scim_token'>> {
  return ctx.transaction(async (tx) => {
    await getProvider(tx, id);
    await store(tx, id, {
      scim_token_hash: null,
      scim_token_hint: null,
      scim_token_made_at: null,
      scim_used_at: null,
    });
    return { id, removed: true as const };
  });
}

type Columns = Pick<
  ProviderRow,
  'scim_token_hash' | 'scim_token_hint' | 'scim_token_made_at' | 'scim_used_at'
>;

const store = (tx: SiteContext, id: number, columns: Columns) =>
  tx.db
    .updateTable('identity_providers')
    .set({ ...columns, updated_at: tx.now() })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', id)
    .execute();

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
