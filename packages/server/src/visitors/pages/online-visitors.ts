import type { SessionStatus, VisitorHere } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { countryOfTimeZone } from '../live/country.ts';
import { isOpen } from './pages.ts';

/** A visitor whose chat is connected, with the most recently opened page. */
export interface OnlineRow extends OpenChatRow {
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
  time_zone: string | null;
  tabs: number;
}

/** What an open page says about its visitor. */
export const presentOpenPage = (
  row: Pick<OnlineRow, 'url' | 'title' | 'referrer' | 'opened_at' | 'came_at'>,
) => ({
  page_url: row.url,
  page_title: row.title,
  referrer: row.referrer,
  page_since_utc: row.opened_at.toISOString(),
  since_utc: row.came_at.toISOString(),
});

/** A visitor whose chat is connected, as in the list. */
export const presentOnline = (row: OnlineRow): VisitorHere => ({
  ...presentOpenPage(row),
  visitor: { key: row.key, name: row.name, email: row.email },
  recorded: row.is_recorded,
  verified: row.verified,
  blocked: row.blocked,
  user_agent: row.user_agent,
  tabs: row.tabs,
  pages: null,
  country: countryOfTimeZone(row.time_zone),
  has_chat: true,
  chat: presentOpenChat(row),
});

export interface OpenChatRow {
  session_id: string | null;
  status: SessionStatus | null;
  agent_id: number | null;
  agent_name: string | null;
}

/** The open chat of a visitor on the site. */
export const presentOpenChat = ({
  session_id,
  status,
  agent_id,
  agent_name,
}: OpenChatRow): VisitorHere['chat'] =>
  session_id === null || status === null
    ? null
    : { session_id, status, agent: agent_id === null ? null : { id: agent_id, name: agent_name ?? '' } };

/** The most recently opened page of each visitor and each guest. */
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

/** How many pages the visitor or guest of page `newest` has open. */
const tabsOf = (ctx: SiteContext): RawBuilder<number> => {
  const openPages = sql`select count(*)::int from visitor_pages p
    where p.site_id = newest.site_id and ${isOpen(ctx.now())}`;
  return sql`case when newest.visitor_id is null then (${openPages} and p.guest_token = newest.guest_token)
    else (${openPages} and p.visitor_id = newest.visitor_id) end`;
};

/** The newest open chat of visitor `v` and its agent, as `OpenChatRow`. */
export const OPEN_CHAT_COLUMNS = sql.raw('c.session_id, c.status, c.agent_id, a.name as agent_name');
export const OPEN_CHAT_JOINS = sql.raw(`
  left join lateral (
    select session_id, status, agent_id from conversations c
    where c.site_id = v.site_id and c.visitor_id = v.id and c.status <> 'closed' and c.spam_at is null
    order by c.id desc limit 1
  ) c on true
  left join agents a on a.site_id = v.site_id and a.id = c.agent_id`);

/**
 * The visitors whose chat is connected now to any process, most recently opened page first. Each visitor is looked
 * up separately (`limit 1`): for hundreds, PostgreSQL would read all visitors of the site.
 */
export async function listOnline(ctx: SiteContext, limit: number): Promise<OnlineRow[]> {
  const { rows } = await sql<OnlineRow>`
    select newest.id, newest.url, newest.title, newest.referrer, newest.opened_at, newest.came_at, newest.verified,
      v.id is not null as is_recorded, coalesce(v.key, newest.guest_key) as key, v.name, v.email,
      v.blocked_at is not null as blocked,
      coalesce(d.user_agent, newest.guest_browser ->> 'userAgent') as user_agent,
      coalesce(d.time_zone, newest.guest_browser ->> 'timeZone') as time_zone, ${tabsOf(ctx)} as tabs,
      ${OPEN_CHAT_COLUMNS}
    from (select p.* from ${newestPages(ctx)} order by p.id desc limit ${limit}) newest
    left join lateral (
      select v.* from visitors v
      where v.site_id = newest.site_id and v.erased_at is null and v.id = coalesce(newest.visitor_id, (
        select k.id from visitors k
        where k.site_id = newest.site_id and k.key = newest.guest_key and k.erased_at is null
      ))
      limit 1
    ) v on true
    left join visitor_devices d on d.site_id = newest.site_id and d.id = newest.device_id
    ${OPEN_CHAT_JOINS}
    order by newest.id desc`.execute(ctx.db);
  return rows;
}

/** The keys of visitors whose chat is connected now, up to `limit`. */
export async function onlineKeys(ctx: SiteContext, limit: number): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select coalesce(newest.guest_key, (
      select v.key from visitors v where v.site_id = newest.site_id and v.id = newest.visitor_id
    )) as key
    from (select p.* from ${newestPages(ctx)} limit ${limit}) newest`.execute(ctx.db);
  return new Set(rows.map(({ key }) => key));
}
