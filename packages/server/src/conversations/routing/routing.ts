import type { RoutingDecision } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { ofChats, triggerRules } from '../../core/rules/rule-events.ts';
import type { StoredReasons } from '../../db/column-types.ts';
import { notifyAssigned } from '../../notifications/notify.ts';
import { lockSite } from '../../sites/sites.ts';
import { loadStaff } from '../../sites/teams/staff.ts';
import { hasReceiver } from '../append/statement.ts';
import { movedEvent } from '../chat-events.ts';
import { announcement, linksOf, type MessageRow, presentMessage } from '../messages.ts';
import { loadSessions } from '../sessions.ts';
import { type Choice, Chooser, type RoutingReasons, type WaitingWork } from './choose.ts';
import { type NewDecision, recordDecisions } from './decisions.ts';

/** Chats per transaction, each of which holds the site's lock. */
const STEP = 250;

/** Where a step ended. The time is a text, because a date of JavaScript has no microseconds. */
interface Place {
  waiting: string;
  id: number;
}

/** Chat `c` waits for somebody to be assigned. */
const isWaiting = sql`c.status = 'waiting' and c.closes_at is null and c.snoozed_until is null and c.spam_at is null`;

/** How many active chats these agents have, not counting snoozed ones. */
async function countActive(tx: SiteContext, agentIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ agent_id: number; count: number }>`
    select c.agent_id, count(*)::int as count from conversations c
    where c.site_id = ${tx.site.id} and c.agent_id = any (${agentIds}::bigint[]) and c.status = 'active'
      and c.snoozed_until is null and c.spam_at is null
    group by c.agent_id`.execute(tx.db);
  return new Map(rows.map(({ agent_id, count }) => [agent_id, count]));
}

/** The agent who had the last chat of the visitor of `c`. */
const lastAgent = (isAsked: boolean): RawBuilder<unknown> =>
  isAsked
    ? sql`(select p.agent_id from conversations p
        where p.site_id = c.site_id and p.visitor_id = c.visitor_id and p.id < c.id and p.agent_id is not null
        order by p.id desc limit 1)`
    : sql`null::bigint`;

/** Waiting chats, the longest waiting one first. */
async function waitingAfter(
  tx: SiteContext,
  after: Place | undefined,
  lastFirst: boolean,
): Promise<(WaitingWork & Place)[]> {
  const { rows } = await sql<WaitingWork & Place>`
    select c.id, c.team_id, c.language, c.waiting_since, c.waiting_since::text as waiting, t.ids as tags,
      t.names as tag_names, ${lastAgent(lastFirst)} as last_agent,
      exists (
        select from routing_decisions d
        where d.site_id = c.site_id and d.conversation_id = c.id and d.kind = 'nobody' and d.created_at >= c.waiting_since
      ) as explained
    from conversations c cross join lateral (
      select coalesce(array_agg(t.id order by t.id), '{}') as ids, coalesce(array_agg(t.name order by t.id), '{}') as names
      from conversation_tags ct join tags t on t.site_id = ct.site_id and t.id = ct.tag_id
      where ct.site_id = c.site_id and ct.conversation_id = c.id
    ) t
    where c.site_id = ${tx.site.id} and ${isWaiting}
      and ${after ? sql`(c.waiting_since, c.id) > (${after.waiting}::timestamptz, ${after.id}::bigint)` : sql`true`}
    order by c.waiting_since, c.id limit ${STEP}`.execute(tx.db);
  return rows;
}

interface Assigned extends MessageRow {
  conversation_id: number;
  session_id: string;
}

/**
 * Assigns the chats that still wait, with the message that the agent has joined, in one statement. A chat that
 * somebody else is changing is left to the next time.
 */
async function assign(tx: SiteContext, choices: readonly Choice[], now: Date): Promise<Assigned[]> {
  const wanted = choices.map(({ work, agent, turn }) => ({
    chat_id: work.id,
    agent_id: agent.id,
    name: agent.name,
    turn,
  }));
  const { rows } = await sql<Assigned>`
    with wanted as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        as w (chat_id bigint, agent_id bigint, name text, turn float8)
    ), held as materialized (
      select c.id from conversations c
      where c.site_id = ${tx.site.id} and c.id in (select chat_id from wanted) and ${isWaiting}
      order by c.id for update of c skip locked
    ), chat as (
      update conversations c set status = 'active', agent_id = w.agent_id, waiting_since = null,
        last_seq = c.last_seq + 1, last_sender = 'system', last_message_at = ${now},
        last_text = w.name || ' joined the chat.'
      from held join wanted w on w.chat_id = held.id where c.site_id = ${tx.site.id} and c.id = held.id
      returning c.id, c.session_id, c.agent_id, c.last_seq, c.last_text, w.name, w.turn
    ), routed as (
      update agents a set last_routed_at = to_timestamp(last.turn)
      from (select agent_id, max(turn) as turn from chat group by agent_id) last
      where a.site_id = ${tx.site.id} and a.id = last.agent_id
    ), accepted as (
      update handoffs h set agent_id = chat.agent_id, accepted_at = ${now} from chat
      where h.site_id = ${tx.site.id} and h.conversation_id = chat.id and h.accepted_at is null
    ), said as (
      insert into messages (site_id, conversation_id, seq, client_id, sender, agent_id, author_name, text, event, created_at)
      select ${tx.site.id}, id, last_seq, gen_random_uuid(), 'system', agent_id, name, last_text, 'agent_joined', ${now}
      from chat
      returning *
    )
    select said.*, chat.session_id,
      (select a.picture from agents a where a.site_id = said.site_id and a.id = said.agent_id) as author_picture
    from said join chat on chat.id = said.conversation_id order by said.conversation_id`.execute(tx.db);
  return rows;
}

/** Sends what subscribers and streams receive of an assignment, where there are any, and what rules look at in any case. */
async function emitAssigned(tx: SiteContext, rows: readonly Assigned[]): Promise<void> {
  const { rows: found } = await sql<{ moved: boolean; said: boolean }>`
    select ${hasReceiver(tx.site.id, tx.now(), 'conversation_assigned')} as moved, ${hasReceiver(tx.site.id, tx.now())} as said`.execute(
    tx.db,
  );
  const { moved = false, said = false } = found[0] ?? {};
  if (said)
    for (const row of rows) {
      const message = presentMessage(tx.site.id, linksOf(tx), row);
      await tx.emit({ webhook: { event: 'message_created', body: announcement(row.session_id, message) } });
    }
  if (!moved) {
    const chats = rows.map(({ session_id }) => session_id);
    return triggerRules(tx, ofChats('conversation_assigned', chats));
  }
  const ids = rows.map(({ conversation_id }) => conversation_id);
  for (const chat of await loadSessions(
    tx.db,
    tx.site.id,
    sql`c.id = any (${ids}::bigint[]) order by c.id`,
  )) {
    const webhook = movedEvent(tx, chat, null, { id: chat.agent_id ?? 0, name: chat.agent_name ?? '' });
    if (webhook) await tx.emit({ webhook });
  }
}

const stored = ({ open, ...why }: RoutingReasons): StoredReasons => ({ ...why, open_chats: open });

async function give(tx: SiteContext, choices: readonly Choice[]): Promise<void> {
  if (choices.length === 0) return;
  const now = tx.now();
  const rows = await assign(tx, choices, now);
  const reasons = new Map(choices.map(({ work, reasons: why }) => [work.id, stored(why)]));
  const decisions = rows.map(({ conversation_id, agent_id }): NewDecision => {
    const why = reasons.get(conversation_id);
    return { conversationId: conversation_id, agentId: agent_id, ...(why && { reasons: why }) };
  });
  await recordDecisions(tx, 'assigned', decisions, now);
  await notifyAssigned(
    tx,
    'chats',
    rows.map(({ conversation_id, agent_id }) => ({ id: conversation_id, agent_id: agent_id ?? 0 })),
  );
  await tx.emit({
    notices: rows.flatMap((row) => {
      const record = presentMessage(tx.site.id, linksOf(tx), row);
      const { session_id: sessionId, seq } = row;
      return [
        { kind: 'message' as const, sessionId, seq, record },
        { kind: 'session' as const, sessionId },
      ];
    }),
  });
  await emitAssigned(tx, rows);
}

/** Records once per wait that nobody suitable is available, so that the team sees why a chat waits. */
async function explain(tx: SiteContext, decisions: readonly NewDecision[]): Promise<void> {
  if (decisions.length === 0) return;
  const kind: RoutingDecision['kind'] = 'nobody';
  await recordDecisions(tx, kind, decisions);
  const ids = decisions.map(({ conversationId }) => conversationId);
  const { rows } = await sql<{ session_id: string }>`
    select session_id from conversations where site_id = ${tx.site.id} and id = any (${ids}::bigint[])`.execute(
    tx.db,
  );
  await tx.emit({
    notices: rows.map(({ session_id: sessionId }) => ({ kind: 'session', sessionId })),
    counts: false,
  });
}

/**
 * Assigns some of the waiting chats, under the site's lock: concurrent routing counts correctly, and an agent who is
 * being removed either gets none or has theirs returned by the removal. Agents who join chats themselves may exceed
 * their limit.
 * @returns where to continue; undefined if no chat is left or no agent has capacity
 */
function routeSome(ctx: SiteContext, after: Place | undefined): Promise<Place | undefined> {
  return ctx.transaction(async (tx) => {
    await lockSite(tx);
    const staff = await loadStaff(tx, 'chats');
    const online = await tx.services.presence.onlineAgents(tx.site.id);
    const chooser = new Chooser(staff, online, await countActive(tx, online), tx.now());
    if (!chooser.hasRoom) return undefined;
    const chats = await waitingAfter(tx, after, staff.lastAgentFirst);
    const choices: Choice[] = [];
    const unsuited: NewDecision[] = [];
    for (const chat of chats) {
      const chosen = chooser.choose(chat);
      if (chosen && 'agent' in chosen) choices.push(chosen);
      else if (chosen && !chat.explained)
        unsuited.push({ conversationId: chat.id, agentId: null, reasons: stored(chosen.nobody) });
    }
    await give(tx, choices);
    await explain(tx, unsuited);
    return chats.length < STEP ? undefined : chats.at(-1);
  });
}

/**
 * Assigns waiting chats, the longest waiting one first, until no agent with capacity can get another. A chat for which
 * nobody suitable is available doesn't block the others.
 */
export async function routeWaiting(ctx: SiteContext): Promise<void> {
  if ((await ctx.services.presence.onlineAgents(ctx.site.id)).length === 0) return;
  let place = await routeSome(ctx, undefined);
  while (place) place = await routeSome(ctx, place);
}
