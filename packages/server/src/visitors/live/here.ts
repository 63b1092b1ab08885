import {
  HERE_COUNT_MAX,
  HERE_LISTED_MAX,
  type OutputOf,
  type ParsedInputOf,
  type VisitorHere,
} from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { decodeCursor, pageOf } from '../../db/keyset.ts';
import {
  listOnline,
  type OnlineRow,
  OPEN_CHAT_COLUMNS,
  OPEN_CHAT_JOINS,
  type OpenChatRow,
  onlineKeys,
  presentOnline,
  presentOpenChat,
} from '../pages/online-visitors.ts';
import type { LiveVisitor } from './live-visitors.ts';

/** A visitor on the site, known by the chat's connection, by reports of their pages, or by both. */
interface Here {
  key: string;
  openedAt: number;
  /** Tie-breaker for visitors who came at the same time. */
  order: number;
  online?: OnlineRow;
  live?: LiveVisitor;
}

interface PersonRow extends OpenChatRow {
  key: string;
  name: string | null;
  email: string | null;
  blocked: boolean;
}

/** This many hex digits fit a safe integer. */
const ORDER_DIGITS = 12;

/** Every visitor once, the most recently opened page first. */
function merge(online: readonly OnlineRow[], live: readonly LiveVisitor[]): Here[] {
  const byKey = new Map<string, Here>();
  for (const one of live) {
    const order = Number.parseInt(one.tab.slice(0, ORDER_DIGITS), 16);
    byKey.set(one.key, { key: one.key, openedAt: one.openedAt, order, live: one });
  }
  for (const row of online) {
    const known = byKey.get(row.key)?.live;
    const here = { key: row.key, openedAt: row.opened_at.getTime(), order: row.id, online: row };
    byKey.set(row.key, known ? { ...here, live: known } : here);
  }
  return [...byKey.values()].sort((a, b) => b.openedAt - a.openedAt || b.order - a.order);
}

/** The stored data of visitors who are known only by their pages' reports. */
async function peopleOf({ db, site }: SiteContext, keys: readonly string[]): Promise<Map<string, PersonRow>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<PersonRow>`
    select v.key, v.name, v.email, v.blocked_at is not null as blocked, ${OPEN_CHAT_COLUMNS}
    from visitors v ${OPEN_CHAT_JOINS}
    where v.site_id = ${site.id} and v.key = any(${keys}) and v.erased_at is null`.execute(db);
  return new Map(rows.map((row) => [row.key, row]));
}

const utc = (ms: number): string => new Date(ms).toISOString();

function presentLive(live: LiveVisitor, person: PersonRow | undefined): VisitorHere {
  return {
    page_url: live.url,
    page_title: live.title,
    referrer: live.referrer,
    page_since_utc: utc(live.openedAt),
    since_utc: utc(live.cameAt),
    visitor: { key: live.key, name: person?.name ?? null, email: person?.email ?? null },
    recorded: person !== undefined,
    verified: false,
    blocked: person?.blocked ?? false,
    user_agent: live.userAgent,
    tabs: live.tabs,
    pages: live.pages,
    country: live.country,
    has_chat: false,
    chat: person ? presentOpenChat(person) : null,
  };
}

/** The chat's connection knows the page and the person; the reports know when the visit began. */
function presentBoth(row: OnlineRow, live: LiveVisitor): VisitorHere {
  const known = presentOnline(row);
  return {
    ...known,
    since_utc: utc(Math.min(row.came_at.getTime(), live.cameAt)),
    referrer: live.referrer ?? known.referrer,
    tabs: Math.max(known.tabs, live.tabs),
    pages: live.pages,
    country: known.country ?? live.country,
  };
}

/** The visitors on the site now, connected to any process: the newest `HERE_LISTED_MAX`. */
export async function listHere(
  ctx: SiteContext,
  { limit, cursor, order }: ParsedInputOf<'visitors.here'>,
): Promise<OutputOf<'visitors.here'>> {
  const [openedAt, number] = decodeCursor(cursor, 2) ?? [];
  const { visitors } = ctx.services.liveVisitors.of(ctx.site.id);
  const all = merge(await listOnline(ctx, HERE_LISTED_MAX), visitors).slice(0, HERE_LISTED_MAX);
  if (order === 'asc') all.reverse();
  const isBehind = (here: Here): boolean => {
    if (openedAt === undefined || number === undefined) return true;
    const ahead = here.openedAt - openedAt || here.order - number;
    return order === 'asc' ? ahead > 0 : ahead < 0;
  };
  const rows = all.filter(isBehind).slice(0, limit + 1);
  const people = await peopleOf(
    ctx,
    rows.filter(({ online }) => !online).map(({ key }) => key),
  );
  const present = ({ key, online, live }: Here): VisitorHere => {
    if (online && live) return presentBoth(online, live);
    if (online) return presentOnline(online);
    if (live) return presentLive(live, people.get(key));
    throw new Error('somebody is on the site by no account');
  };
  return pageOf(rows, limit, (row) => [row.openedAt, row.order], present);
}

/** The number of visitors on the site now, up to `HERE_COUNT_MAX`. */
export async function countHere(ctx: SiteContext): Promise<OutputOf<'visitors.count_here'>> {
  const { visitors, beyond } = ctx.services.liveVisitors.of(ctx.site.id);
  const keys = await onlineKeys(ctx, HERE_COUNT_MAX);
  for (const { key } of visitors) keys.add(key);
  return { count: Math.min(keys.size + beyond, HERE_COUNT_MAX) };
}
