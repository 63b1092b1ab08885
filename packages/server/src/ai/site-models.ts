import { createBoundedCache } from '../base/bounded-cache.ts';
import type { SiteContext } from '../core/context.ts';
import { createLanguageModel, type LanguageModel } from './language-model.ts';
import type { AiProvider, AiSettings } from './settings.ts';

/** The language models of all sites. */
export interface LanguageModels {
  /** What the server's environment offers to every site; undefined without FOYER_AI_MODEL. */
  readonly environment: { readonly provider: AiProvider; readonly model: string } | undefined;
  /** All articles are sent with each question if they have at most this many characters. */
  readonly articlesMaxChars: number;
  /**
   * The site's own model, else the environment's. Undefined if there is none, if the site has switched it off, or if
   * its key can't be decrypted: then the built-in bot answers. Costs no statement while it is cached.
   */
  of(ctx: SiteContext): Promise<LanguageModel | undefined>;
  /** Called for a notice of kind `site`; without an id, when notices may have been missed. */
  forget(siteId?: number): void;
}

const SITES_MAX = 10_000;
/** Notices drop a changed entry at once; this limit covers a lost notice. */
const KEEP_MS = 60_000;

interface Options {
  environment: AiSettings | undefined;
  articlesMaxChars: number;
  /** The time limit of each request; by default that of `createLanguageModel`. */
  maxMs?: number | undefined;
  /** How requests to sites' own models are sent: their addresses are set by admins, not by the operator. */
  guardedFetch: typeof fetch;
}

/** The row of a site that has settings of its own. */
export function findModelRow({ db, site }: Pick<SiteContext, 'db' | 'site'>) {
  return db.selectFrom('language_models').selectAll().where('site_id', '=', site.id).executeTakeFirst();
}

/** Sites' models, opened when they are first needed. */
export function createLanguageModels({
  environment: settings,
  articlesMaxChars,
  maxMs,
  guardedFetch,
}: Options): LanguageModels {
  const limits = maxMs === undefined ? {} : { maxMs };
  const environment = createLanguageModel(settings, limits);
  const known = createBoundedCache<{ model: LanguageModel | undefined }>({
    max: SITES_MAX,
    ttlMs: KEEP_MS,
    now: () => new Date(),
  });
  /** A result read before a notice may be older than the change, so it isn't kept. */
  let notices = 0;

  async function read(ctx: SiteContext): Promise<LanguageModel | undefined> {
    const row = await findModelRow(ctx);
    if (row?.off_at) return undefined;
    if (!row?.provider) return environment;
    try {
      const key = row.key_cipher ? ctx.services.vault.open(row.key_cipher) : undefined;
      const own = {
        provider: row.provider,
        baseUrl: row.base_url ?? undefined,
        key,
        model: row.model ?? undefined,
      };
      return createLanguageModel(own, { ...limits, fetch: guardedFetch });
    } catch (error) {
      ctx.log.error({ err: error }, "the key of the site's language model can't be decrypted");
      return undefined;
    }
  }

  return {
    environment:
      settings?.model === undefined ? undefined : { provider: settings.provider, model: settings.model },
    articlesMaxChars,
    async of(ctx) {
      const key = String(ctx.site.id);
      const kept = known.get(key);
      if (kept) return kept.model;
      const before = notices;
      const model = await read(ctx);
      if (notices === before) known.set(key, { model }, ctx.site.id);
      return model;
    },
    forget(siteId) {
      notices += 1;
      if (siteId === undefined) known.clear();
      else known.deleteSite(siteId);
    },
  };
}

declare module '../core/context.ts' {
  interface Services {
    readonly languageModels: LanguageModels;
  }
}
