import type { NotificationKind } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { mayAnswer } from '../sites/agents/assignable.ts';
import {
  loadStaff,
  offerOf,
  type RoutedWork,
  type Staff,
  type StaffAgent,
  type WorkKind,
} from '../sites/teams/staff.ts';
import { DEFAULT_MAIL_AFTER_MINUTES } from './choices.ts';

/** An agent who used a desk this recently may have it open: its tabs come first. */
const AT_DESK_S = 60;
const DESK_FIRST_S = 5;
/** While a notification is unseen, updates to it aren't pushed again sooner than this. */
const PUSH_AGAIN_S = 60;
/** A notice must fit the bus. */
const IDS_PER_NOTICE = 500;

interface NotifiedRow {
  id: number;
  agent_id: number;
}

/** The event, and who is notified. */
interface News {
  kind: NotificationKind;
  agentIds: readonly number[];
  conversationId?: number;
  ticketId?: number;
}

/** The agent who acts, if one does. */
export const ownId = ({ actor }: SiteContext): number | null =>
  actor.kind === 'agent' ? actor.agentId : null;

/**
 * An SQL statement, alone or as part of another, that stores notifications. Unseen ones of the same kind and
 * conversation are updated. Agents get none for their own actions, and none of spam except mentions.
 * @param candidates rows of `site_id`, `agent_id`, `kind`, `conversation_id`, `ticket_id`, `by_agent_id`, `happened_at`
 */
export function insertNotifications(candidates: RawBuilder<unknown>): RawBuilder<NotifiedRow> {
  return sql`
    insert into notifications as n (site_id, agent_id, kind, conversation_id, ticket_id, by_agent_id,
      happened_at, unseen_since, push_due_at, mail_due_at)
    select a.site_id, a.id, t.kind, t.conversation_id, t.ticket_id, t.by_agent_id, t.happened_at, t.happened_at,
      case when exists (select from push_devices d where d.site_id = a.site_id and d.agent_id = a.id)
        then t.happened_at + make_interval(secs =>
          case when a.at_desk_at > t.happened_at - make_interval(secs => ${sql.lit(AT_DESK_S)})
            then ${sql.lit(DESK_FIRST_S)} else 0 end) end,
      t.happened_at + make_interval(mins =>
        coalesce((c.choices ->> 'mail_after_minutes')::int, ${sql.lit(DEFAULT_MAIL_AFTER_MINUTES)}))
    from (${candidates}) t
    join agents a on a.site_id = t.site_id and a.id = t.agent_id and a.removed_at is null
    left join notification_choices c on c.site_id = a.site_id and c.agent_id = a.id
    where a.id is distinct from t.by_agent_id and (t.kind = 'mention' or (
      not exists (select from conversations s
        where s.site_id = a.site_id and s.id = t.conversation_id and s.spam_at is not null)
      and not exists (select from tickets s
        where s.site_id = a.site_id and s.id = t.ticket_id and s.spam_at is not null)))
    on conflict on constraint notifications_one do update set
      count = case when n.seen_at is null then n.count + 1 else 1 end,
      by_agent_id = excluded.by_agent_id,
      happened_at = excluded.happened_at,
      unseen_since = case when n.seen_at is null then n.unseen_since else excluded.unseen_since end,
      seen_at = null,
      push_due_at = coalesce(n.push_due_at, case when excluded.push_due_at is not null then greatest(
        excluded.push_due_at, case when n.seen_at is null then n.pushed_at + make_interval(secs => ${sql.lit(PUSH_AGAIN_S)}) end) end),
      mail_due_at = coalesce(n.mail_due_at, case when n.seen_at is not null or n.mail_id is null then excluded.mail_due_at end),
      mail_id = case when n.seen_at is null then n.mail_id end
    returning n.site_id, n.id, n.agent_id, n.conversation_id`;
}

/** Sends these notifications' new state to their agents' desks. */
async function announceNotifications(ctx: SiteContext, rows: readonly NotifiedRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += IDS_PER_NOTICE) {
    const some = rows.slice(from, from + IDS_PER_NOTICE);
    const ids = some.map(({ id }) => id);
    await ctx.emit({
      notices: [{ kind: 'notified', ids, agentIds: [...new Set(some.map((row) => row.agent_id))] }],
    });
  }
}

/** @param candidates rows of `agent_id`, `kind`, `conversation_id`, `ticket_id` */
async function insertAndAnnounce(tx: SiteContext, candidates: RawBuilder<unknown>): Promise<void> {
  const { rows } = await insertNotifications(sql`
    select ${tx.site.id}::bigint as site_id, whom.*, ${ownId(tx)}::bigint as by_agent_id,
      ${tx.now()}::timestamptz as happened_at
    from (${candidates}) whom`).execute(tx.db);
  await announceNotifications(tx, rows);
}

/** Notifies agents in the transaction of the event. The only way to do it. */
export async function notify(tx: SiteContext, news: News): Promise<void> {
  const { kind, agentIds, conversationId = null, ticketId = null } = news;
  await insertAndAnnounce(
    tx,
    sql`
    select agent_id, ${kind}::text as kind, ${conversationId}::bigint as conversation_id,
      ${ticketId}::bigint as ticket_id from unnest(${agentIds}::bigint[]) as agent_id`,
  );
}

/** A chat or a ticket. */
type DuePlace = { conversationId: number; ticketId?: null } | { conversationId?: null; ticketId: number };
type DueRecord = DuePlace & { assigneeId: number | null; teamId: number | null };

/**
 * A target of an SLA is nearly due or late, which replaces its warning: the assignee is notified, or else the team's
 * members, or else everybody who answers.
 */
export async function notifyDue(
  tx: SiteContext,
  kind: 'sla_warning' | 'sla_breached',
  { assigneeId, teamId, ...place }: DueRecord,
): Promise<void> {
  const { conversationId = null, ticketId = null } = place;
  if (kind === 'sla_breached') await settleDue(tx, place, ['sla_warning']);
  const members = sql`select from team_members m join teams t on t.site_id = m.site_id and t.id = m.team_id
    where m.site_id = a.site_id and m.team_id = ${teamId}::bigint and t.archived_at is null`;
  const isConcerned =
    assigneeId === null
      ? sql`${mayAnswer('a')} and (not exists (${members}) or exists (${members} and m.agent_id = a.id))`
      : sql`a.id = ${assigneeId}`;
  await insertAndAnnounce(
    tx,
    sql`
    select a.id as agent_id, ${kind}::text as kind, ${conversationId}::bigint as conversation_id,
      ${ticketId}::bigint as ticket_id
    from agents a where a.site_id = ${tx.site.id} and ${isConcerned}`,
  );
}

/** Settles notifications about due times: by default all, because the target was met or no longer applies. */
export const settleDue = (
  tx: SiteContext,
  { conversationId = null, ticketId = null }: DuePlace,
  kinds: readonly NotificationKind[] = ['sla_warning', 'sla_breached'],
): Promise<void> =>
  settle(
    tx,
    sql`n.kind = any (${kinds}::text[]) and ${
      ticketId === null ? sql`n.conversation_id = ${conversationId}` : sql`n.ticket_id = ${ticketId}`
    }`,
  );

/**
 * Waiting chats notify the agents who may get them: everybody, or the members of their team. If routing is about to
 * assign them, nobody is notified, unless nobody suitable is available.
 */
export async function notifyWaiting(tx: SiteContext, conversationIds: readonly number[]): Promise<void> {
  const { rows: chats } = await sql<RoutedWork & { id: number }>`
    select c.id, c.team_id, c.language, c.waiting_since, array(
      select ct.tag_id from conversation_tags ct where ct.site_id = c.site_id and ct.conversation_id = c.id) as tags
    from conversations c
    where c.site_id = ${tx.site.id} and c.id = any (${conversationIds}::bigint[])`.execute(tx.db);
  const staff = await loadStaff(tx, 'chats');
  const online = new Set(await tx.services.presence.onlineAgents(tx.site.id));
  const pairs = chats.flatMap((chat) =>
    callFor(staff, chat, online, tx.now()).map((agent) => ({ id: chat.id, agent_id: agent.id })),
  );
  await notifyPairs(tx, 'chats', 'chat_waiting', pairs);
}

/** Whom a waiting chat notifies. */
function callFor(staff: Staff, chat: RoutedWork, online: ReadonlySet<number>, now: Date): StaffAgent[] {
  const { routing, agents, isClosed } = offerOf(staff, chat, now);
  if (routing === 'manual') return offerOf(staff, { ...chat, language: null, tags: [] }, now).agents;
  return !isClosed && agents.some(({ id }) => online.has(id)) ? [] : agents;
}

/** A chat or ticket, by its id, and an agent. */
interface Pair {
  id: number;
  agent_id: number;
}

/** Notifies of several chats or tickets at once. */
async function notifyPairs(
  tx: SiteContext,
  work: WorkKind,
  kind: NotificationKind,
  pairs: readonly Pair[],
): Promise<void> {
  if (pairs.length === 0) return;
  const none = sql`null::bigint`;
  const [chat, ticket] = work === 'chats' ? [sql`p.id`, none] : [none, sql`p.id`];
  await insertAndAnnounce(
    tx,
    sql`
    select p.agent_id, ${kind}::text as kind, ${chat} as conversation_id, ${ticket} as ticket_id
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as p (id bigint, agent_id bigint)`,
  );
}

const ASSIGNED = {
  chats: { column: 'n.conversation_id', offered: 'chat_waiting', assigned: 'chat_assigned' },
  tickets: { column: 'n.ticket_id', offered: 'ticket_team', assigned: 'ticket_assigned' },
} as const satisfies Record<
  WorkKind,
  { offered: NotificationKind; assigned: NotificationKind; column: string }
>;

/** Routing has just assigned these: their agents are notified, and notifications of everybody else end. */
export async function notifyAssigned(tx: SiteContext, work: WorkKind, pairs: readonly Pair[]): Promise<void> {
  if (pairs.length === 0) return;
  const { column, offered, assigned } = ASSIGNED[work];
  await settle(
    tx,
    sql`n.kind <> 'mention' and exists (
      select from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as p (id bigint, agent_id bigint)
      where p.id = ${sql.ref(column)} and (n.kind = ${offered} or p.agent_id <> n.agent_id))
      and ${sql.ref(column)} = any (${pairs.map(({ id }) => id)}::bigint[])`,
  );
  await notifyPairs(tx, work, assigned, pairs);
}

/**
 * Ends unseen notifications (as `n`) that were seen or no longer apply, because somebody else has the conversation.
 * They leave every list, and nothing more is sent.
 */
export async function settle(ctx: SiteContext, which: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<NotifiedRow>`
    update notifications n set seen_at = ${ctx.now()}, push_due_at = null, mail_due_at = null
    where n.site_id = ${ctx.site.id} and n.seen_at is null and ${which}
    returning n.id, n.agent_id`.execute(ctx.db);
  await announceNotifications(ctx, rows);
}

/** Chats were assigned, unassigned or closed: their notifications end for everybody else. Mentions stay. */
export const settleChats = (
  tx: SiteContext,
  conversationIds: readonly number[],
  agentId: number | null = null,
): Promise<void> =>
  settle(
    tx,
    sql`n.conversation_id = any (${conversationIds}::bigint[]) and n.kind <> 'mention'
      and (n.kind = 'chat_waiting' or n.agent_id is distinct from ${agentId}::bigint)`,
  );

/** A ticket was assigned or unassigned. */
export const settleTicket = (tx: SiteContext, ticketId: number, agentId: number | null): Promise<void> =>
  settle(
    tx,
    sql`n.ticket_id = ${ticketId} and n.kind <> 'mention'
      and (n.kind = 'ticket_team' or n.agent_id is distinct from ${agentId}::bigint)`,
  );

/**
 * A ticket that nobody is assigned to came to a team, or to none: as with waiting chats, its members are notified
 * unless routing is about to assign it.
 */
export async function notifyTeam(tx: SiteContext, ticketId: number, teamId: number | null): Promise<void> {
  await settle(tx, sql`n.ticket_id = ${ticketId} and n.kind = 'ticket_team'`);
  if (teamId === null) return;
  const staff = await loadStaff(tx, 'tickets');
  if (!staff.teams.has(teamId)) return;
  const online = new Set(await tx.services.presence.onlineAgents(tx.site.id));
  const ticket = { team_id: teamId, language: null, tags: [], waiting_since: null };
  const agentIds = callFor(staff, ticket, online, tx.now()).map(({ id }) => id);
  await notify(tx, { kind: 'ticket_team', agentIds, ticketId });
}
