import type { SnippetSighting } from '@foyer/protocol';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { createBoundedCache } from '../base/bounded-cache.ts';
import type { SiteContext } from '../core/context.ts';
import type { PublicAddress } from '../core/public-address.ts';
import type { Db } from '../db/database.ts';

/** How often a page in use is noted. */
const NOTE_AGAIN_MS = 30_000;
const REMEMBERED_MAX = 10_000;
/** Origins per site. Anybody can invent one; beyond the limit the oldest is dropped. */
const ORIGINS_MAX = 20;
/** The maximum number of writes per site and process in NOTE_AGAIN_MS, however many origins are invented. */
const NOTES_MAX = 40;
const PAGE_MAX = 500;

/** Records the pages on which snippets run. */
export interface SnippetSightings {
  /** @param url the full address of a page, or only its origin. Failures are only logged */
  note(siteId: number, url: string): void;
}

/** The page without the parts of its address that may be secret; undefined if it is no web page. */
function readPage(url: string): { origin: string; page: string } | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, origin, pathname } = new URL(url);
  if (!/^https?:$/.test(protocol) || origin.length > PAGE_MAX) return undefined;
  return { origin, page: `${origin}${pathname}`.slice(0, PAGE_MAX) };
}

/** Records the websites on which the snippet runs, each origin at intervals. */
export function createSnippetSightings({
  db,
  address,
  log,
  now,
}: {
  db: Db;
  address: PublicAddress;
  log: Logger;
  now: () => Date;
}): SnippetSightings {
  const options = { max: REMEMBERED_MAX, ttlMs: NOTE_AGAIN_MS, now };
  const noted = createBoundedCache<true>(options);
  const written = createBoundedCache<{ times: number }>(options);

  const isNew = (siteId: number, what: string): boolean => {
    const key = `${siteId} ${what}`;
    if (noted.get(key)) return false;
    const count = written.get(String(siteId)) ?? { times: 0 };
    if (count.times === 0) written.set(String(siteId), count);
    if (count.times === NOTES_MAX) return false;
    count.times += 1;
    noted.set(key, true);
    return true;
  };

  const write = async (siteId: number, origin: string, page: string | null): Promise<void> => {
    await sql`
      insert into widget_installs_seen as s (site_id, origin, page_url, seen_at)
      values (${siteId}, ${origin}, ${page}, ${now()})
      on conflict (site_id, origin) do update
      set seen_at = excluded.seen_at, page_url = coalesce(excluded.page_url, s.page_url)`.execute(db);
    await sql`
      delete from widget_installs_seen where site_id = ${siteId} and origin in (
        select origin from widget_installs_seen where site_id = ${siteId}
        order by seen_at desc offset ${ORIGINS_MAX})`.execute(db);
  };

  return {
    note(siteId, url) {
      const seen = readPage(url);
      if (!seen || seen.origin === new URL(address.url).origin) return;
      const { origin } = seen;
      const page = url === origin ? null : seen.page;
      if (!isNew(siteId, page === null ? origin : `${origin} page`)) return;
      write(siteId, origin, page).catch((error) => log.warn({ err: error }, 'recording a page failed'));
    },
  };
}

/** The latest sighting on an allowed page, or else the latest; null if there is none. */
export async function findSighting(
  { db, site }: SiteContext,
  allowedOrigins: readonly string[],
): Promise<SnippetSighting | null> {
  const rows = await db
    .selectFrom('widget_installs_seen')
    .select(['origin', 'page_url', 'seen_at'])
    .where('site_id', '=', site.id)
    .orderBy('seen_at', 'desc')
    .limit(ORIGINS_MAX)
    .execute();
  const isAllowed = (origin: string): boolean =>
    allowedOrigins.length === 0 || allowedOrigins.includes(origin);
  const found = rows.find(({ origin }) => isAllowed(origin)) ?? rows[0];
  if (!found) return null;
  const { origin, page_url, seen_at } = found;
  return { origin, page_url, seen_utc: seen_at.toISOString(), allowed: isAllowed(origin) };
}
