import {
  CHATS_OF_QUEUE,
  type DueState,
  TICKET_STATUSES,
  VIEW_COUNT_MAX,
  type ViewList,
} from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { chatConditions } from '../../conversations/lists/chat-filter.ts';
import { inQueue } from '../../conversations/lists/queues.ts';
import type { SiteContext } from '../../core/context.ts';
import { isDue } from '../../sla/due-filter.ts';
import { isInState } from '../../tickets/views/filter.ts';
import { ticketConditions } from '../../tickets/views/inbox-filter.ts';
import { conditionOf, inParts, type Part, partsFor } from '../../tickets/views/queues.ts';
import {
  type Count,
  cacheOf,
  countBy,
  KEPT_FROM,
  LOOKED_AT_MAX,
  type Look,
} from '../../tickets/views/view-counts.ts';

type Condition = RawBuilder<SqlBool>;

const DONE: readonly string[] = ['solved', 'closed'];

/** Like queues: closed and solved records aren't counted. */
export const hasCount = ({ queue, status }: ViewList): boolean =>
  queue === undefined
    ? status !== undefined && !DONE.includes(status)
    : queue !== 'closed' && !DONE.includes(status ?? '');

const CHAT_COLUMNS = sql`
  c.site_id, c.id, c.visitor_id, c.agent_id, c.team_id, c.status, c.started_at, c.said_at, c.page_url, c.language`;

const isTicketStatus = (status: string): boolean => TICKET_STATUSES.some((one) => one === status);

/** The tickets that are due first, along their index. */
const ticketsDue = (ctx: SiteContext, [part]: readonly Part[], due: DueState): RawBuilder<unknown> =>
  sql`tickets t where t.site_id = ${ctx.site.id} and ${isInState(part ?? {})} and ${isDue(due, ctx.now())}
    order by t.sla_due_at, t.id limit ${LOOKED_AT_MAX}`;

/** The tickets of these parts with the latest activity, each along its index. */
function ticketsIn(ctx: SiteContext, parts: readonly Part[]): RawBuilder<unknown> {
  const latest = sql`order by t.last_activity_at desc, t.id desc limit ${LOOKED_AT_MAX}`;
  const walks = parts.map(
    (part) => sql`(select t.* from tickets t where ${conditionOf(ctx, part)} ${latest})`,
  );
  const [only] = walks;
  if (only && walks.length === 1) return sql`${only} t`;
  return sql`(${sql.join(walks, sql` union all `)}) t ${latest}`;
}

const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`;

/** Lists that read the same rows share one scan. */
class Looks {
  readonly #looks = new Map<string, Look>();

  add(key: string, place: number, chosen: Condition, start: () => RawBuilder<unknown>): void {
    const look = this.#looks.get(key) ?? { start: start(), views: [] };
    this.#looks.set(key, look);
    look.views.push({ place, chosen });
  }

  get all(): Look[] {
    return [...this.#looks.values()];
  }
}

async function addTickets(ctx: SiteContext, looks: Looks, list: ViewList, place: number): Promise<void> {
  const { queue, status, assignee_id, due } = list;
  const conditions = await ticketConditions(ctx, list);
  const parts = conditions ? partsFor(ctx, queue, list) : [];
  if (!conditions || parts.length === 0) return;
  const key = JSON.stringify([queue, status, assignee_id, due]);
  const chosen = due === undefined ? conditions : [inParts(ctx, parts), ...conditions];
  looks.add(key, place, all(chosen), () =>
    due === undefined ? ticketsIn(ctx, parts) : ticketsDue(ctx, parts, due),
  );
}

async function addChats(ctx: SiteContext, looks: Looks, list: ViewList, place: number): Promise<void> {
  const { queue, status } = list;
  const conditions = await chatConditions(ctx, list);
  // Without a queue, only open chats are counted.
  const ofChats = queue === undefined ? 'open' : CHATS_OF_QUEUE[queue];
  if (!conditions || ofChats === null || (status !== undefined && isTicketStatus(status))) return;
  looks.add(
    ofChats,
    place,
    all(conditions),
    () =>
      sql`conversations c where c.site_id = ${ctx.site.id} and ${inQueue(ctx, ofChats)} limit ${LOOKED_AT_MAX}`,
  );
}

/**
 * The number of chats and tickets in each list, at most VIEW_COUNT_MAX. Only the LOOKED_AT_MAX tickets with the
 * latest activity, and as many chats, are read, so a count costs the same however large the site is.
 */
export async function countLists(ctx: SiteContext, lists: readonly ViewList[]): Promise<number[]> {
  const cache = cacheOf(ctx);
  const agent = ctx.actor.kind === 'agent' ? ctx.actor.agentId : 0;
  const keys = lists.map((list) => `${ctx.site.id} list ${agent} ${JSON.stringify(list)}`);
  const counts = keys.map((key) => cache.get(key));
  const tickets = new Looks();
  const chats = new Looks();
  for (const [place, list] of lists.entries()) {
    if (counts[place] !== undefined) continue;
    await addTickets(ctx, tickets, list, place);
    await addChats(ctx, chats, list, place);
  }
  const statements = [
    ...tickets.all.map((look) => countBy(look)),
    ...chats.all.map((look) => countBy(look, CHAT_COLUMNS, 'c')),
  ];
  const found = new Map<number, Count>();
  if (statements.length > 0) {
    const { rows } = await sql<Count>`${sql.join(
      statements.map((statement) => sql`(${statement})`),
      sql` union all `,
    )}`.execute(ctx.db);
    for (const { place, count, looked_at } of rows) {
      const known = found.get(place);
      const both = count + (known?.count ?? 0);
      const looked = looked_at + (known?.looked_at ?? 0);
      found.set(place, { place, count: Math.min(both, VIEW_COUNT_MAX), looked_at: looked });
    }
  }
  for (const { place, count, looked_at } of found.values())
    if (looked_at >= KEPT_FROM) cache.set(keys[place] ?? '', count);
  return lists.map((_, place) => counts[place] ?? found.get(place)?.count ?? 0);
}
