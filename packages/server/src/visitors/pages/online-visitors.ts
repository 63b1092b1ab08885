import {
  HERE_COUNT_MAX,
  type OutputOf,
  type ParsedInputOf,
  type SessionStatus,
  type VisitorHere,
} from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { cursorId, pageOf } from '../../db/keyset.ts';
import { isOpen } from './pages.ts';

interface OnlineRow {
  id: number;
  url: string;
  title: string | null;
  referrer: string | null;
  opened_at: Date;
  came_at: Date;
  verified: boolean;
  is_recorded: boolean;
  key: string;
  name: string | null;
  email: string | null;
  blocked: boolean;
  user_agent: string | null;
  tabs: number;
  session_id: string | null;
  status: SessionStatus | null;
  agent_id: number | null;
  agent_name: string | null;
}

/** What a page that is open says of the one who looks at it. */
export const presentOpenPage = (
  row: Pick<OnlineRow, 'url' | 'title' | 'referrer' | 'opened_at' | 'came_at'>,
) => ({
  page_url: row.url,
  page_title: row.title,
  referrer: row.referrer,
  page_since_utc: row.opened_at.toISOString(),
  since_utc: row.came_at.toISOString(),
});

const present = (row: OnlineRow): VisitorHere => ({
  ...presentOpenPage(row),
  visitor: { key: row.key, name: row.name, email: row.email },
  recorded: row.is_recorded,
  verified: row.verified,
  blocked: row.blocked,
  user_agent: row.user_agent,
  tabs: row.tabs,
  chat:
    row.session_id === null || row.status === null
      ? null
      : {
          session_id: row.session_id,
          status: row.status,
          agent: row.agent_id === null ? null : { id: row.agent_id, name: row.agent_name ?? '' },
        },
});

/** Of each visitor, and of each guest, the page that was opened last. */
const newestPages = (ctx: SiteContext): RawBuilder<unknown> => sql`
  visitor_pages p
  where p.site_id = ${ctx.site.id} and ${isOpen(ctx.now())} and not exists (
    select from visitor_pages later
    where later.site_id = p.site_id and later.visitor_id = p.visitor_id and later.id > p.id
      and ${isOpen(ctx.now(), 'later')}
  ) and not exists (
    select from visitor_pages later
    where later.site_id = p.site_id and later.guest_token = p.guest_token and later.id > p.id
      and ${isOpen(ctx.now(), 'later')}
  )`;

/** How many pages the visitor or guest of the page `newest` has open. */
const tabsOf = (ctx: SiteContext): RawBuilder<number> => {
  const openPages = sql`select count(*)::int from visitor_pages p
    where p.site_id = newest.site_id and ${isOpen(ctx.now())}`;
  return sql`case when newest.visitor_id is null then (${openPages} and p.guest_token = newest.guest_token)
    else (${openPages} and p.visitor_id = newest.visitor_id) end`;
};

/** Who is on the site now, in every process: who has opened a page last comes first. */
export async function listOnlineVisitors(
  ctx: SiteContext,
  { limit, cursor, order }: ParsedInputOf<'visitors.here'>,
): Promise<OutputOf<'visitors.here'>> {
  const { db } = ctx;
  const after = cursorId(cursor);
  const direction = sql.raw(order);
  const beyond = after === undefined ? sql`true` : sql`p.id ${order === 'asc' ? sql`>` : sql`<`} ${after}`;
  const { rows } = await sql<OnlineRow>`
    select newest.id, newest.url, newest.title, newest.referrer, newest.opened_at, newest.came_at, newest.verified,
      v.id is not null as is_recorded,      coalesce(v.key, newest.guest_key) as key, v.name, v.email, v.blocked_at is not null as blocked,
      coalesce(d.user_agent, newest.guest_browser ->> 'userAgent') as user_agent, ${tabsOf(ctx)} as tabs,
      c.session_id, c.status, c.agent_id, a.name as agent_name
    from (select p.* from ${newestPages(ctx)} and ${beyond} order by p.id ${direction} limit ${limit + 1}) newest
    left join visitors v on v.site_id = newest.site_id and v.erased_at is null
      and v.id = coalesce(newest.visitor_id, (
        select k.id from visitors k
        where k.site_id = newest.site_id and k.key = newest.guest_key and k.erased_at is null
      ))
    left join visitor_devices d on d.site_id = newest.site_id and d.id = newest.device_id
    left join lateral (
      select session_id, status, agent_id from conversations c
      where c.site_id = v.site_id and c.visitor_id = v.id and c.status <> 'closed' order by c.id desc limit 1
    ) c on true
    left join agents a on a.site_id = newest.site_id and a.id = c.agent_id
    order by newest.id ${direction}`.execute(db);
  return pageOf(rows, limit, (row) => [row.id], present);
}

/** How many are on the site now, up to `HERE_COUNT_MAX`. */
export async function countOnlineVisitors(ctx: SiteContext): Promise<OutputOf<'visitors.count_here'>> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from ${newestPages(ctx)} limit ${HERE_COUNT_MAX}) here`.execute(
    ctx.db,
  );
  return { count: rows[0]?.count ?? 0 };
}
