import type { Language, OfficeHours, Plan, PreChatField, Survey, UploadLimits } from '@foyer/protocol';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { createBoundedCache } from './bounded-cache.ts';
import type { LookRow } from './look.ts';

/** What every page view, widget and job asks of a site. */
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
  /** Pages keep and send nothing of a visitor before they say so, or a chat is opened. */
  readonly consent: boolean;
  readonly emailOfferAfterS: number;
  readonly allowedOrigins: string[];
  readonly officeHours: OfficeHours | null;
  readonly uploads: UploadLimits;
  readonly helpSlug: string | null;
  readonly helpTitle: string;
  readonly helpIntro: string;
  readonly helpEnabled: boolean;
  readonly helpIndexed: boolean;
}

/** A second net behind the notices, should one be lost. */
const KEEP_MS = 10_000;
const KEEP_MAX = 1_000;

export interface SiteDirectory {
  byKey(publicKey: string): Promise<KnownSite | undefined>;
  byId(id: number): Promise<KnownSite | undefined>;
  /** The site whose help centre has this address, or had it before, or has this public key. */
  byHelpSlug(slug: string): Promise<KnownSite | undefined>;
  /** The site that was made first. */
  first(): Promise<KnownSite | undefined>;
  /** On a notice of kind `site`, and when notices may have been missed. */
  forget(): void;
}

/** Sites as they are asked for by strangers, without a statement each time. */
export function createSiteDirectory(db: Db, now: () => Date): SiteDirectory {
  const options = { max: KEEP_MAX, ttlMs: KEEP_MS, now };
  const byKey = createBoundedCache<KnownSite | null>(options);
  const byId = createBoundedCache<KnownSite | null>(options);
  const byHelpSlug = createBoundedCache<KnownSite | null>(options);
  const sites = () =>
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
      ]);
  return {
    async byKey(publicKey) {
      if (!/^pk_[A-Za-z0-9_-]{1,100}$/.test(publicKey)) return undefined;
      const known = byKey.get(publicKey);
      if (known !== undefined) return known ?? undefined;
      const site = await sites().where('public_key', '=', publicKey).executeTakeFirst();
      byKey.set(publicKey, site ?? null);
      return site;
    },
    async byId(id) {
      const known = byId.get(String(id));
      if (known !== undefined) return known ?? undefined;
      const site = await sites().where('id', '=', id).executeTakeFirst();
      byId.set(String(id), site ?? null);
      return site;
    },
    async byHelpSlug(slug) {
      const known = byHelpSlug.get(slug);
      if (known !== undefined) return known ?? undefined;
      const site = await sites()
        .where((eb) =>
          eb.or([
            eb('help_slug', '=', slug),
            eb('public_key', '=', slug),
            eb(
              'id',
              '=',
              eb.selectFrom('former_help_slugs as f').select('f.site_id').where('f.slug', '=', slug),
            ),
          ]),
        )
        .executeTakeFirst();
      byHelpSlug.set(slug, site ?? null);
      return site;
    },
    first: () => sites().orderBy('id').limit(1).executeTakeFirst(),
    forget() {
      byKey.clear();
      byId.clear();
      byHelpSlug.clear();
    },
  };
}
