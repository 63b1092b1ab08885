import { isOpen, LANGUAGES, type Language, type TicketRouting } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import {
  type Choice,
  Chooser,
  type RoutingReasons,
  type WaitingWork,
} from '../../conversations/routing/choose.ts';
import type { SiteContext } from '../../core/context.ts';
import type { RecurringJob } from '../../jobs/schedule.ts';
import { notifyAssigned } from '../../notifications/notify.ts';
import { lockSite } from '../../sites/sites.ts';
import { loadStaff, type Staff } from '../../sites/teams/staff.ts';
import { knownLanguageOf } from '../../text/languages.ts';
import { wordsOf } from '../../text/words.ts';
import { reportChange, writeTicket } from '../changes.ts';
import { touched } from '../states.ts';
import { ticketsOfIds } from '../tickets.ts';

/** Nobody watches a ticket wait as they watch a chat. */
const ROUTE_EVERY_MS = 5_000;
/** Tickets that one transaction reads. */
const STEP = 250;
/** The most tickets that it assigns: each takes two statements, and chats of the site wait for its lock meanwhile. */
const GIVEN = 50;
/** The most transactions of a run through a large backlog for which nobody suitable is available. */
const STEPS = 40;
/** How much of a ticket is read to detect its language. */
const READ_CHARS = 1_000;

/** Where a step ended. The time is a text, because a date of JavaScript has no microseconds. */
interface Place {
  id: number;
  rank: number;
  created: string;
}

type Waiting = WaitingWork & Place & { text: string | null };

/** Ticket `t` needs an assignee and has none. Found by the indexes of the assignee's lists. */
const isWaiting = sql`t.assignee_key = 0 and t.snoozed = false and t.spam_at is null`;

/** How many new and open tickets these agents have. Those that wait for somebody else use no capacity. */
async function countOpen(tx: SiteContext, agentIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ agent_id: number; count: number }>`
    select t.assignee_key as agent_id, count(*)::int as count from tickets t
    where t.site_id = ${tx.site.id} and t.assignee_key = any (${agentIds}::bigint[]) and t.snoozed = false
      and t.status in ('new', 'open') and t.spam_at is null
    group by t.assignee_key`.execute(tx.db);
  return new Map(rows.map(({ agent_id, count }) => [agent_id, count]));
}

/** Tickets of teams whose agents pick, or that are outside their hours, would only hide those that can be assigned. */
function isRouted({ routing, teams, fallbackAfterS }: Staff, now: Date): RawBuilder<unknown> {
  const own = [...teams.values()];
  const manual = own.filter((team) => (team.routing ?? routing) === 'manual').map(({ id }) => id);
  const routed = own.filter((team) => (team.routing ?? routing) !== 'manual').map(({ id }) => id);
  const closed = own.filter((team) => team.office_hours && !isOpen(team.office_hours, now));
  const late = fallbackAfterS === null ? null : new Date(now.getTime() - fallbackAfterS * 1000);
  const concerned =
    routing === 'manual'
      ? sql`t.team_id = any (${routed}::bigint[])`
      : sql`(t.team_id is null or t.team_id <> all (${manual}::bigint[]))`;
  return sql`${concerned} and (t.team_id is null or t.team_id <> all (${closed.map(({ id }) => id)}::bigint[])
    or t.created_at <= ${late}::timestamptz)`;
}

/** The agent of a customer's last ticket, if that agent comes first, for ticket `t`. */
const lastAgent = ({ lastAgentFirst }: Staff): RawBuilder<unknown> =>
  lastAgentFirst
    ? sql`(select p.assignee_id from tickets p
        where p.site_id = t.site_id and p.requester_id = t.requester_id and p.id <> t.id and p.assignee_id is not null
        order by p.created_at desc, p.id desc limit 1)`
    : sql`null::bigint`;

/**
 * Waiting tickets, the most urgent first, then the oldest: for each priority and status an index returns them in that
 * order. Tickets that rules have yet to process are skipped, because a rule may set their team.
 */
async function waitingAfter(tx: SiteContext, staff: Staff, after: Place | undefined): Promise<Waiting[]> {
  const reads = staff.agents.some(({ languages }) => languages.length > 0);
  const beyond = after
    ? sql`(r.rank < ${after.rank} or (t.created_at, t.id) > (${after.created}::timestamptz, ${after.id}::bigint))
        and r.rank <= ${after.rank}`
    : sql`true`;
  const { rows } = await sql<Waiting>`
    select t.id, t.priority_rank as rank, t.created_at::text as created, t.team_id, c.language,
      ${reads ? sql`left(t.subject || ' ' || t.description, ${READ_CHARS})` : sql`null`} as text,
      g.ids as tags, g.names as tag_names, ${lastAgent(staff)} as last_agent,
      greatest(t.created_at, e.returned_at) as waiting_since,
      coalesce(e.explained_at >= greatest(t.created_at, e.returned_at), false) as explained
    from (
      select t.* from unnest(array[4, 3, 2, 1]) as r (rank) cross join unnest(array['new', 'open']) as s (status)
      cross join lateral (
        select t.* from tickets t
        where t.site_id = ${tx.site.id} and ${isWaiting} and t.status = s.status and t.priority_rank = r.rank
          and ${isRouted(staff, tx.now())} and ${beyond}
          and not exists (select from rule_events v where v.site_id = t.site_id and v.ticket_id = t.id)
        order by t.created_at, t.id limit ${STEP}
      ) t order by t.priority_rank desc, t.created_at, t.id limit ${STEP}
    ) t
    left join conversations c on c.site_id = t.site_id and c.id = t.conversation_id
    cross join lateral (
      select coalesce(array_agg(g.id order by g.id), '{}') as ids, coalesce(array_agg(g.name order by g.id), '{}') as names
      from ticket_tags tt join tags g on g.site_id = tt.site_id and g.id = tt.tag_id
      where tt.site_id = t.site_id and tt.ticket_id = t.id
    ) g cross join lateral (
      select max(e.created_at) filter (where e.action in ('agent_removed', 'left_team')) as returned_at,
        max(e.created_at) filter (where e.action = 'not_routed') as explained_at
      from audit_entries e where e.site_id = t.site_id and e.subject = 'ticket' and e.subject_id = t.id
    ) e
    order by t.priority_rank desc, t.created_at, t.id`.execute(tx.db);
  return rows.map((row) => ({ ...row, language: row.language ?? languageOf(row.text) }));
}

/** Mails and forms don't state their language, so it is detected. */
function languageOf(text: string | null): Language | null {
  const known = text === null ? undefined : knownLanguageOf(wordsOf(text));
  return LANGUAGES.find((language) => language === known) ?? null;
}

const stored = ({ open, ...why }: RoutingReasons): TicketRouting => ({ ...why, open_tickets: open });

/**
 * Assigns the tickets that still wait. One that somebody else is changing is left to the next time. Presence and
 * permission of the agents were checked under the site's lock, so they aren't checked for each, and the agents are
 * notified together.
 */
async function give(tx: SiteContext, choices: readonly Choice[]): Promise<void> {
  const chosen = new Map(choices.map((choice) => [choice.work.id, choice]));
  const { rows } = await sql<{ id: number }>`
    select t.id from tickets t
    where t.site_id = ${tx.site.id} and t.id = any (${[...chosen.keys()]}::bigint[]) and ${isWaiting}
      and t.status in ('new', 'open')
    order by t.id for update skip locked`.execute(tx.db);
  const turns = new Map<number, number>();
  const assigned: { id: number; agent_id: number }[] = [];
  for (const ticket of await ticketsOfIds(
    tx,
    rows.map(({ id }) => id),
  )) {
    const choice = chosen.get(ticket.id);
    if (!choice) continue;
    const { agent, turn, reasons } = choice;
    const written = await writeTicket(tx, ticket, { assignee_id: agent.id, status: touched(ticket.status) });
    const cause = { action: 'routed', routing: stored(reasons) };
    await reportChange(tx, ticket, { ...written, assignee_name: agent.name }, cause);
    assigned.push({ id: ticket.id, agent_id: agent.id });
    turns.set(agent.id, Math.max(turn, turns.get(agent.id) ?? 0));
  }
  await notifyAssigned(tx, 'tickets', assigned);
  await sql`
    update agents a set last_ticket_routed_at = to_timestamp(last.turn)
    from unnest(${[...turns.keys()]}::bigint[], ${[...turns.values()]}::float8[]) as last (id, turn)
    where a.site_id = ${tx.site.id} and a.id = last.id`.execute(tx.db);
}

/** Records once per wait that nobody suitable is available, so that the team sees why a ticket waits. */
const explain = (tx: SiteContext, ticketId: number, reasons: RoutingReasons): Promise<void> =>
  tx.emit({
    audit: {
      subject: 'ticket',
      subjectId: ticketId,
      action: 'not_routed',
      changes: { routing: [null, stored(reasons)] },
    },
    notices: [{ kind: 'ticket', ticketId }],
    counts: false,
    dues: false,
  });

/**
 * Assigns some of the waiting tickets, under the site's lock, like chats: of two processes each ticket is decided on by
 * one, and an agent who is being removed either gets none or has theirs returned by the removal.
 * @returns where to continue; undefined if no ticket is left or no agent has capacity
 */
function routeSome(ctx: SiteContext, after: Place | undefined): Promise<Place | undefined> {
  return ctx.transaction(async (tx) => {
    await lockSite(tx);
    const staff = await loadStaff(tx, 'tickets');
    const online = await tx.services.presence.onlineAgents(tx.site.id);
    const chooser = new Chooser(staff, online, await countOpen(tx, online), tx.now());
    if (!chooser.hasRoom) return undefined;
    const tickets = await waitingAfter(tx, staff, after);
    const choices: Choice[] = [];
    let last: Place | undefined;
    for (const ticket of tickets) {
      const chosen = chooser.choose(ticket);
      if (chosen && 'agent' in chosen) choices.push(chosen);
      else if (chosen && !ticket.explained) await explain(tx, ticket.id, chosen.nobody);
      last = ticket;
      if (choices.length === GIVEN) break;
    }
    await give(tx, choices);
    return choices.length < GIVEN && tickets.length < STEP ? undefined : last;
  });
}

/** Assigns waiting tickets until none is left that an online agent with capacity may get. */
export async function routeTickets(ctx: SiteContext): Promise<void> {
  if ((await ctx.services.presence.onlineAgents(ctx.site.id)).length === 0) return;
  let place = await routeSome(ctx, undefined);
  for (let step = 1; place && step < STEPS; step += 1) place = await routeSome(ctx, place);
}

/** Polled, as for chats: a new ticket, an agent with capacity again and a restart are all the same case. */
export const ticketRoutingClock: RecurringJob = {
  name: 'tickets.route',
  everyMs: ROUTE_EVERY_MS,
  due: ({ limit, afterSite }) => sql`
    select s.id as "siteId", s.id from sites s
    where s.id > ${afterSite} and (s.ticket_routing <> 'manual' or exists (
        select from teams m where m.site_id = s.id and m.archived_at is null and m.ticket_routing <> 'manual'))
      and exists (select from tickets t where t.site_id = s.id and ${isWaiting} and t.status in ('new', 'open'))
    order by s.id limit ${limit}`,
  run: routeTickets,
};
