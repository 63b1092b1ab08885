import type {
  Challenges,
  Language,
  OfficeHours,
  Plan,
  PreChatField,
  ProactiveHours,
  ProactiveRule,
  Redaction,
  Survey,
  UploadLimits,
  WeeklyHours,
} from '@foyer/protocol';
import { sql } from 'kysely';
import { type BoundedCache, createBoundedCache } from '../base/bounded-cache.ts';
import type { Db } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { LookRow } from './look.ts';

/** A proactive message as far as a page needs it, and its schedule. */
export interface ProactiveSchedule extends ProactiveRule {
  from_date: string | null;
  until_date: string | null;
  hours: ProactiveHours;
  weekly: WeeklyHours | null;
}

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
  readonly challenges: Challenges;
  readonly redaction: Redaction;
  readonly emailOfferAfterS: number;
  readonly allowedOrigins: string[];
  readonly officeHours: OfficeHours | null;
  readonly timeZone: string;
  /** The enabled proactive messages in their order: when and where pages ask to show one. */
  readonly proactive: ProactiveSchedule[];
  readonly uploads: UploadLimits;
  /** Whether the site has its own mail server, regardless of the installation's. */
  readonly hasMailServer: boolean;
  /** Whether it blocks anything. */
  readonly hasBlocks: boolean;
  /** Whether an SLA policy applies to chats: then each message has its chat's due times checked. */
  readonly hasChatSlas: boolean;
  readonly helpSlug: string | null;
  readonly helpTitle: string;
  readonly helpIntro: string;
  readonly helpEnabled: boolean;
  readonly helpIndexed: boolean;
}

/** How long a change can go unseen if its notice is lost. */
const KEEP_MS = 10_000;
/** A site takes 2 to 4 kB. */
const KEEP_MAX = 10_000;
const UNSETTLED_MAX = 1_000;

export interface SiteDirectory {
  byKey(publicKey: string): Promise<KnownSite | undefined>;
  byId(id: number): Promise<KnownSite | undefined>;
  /** Finds a site by the current or an earlier address of its help centre. */
  byHelpSlug(slug: string): Promise<KnownSite | undefined>;
  /** The oldest site. */
  first(): Promise<KnownSite | undefined>;
  /** Call it on a notice of kind `site`; without an id, when notices may have been missed. */
  forget(siteId?: number): void;
}

const proactiveOf = sql<ProactiveSchedule[]>`coalesce((
  select json_agg(json_build_object(
    'id', p.id, 'pages', p.pages, 'except_pages', p.except_pages, 'after_s', p.after_s, 'min_visits', p.min_visits,
    'from_date', p.from_date, 'until_date', p.until_date, 'hours', p.hours, 'weekly', p.weekly) order by p.position, p.id)
  from proactive_messages p where p.site_id = sites.id and p.enabled_at is not null), '[]')`;

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
      'challenges',
      'redaction',
      'email_offer_after_s as emailOfferAfterS',
      'allowed_origins as allowedOrigins',
      'office_hours as officeHours',
      'time_zone as timeZone',
      'help_slug as helpSlug',
      'help_title as helpTitle',
      'help_intro as helpIntro',
      'help_enabled as helpEnabled',
      'help_indexed as helpIndexed',
      sql<UploadLimits>`jsonb_build_object('max_bytes', upload_max_bytes, 'max_files', upload_max_files, 'kinds', upload_kinds)`.as(
        'uploads',
      ),
      sql<boolean>`exists (select from mail_settings m where m.site_id = sites.id)`.as('hasMailServer'),
      sql<boolean>`exists (select from blocked_senders b where b.site_id = sites.id)`.as('hasBlocks'),
      sql<boolean>`exists (
        select from sla_policies p where p.site_id = sites.id and p.applies_to @> '["chats"]'::jsonb)`.as(
        'hasChatSlas',
      ),
      proactiveOf.as('proactive'),
    ])
    .modifyEnd(prepared);

const selectByHelpSlug = (db: Db, slug: string) =>
  selectSites(db).where((eb) =>
    eb.or([
      eb('help_slug', '=', slug),
      eb('public_key', '=', slug),
      eb('id', '=', eb.selectFrom('help_slug_redirects as f').select('f.site_id').where('f.slug', '=', slug)),
    ]),
  );

/**
 * Caches sites for strangers' requests, which would otherwise cost a statement each. A site is cached once, however it
 * is found. Unknown addresses are cached too, separately, so that invented ones displace no site.
 */
export function createSiteDirectory(db: Db, now: () => Date): SiteDirectory {
  return new CachedSites(db, now);
}

class CachedSites implements SiteDirectory {
  readonly #db: Db;
  readonly #sites: BoundedCache<KnownSite>;
  /** The ids of sites by public key and by address of the help centre. */
  readonly #ids: BoundedCache<number>;
  /** Addresses that no site has, or that redirect: any site may take them over. */
  readonly #unsettled: BoundedCache<number | null>;
  /** Increases with each `forget`: results read before may be older than the change. */
  #generation = 0;

  constructor(db: Db, now: () => Date) {
    this.#db = db;
    this.#sites = createBoundedCache({ max: KEEP_MAX, ttlMs: KEEP_MS, now });
    this.#ids = createBoundedCache({ max: 2 * KEEP_MAX, ttlMs: KEEP_MS, now });
    this.#unsettled = createBoundedCache({ max: UNSETTLED_MAX, ttlMs: KEEP_MS, now });
  }

  async byId(id: number): Promise<KnownSite | undefined> {
    const known = this.#sites.get(String(id));
    if (known) return known;
    const generation = this.#generation;
    const site = await selectSites(this.#db).where('id', '=', id).executeTakeFirst();
    if (site) this.#keep(site, generation);
    return site;
  }

  async byKey(publicKey: string): Promise<KnownSite | undefined> {
    if (!/^pk_[A-Za-z0-9_-]{1,100}$/.test(publicKey)) return undefined;
    return this.#find(`key ${publicKey}`, () =>
      selectSites(this.#db).where('public_key', '=', publicKey).executeTakeFirst(),
    );
  }

  byHelpSlug(slug: string): Promise<KnownSite | undefined> {
    return this.#find(
      `help ${slug}`,
      () => selectByHelpSlug(this.#db, slug).executeTakeFirst(),
      ({ helpSlug, publicKey }) => slug === helpSlug || slug === publicKey,
    );
  }

  first(): Promise<KnownSite | undefined> {
    return selectSites(this.#db).orderBy('id').limit(sql.lit(1)).executeTakeFirst();
  }

  forget(siteId?: number): void {
    this.#generation += 1;
    this.#unsettled.clear();
    for (const cache of [this.#sites, this.#ids]) {
      if (siteId === undefined) cache.clear();
      else cache.deleteSite(siteId);
    }
  }

  /** @param isOwn whether the address is the site's own, rather than a redirect */
  async #find(
    address: string,
    read: () => Promise<KnownSite | undefined>,
    isOwn: (site: KnownSite) => boolean = () => true,
  ): Promise<KnownSite | undefined> {
    const id = this.#ids.get(address) ?? this.#unsettled.get(address);
    if (id === null) return undefined;
    const known = id === undefined ? undefined : this.#sites.get(String(id));
    if (known) return known;
    const generation = this.#generation;
    const site = await read();
    if (site) this.#keep(site, generation);
    if (generation !== this.#generation) return site;
    if (site && isOwn(site)) this.#ids.set(address, site.id, site.id);
    else this.#unsettled.set(address, site?.id ?? null);
    return site;
  }

  #keep(site: KnownSite, generation: number): void {
    if (generation === this.#generation) this.#sites.set(String(site.id), site, site.id);
  }
}
