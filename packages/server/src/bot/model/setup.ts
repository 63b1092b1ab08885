import type { LanguageModelSetup, ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { findModelRow } from '../../ai/site-models.ts';
import { AppError, invalidInput } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { checkUrl } from '../../net/address-guard.ts';

const HINT_CHARS = 4;
/** The last characters of a shorter key would reveal too much of it. */
const HINTED_FROM_CHARS = 16;

/** The language model that the site uses; never its key. */
export async function getModelSetup(ctx: SiteContext): Promise<LanguageModelSetup> {
  const environment = ctx.services.languageModels.environment ?? null;
  const row = await findModelRow(ctx);
  const { provider = null, model = null, base_url = null, key_hint = null } = row ?? {};
  const own = provider === null || model === null ? null : { provider, base_url, model, key_hint };
  const enabled = !row?.off_at;
  const source = own ? 'site' : environment ? 'environment' : null;
  return { source: enabled ? source : null, enabled, environment, own };
}

type Given = ParsedInputOf<'language_model.set'>;

/** Addresses are compared and called without a slash at the end. */
const addressOf = ({ base_url }: Given): string | null => base_url?.replace(/(?<!\/)\/+$/, '') ?? null;

async function checkAddress(ctx: SiteContext, url: string): Promise<void> {
  const problem = await checkUrl(url, ctx.services.webhooks);
  const { protocol, search, hash } = URL.parse(url) ?? {};
  const complaint =
    problem ??
    (search || hash
      ? 'must not contain ? or #'
      : protocol !== 'https:' && !ctx.services.webhooks.allowPrivate
        ? 'must start with https://'
        : null);
  if (complaint !== null) throw invalidInput([{ path: 'base_url', message: complaint, reason: 'model_url' }]);
}

/** The key to store, encrypted, and its hint. */
function sealedKey(ctx: SiteContext, key: string) {
  const hint = key.length >= HINTED_FROM_CHARS ? key.slice(-HINT_CHARS) : '';
  return { key_cipher: ctx.services.vault.seal(key), key_hint: hint };
}

/** The stored key if none is given: it stays with its server, so it can't be sent to another one. */
async function keptKey(ctx: SiteContext, given: Given) {
  const before = await findModelRow(ctx);
  if (!before?.key_cipher) return { key_cipher: null, key_hint: null };
  if (before.provider !== given.provider || before.base_url !== addressOf(given))
    throw new AppError('conflict', 'The provider or address has changed. Enter the key again.', {
      reason: 'model_key_again',
    });
  return { key_cipher: before.key_cipher, key_hint: before.key_hint };
}

/**
 * Stores the site's own language model with its key encrypted. An omitted key is kept.
 * @throws AppError 400 for an address that must not be called, and without what the provider requires; 409 for a kept
 *   key of another server
 */
export async function setLanguageModel(ctx: SiteContext, given: Given): Promise<LanguageModelSetup> {
  const { provider, model, key } = given;
  const base_url = addressOf(given);
  if (provider === 'openai' && base_url === null)
    throw invalidInput([{ path: 'base_url', message: 'is required', reason: 'missing' }]);
  if (base_url !== null) await checkAddress(ctx, base_url);
  return ctx.transaction(async (tx) => {
    const none = { key_cipher: null, key_hint: null };
    const sealed = key === undefined ? await keptKey(tx, given) : key === null ? none : sealedKey(tx, key);
    if (provider === 'anthropic' && sealed.key_cipher === null)
      throw invalidInput([{ path: 'key', message: 'is required', reason: 'missing' }]);
    const values = { provider, base_url, model, ...sealed, updated_at: tx.now() };
    await tx.db
      .insertInto('language_models')
      .values({ site_id: tx.site.id, ...values })
      .onConflict((conflict) => conflict.column('site_id').doUpdateSet(values))
      .execute();
    return afterChange(tx);
  });
}

/** Removes the site's own settings. A site that has switched the model off stays without one. */
export function clearLanguageModel(ctx: SiteContext): Promise<LanguageModelSetup> {
  return ctx.transaction(async (tx) => {
    await sql`delete from language_models where site_id = ${tx.site.id} and off_at is null`.execute(tx.db);
    await sql`
      update language_models set provider = null, base_url = null, model = null, key_cipher = null, key_hint = null,
        updated_at = ${tx.now()}
      where site_id = ${tx.site.id}`.execute(tx.db);
    return afterChange(tx);
  });
}

/** Off, the built-in bot answers, and nothing is sent to a model; the settings are kept. */
export function switchLanguageModel(
  ctx: SiteContext,
  { enabled }: ParsedInputOf<'language_model.switch'>,
): Promise<LanguageModelSetup> {
  return ctx.transaction(async (tx) => {
    const at = tx.now();
    if (enabled) {
      await sql`delete from language_models where site_id = ${tx.site.id} and provider is null`.execute(
        tx.db,
      );
      await sql`update language_models set off_at = null, updated_at = ${at} where site_id = ${tx.site.id}`.execute(
        tx.db,
      );
    } else
      await sql`
        insert into language_models (site_id, off_at, updated_at) values (${tx.site.id}, ${at}, ${at})
        on conflict (site_id) do update set off_at = coalesce(language_models.off_at, excluded.off_at),
          updated_at = excluded.updated_at`.execute(tx.db);
    return afterChange(tx);
  });
}

/** Makes every process read the settings again. */
async function afterChange(tx: SiteContext): Promise<LanguageModelSetup> {
  await tx.emit({ notices: [{ kind: 'site' }] });
  return getModelSetup(tx);
}
