import { sql } from 'kysely';
import type { Guest } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import { ofOpenChat, recordForRules } from '../../core/rules/rule-events.ts';
import type { Db } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { RecurringJob } from '../../jobs/schedule.ts';

/** How often a process confirms that its visitors' pages are open. */
export const PAGES_ALIVE_MS = 30_000;
/** A page that wasn't confirmed for this long counts as left: its process has died. */
const SILENT_MS = 90_000;
const SILENT_EVERY_MS = 30_000;
/** A visitor who returns within this time continues the same visit. */
const VISIT_PAUSE_MS = 30 * 60_000;
/** Lists show a title in one line. */
const TITLE_MAX = 300;
/** How many pages of each visitor are kept, the newest. */
const PAGES_KEPT = 200;

export interface ShownPage {
  url: string;
  title: string | null;
  referrer: string | null;
}

interface PageOpening extends ShownPage {
  deviceId: number;
  verified: boolean;
  /** Identifies the process that has the visitor's connection. */
  node: string;
}

const titleOf = (title: string | null): string | null => title?.slice(0, TITLE_MAX).toWellFormed() ?? null;

/** A condition: a page (`p` or another alias) is open, and its process has confirmed it lately. */
export const isOpen = (now: Date, page = 'p') =>
  sql<boolean>`(${sql.ref(`${page}.left_at`)} is null
    and ${sql.ref(`${page}.alive_at`)} > ${new Date(now.getTime() - SILENT_MS)})`;

/**
 * Records that a visitor opens a page, in one statement: thousands may return at once.
 * @returns undefined once the visitor was erased
 */
export async function openPage(ctx: SiteContext, opening: PageOpening): Promise<number | undefined> {
  const { deviceId, verified, node, url, title, referrer } = opening;
  const { db, site } = ctx;
  const now = ctx.now();
  const visitorId = sql`(select visitor_id from who)`;
  const { rows } = await sql<{ id: number }>`${prepared}
    with who as (
      select d.id as device_id, v.id as visitor_id
      from visitor_devices d join visitors v on v.site_id = d.site_id and v.id = d.visitor_id
      where d.site_id = ${site.id} and d.id = ${deviceId} and v.erased_at is null
      for key share of v
    ), last as (
      select came_at, coalesce(left_at, alive_at) as until from visitor_pages
      where site_id = ${site.id} and visitor_id = ${visitorId} order by id desc limit 1
    ), old as (
      delete from visitor_pages where site_id = ${site.id} and id in (
        select id from visitor_pages where site_id = ${site.id} and visitor_id = ${visitorId}
        order by id desc offset ${sql.lit(PAGES_KEPT - 1)} limit 10
      )
    ), for_rules as (
      ${recordForRules(
        { siteId: site.id, now, cause: ctx.cause },
        ofOpenChat(site.id, visitorId, { event: 'page_viewed', details: { page: url } }),
      )}
    )
    insert into visitor_pages
      (site_id, visitor_id, device_id, verified, url, title, referrer, came_at, opened_at, node, alive_at)
    select ${site.id}, visitor_id, device_id, ${verified}, ${url}, ${titleOf(title)}, ${referrer},
      coalesce((select came_at from last where until > ${new Date(now.getTime() - VISIT_PAUSE_MS)}), ${now}), ${now}, ${node}, ${now}
    from who returning id`.execute(db);
  if (rows[0]) await ctx.emit({ notices: [{ kind: 'visitors_here' }] });
  return rows[0]?.id;
}

interface GuestPageOpening extends ShownPage {
  guest: Guest;
  verified: boolean;
  node: string;
}

/** Records that a guest opens a page: agents see it, but it is deleted once the guest leaves it. */
export async function openGuestPage(
  ctx: SiteContext,
  opening: GuestPageOpening,
): Promise<number | undefined> {
  const { guest, verified, node, url, title, referrer } = opening;
  const { db, site } = ctx;
  const now = ctx.now();
  const { rows } = await sql<{ id: number }>`${prepared}
    insert into visitor_pages
      (site_id, guest_key, guest_token, guest_browser, verified, url, title, referrer, came_at, opened_at, node, alive_at)
    values (${site.id}, ${guest.key}, ${guest.tokenHash}, ${JSON.stringify(guest.browser)}, ${verified}, ${url},
      ${titleOf(title)}, ${referrer}, ${now}, ${now}, ${node}, ${now})
    returning id`.execute(db);
  // The visitor's record may have been created since the page was opened.
  const { rows: devices } = await sql<Adopter>`${prepared}
    select id, visitor_id as "visitorId" from visitor_devices
    where site_id = ${site.id} and token_hash = ${guest.tokenHash}`.execute(db);
  if (devices[0]) await adoptPages(ctx, guest.tokenHash, devices[0]);
  await ctx.emit({ notices: [{ kind: 'visitors_here' }] });
  return rows[0]?.id;
}

interface Adopter {
  id: number;
  visitorId: number;
}

/** Moves a guest's open pages to the visitor that the guest became. */
export async function adoptPages(ctx: SiteContext, token: Buffer, { id, visitorId }: Adopter): Promise<void> {
  await sql`
    update visitor_pages set visitor_id = ${visitorId}, device_id = ${id}, guest_key = null, guest_token = null,
      guest_browser = null
    where site_id = ${ctx.site.id} and guest_token = ${token}`.execute(ctx.db);
}

/** Ends a page: it stays in the visitor's history; a guest's is deleted. */
export async function leavePage(ctx: SiteContext, id: number): Promise<void> {
  const own = sql`site_id = ${ctx.site.id} and id = ${id} and left_at is null`;
  await sql`${prepared}
    with gone as (delete from visitor_pages where ${own} and guest_token is not null)
    update visitor_pages set left_at = ${ctx.now()} where ${own} and guest_token is null`.execute(ctx.db);
  await ctx.emit({ notices: [{ kind: 'visitors_here' }] });
}

/** Confirms that the pages of a process's visitors are open, for all sites. */
export async function keepPagesAlive(db: Db, node: string, now: Date): Promise<void> {
  await sql`update visitor_pages set alive_at = ${now} where node = ${node} and left_at is null`.execute(db);
}

/** For one process, over all sites. Pages of guests are deleted, the others become history. */
export async function leaveAllPages(db: Db, node: string, now: Date): Promise<void> {
  await sql`delete from visitor_pages where node = ${node} and guest_token is not null`.execute(db);
  await sql`update visitor_pages set left_at = ${now} where node = ${node} and left_at is null`.execute(db);
}

const isSilent = (now: Date) => sql`left_at is null and alive_at <= ${new Date(now.getTime() - SILENT_MS)}`;

/** Ends the pages of processes that have died, at the time of their last confirmation. */
export const pageClock: readonly RecurringJob[] = [
  {
    name: 'visitor_pages.leave',
    everyMs: SILENT_EVERY_MS,
    due: ({ now, limit }) => sql`
      select site_id as "siteId", min(id) as id from visitor_pages where ${isSilent(now)}
      group by site_id limit ${limit}`,
    async run(ctx) {
      await ctx.transaction(async (tx) => {
        await sql`
          delete from visitor_pages
          where site_id = ${tx.site.id} and guest_token is not null and ${isSilent(tx.now())}`.execute(tx.db);
        await sql`
          update visitor_pages set left_at = alive_at
          where site_id = ${tx.site.id} and ${isSilent(tx.now())}`.execute(tx.db);
        await tx.emit({ notices: [{ kind: 'visitors_here' }] });
      });
    },
  },
];
