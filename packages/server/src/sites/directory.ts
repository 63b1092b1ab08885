import type { Language, OfficeHours, Plan, PreChatField, Survey, UploadLimits } from '@foyer/protocol';
import { sql } from 'kysely';
import { createBoundedCache } from '../base/bounded-cache.ts';
import type { Db } from '../db/database.ts';
import type { LookRow } from './look.ts';

/** What every page view, widget and job needs to know about a site. */
export interface KnownSite extends LookRow {
  readonly id: number;
  readonly plan: Plan;
  readonly publicKey: string;
  readonly name: string;
  readonly language: Language;
  readonly languages: Language[];
  readonly preChat: PreChatField[];
  readonly survey: Survey;
  readonly greeting: string;
  readonly sound: boolean;
  readonly typingPreview: boolean;
  /** Whether pages store and send nothing about visitors until they consent or open the chat. */
  readonly consent: boolean;
  readonly liveVisitors: boolean;
  readonly emailOfferAfterS: number;
  readonly allowedOrigins: string[];
  readonly officeHours: OfficeHours | null;
  readonly uploads: UploadLimits;
  /** Whether the site has its own mail server, regardless of the installation's. */
  readonly hasMailServer: boolean;
  readonly helpSlug: string | null;
  readonly helpTitle: string;
  readonly helpIntro: string;
  readonly helpEnabled: boolean;
  readonly helpIndexed: boolean;
}

/** How long a change can go unseen if its notice is lost. */
const KEEP_MS = 10_000;
const KEEP_MAX = 1_000;

export interface SiteDirectory {
  byKey(publicKey: string): Promise<KnownSite | undefined>;
  byId(id: number): Promise<KnownSite | undefined>;
  /** Finds a site by the current or an earlier address of its help centre. */
  byHelpSlug(slug: string): Promise<KnownSite | undefined>;
  /** The oldest site. */
  first(): Promise<KnownSite | undefined>;
  /** Call it on a notice of kind `site`, and when notices may have been missed. */
  forget(): void;
}

const selectSites = (db: Db) =>
  db
    .selectFrom('sites')
    .select([
      'id',
      'plan',
      'public_key as publicKey',
      'name',
      'color',
      'position',
      'theme',
      'launcher_text',
      'logo',
      'language',
      'languages',
      'pre_chat as preChat',
      'survey',
      'greeting',
      'sound',
      'typing_preview as typingPreview',
      'consent',
      'live_visitors as liveVisitors',
      'email_offer_after_s as emailOfferAfterS',
      'allowed_origins as allowedOrigins',
      'office_hours as officeHours',
      'help_slug as helpSlug',
      'help_title as helpTitle',
      'help_intro as helpIntro',
      'help_enabled as helpEnabled',
      'help_indexed as helpIndexed',
      sql<UploadLimits>`jsonb_build_object('max_bytes', upload_max_bytes, 'max_files', upload_max_files, 'kinds', upload_kinds)`.as(
        'uploads',
      ),
      sql<boolean>`exists (select from mail_settings m where m.site_id = sites.id)`.as('hasMailServer'),
    ]);

const selectByHelpSlug = (db: Db, slug: string) =>
  selectSites(db).where((eb) =>
    eb.or([
      eb('help_slug', '=', slug),
      eb('public_key', '=', slug),
      eb('id', '=', eb.selectFrom('help_slug_redirects as f').select('f.site_id').where('f.slug', '=', slug)),
    ]),
  );

/**
 * Caches sites for strangers' requests, which would otherwise cost a statement each. Unknown keys are cached too.
 */
export function createSiteDirectory(db: Db, now: () => Date): SiteDirectory {
  const cached = (read: (key: string) => Promise<KnownSite | undefined>) => {
    const cache = createBoundedCache<KnownSite | null>({ max: KEEP_MAX, ttlMs: KEEP_MS, now });
    const find = async (key: string): Promise<KnownSite | undefined> => {
      const known = cache.get(key);
      if (known !== undefined) return known ?? undefined;
      const site = await read(key);
      cache.set(key, site ?? null);
      return site;
    };
    return { find, clear: () => cache.clear() };
  };
  const byKey = cached((key) => selectSites(db).where('public_key', '=', key).executeTakeFirst());
  const byId = cached((id) => selectSites(db).where('id', '=', Number(id)).executeTakeFirst());
  const byHelpSlug = cached((slug) => selectByHelpSlug(db, slug).executeTakeFirst());
  return {
    byKey: async (publicKey) =>
      /^pk_[A-Za-z0-9_-]{1,100}$/.test(publicKey) ? byKey.find(publicKey) : undefined,
    byId: (id) => byId.find(String(id)),
    byHelpSlug: byHelpSlug.find,
    first: () => selectSites(db).orderBy('id').limit(1).executeTakeFirst(),
    forget() {
      for (const cache of [byKey, byId, byHelpSlug]) cache.clear();
    },
  };
}
