import type { OfficeTrigger, RuleEvent, RuleTrigger, TimeTrigger } from '@foyer/protocol';
import { MINUTE_MS } from '@foyer/protocol/values/durations';
import { type RawBuilder, sql } from 'kysely';
import type { SessionRow } from '../../conversations/sessions.ts';
import type { SiteContext } from '../../core/context.ts';
import type { RecurringJob } from '../../jobs/schedule.ts';
import type { TicketRow } from '../../tickets/tickets.ts';
import { chatsOfChange, isInState, nextChangeOf } from './office-hours.ts';
import { isOfOffice, isTimed } from './triggers.ts';

const LOOK_EVERY_MS = 1_000;
/** A busy site always has something due. */
const LOOK_AGAIN_MS = 5_000;
const BATCH = 100;

/** Since when a record has been in the state that a trigger waits for: after `from`, and at the latest at `until`. */
interface Span {
  from: Date;
  until: Date;
}

/** The chat or ticket that triggers a rule now. */
interface Found {
  ticket_id: number | null;
  session_id: string | null;
}

interface Waiting extends Found {
  since: Date;
}

const SINCE: Record<TimeTrigger, RawBuilder<Date>> = {
  ticket_idle: sql`last_activity_at`,
  ticket_waiting: sql`unanswered_since`,
  chat_idle: sql`coalesce(said_at, started_at)`,
  chat_waiting: sql`unanswered_since`,
};

/** Statuses of tickets that aren't done. One by one, each has its range in the indexes of lists. */
const OPEN = sql`unnest('{new,open,pending,hold}'::text[])`;

/** Open tickets by when their state began, after `from`: for each status a range of an index. */
const ticketsSince = (
  siteId: number,
  since: RawBuilder<Date>,
  { where, limit, snoozed }: { where: RawBuilder<unknown>; limit: RawBuilder<unknown>; snoozed: string },
) => sql`
  ${OPEN} as s (status), unnest(${snoozed}::boolean[]) as z (snoozed), lateral (
    select id, ${since} as since from tickets
    where site_id = ${siteId} and snoozed = z.snoozed and status = s.status and spam_at is null and ${where}
    order by ${since} ${limit}) t`;

/** The chats of a site that aren't closed are read as a whole, as in its lists. */
const OPEN_CHATS = sql`status in ('waiting', 'active') and status <> 'closed' and spam_at is null`;

/** The due records, the longest first; with all that began at the same moment as the last one. */
async function findDue(
  { db, site }: SiteContext,
  on: TimeTrigger,
  { from, until }: Span,
): Promise<Waiting[]> {
  const since = SINCE[on];
  const where = sql`${since} > ${from} and ${since} <= ${until}`;
  const limit = sql`fetch first ${sql.lit(BATCH)} rows with ties`;
  const { rows } = await (on === 'ticket_idle' || on === 'ticket_waiting'
    ? sql<Waiting>`
        select t.id as ticket_id, null as session_id, t.since
        from ${ticketsSince(site.id, since, { where, limit, snoozed: '{f}' })} order by t.since ${limit}`
    : sql<Waiting>`
        select null as ticket_id, session_id, ${since} as since from conversations
        where site_id = ${site.id} and ${OPEN_CHATS} and snoozed_until is null and ${where}
        order by 3 ${limit}`
  ).execute(db);
  return rows;
}

/**
 * When the first state began that isn't due yet. Later ones are due later, so no look is needed before. Snoozed ones
 * count: they may be woken before.
 */
async function nextSince({ db, site }: SiteContext, on: TimeTrigger, after: Date): Promise<Date | null> {
  const since = SINCE[on];
  const where = sql`${since} > ${after}`;
  const { rows } = await (on === 'ticket_idle' || on === 'ticket_waiting'
    ? sql<{ first: Date | null }>`
        select min(t.since) as first
        from ${ticketsSince(site.id, since, { where, limit: sql`limit 1`, snoozed: '{f,t}' })}`
    : sql<{ first: Date | null }>`
        select min(${since}) as first from conversations
        where site_id = ${site.id} and ${OPEN_CHATS} and ${where}`
  ).execute(db);
  return rows[0]?.first ?? null;
}

async function trigger(tx: SiteContext, rule: number, on: RuleEvent, found: readonly Found[]): Promise<void> {
  if (found.length === 0) return;
  await sql`
    insert into rule_events (site_id, event, ticket_id, session_id, details, chain, created_at)
    select ${tx.site.id}, ${on}, f.ticket_id, f.session_id, ${JSON.stringify({ rule })}, '{}', ${tx.now()}
    from unnest(${found.map((one) => one.ticket_id)}::bigint[], ${found.map((one) => one.session_id)}::text[])
      with ordinality as f (ticket_id, session_id, place)
    order by place`.execute(tx.db);
}

/** The records that a look found, until when it has found everything, and when there is something next; null: never. */
interface Looked {
  found: readonly Found[];
  looked_at: Date;
  look_at: Date | null;
}

/** Records that have been in the trigger's state for its minutes. */
async function lookAtStates(
  tx: SiteContext,
  { on, minutes }: Extract<RuleTrigger, { on: TimeTrigger }>,
  since: Date,
): Promise<Looked> {
  const now = tx.now();
  const before = (time: Date): Date => new Date(time.getTime() - minutes * MINUTE_MS);
  const after = (time: Date): Date => new Date(time.getTime() + minutes * MINUTE_MS);
  const found = await findDue(tx, on, { from: before(since), until: before(now) });
  const last = found.length < BATCH ? undefined : found.at(-1);
  const next = last ? now : after((await nextSince(tx, on, before(now))) ?? now);
  return {
    found,
    looked_at: last ? after(last.since) : now,
    look_at: last ? now : new Date(Math.max(next.getTime(), now.getTime() + LOOK_AGAIN_MS)),
  };
}

/** Open chats whose office hours have begun or ended. */
const lookAtHours = async (
  tx: SiteContext,
  { on }: RuleTrigger & { on: OfficeTrigger },
  since: Date,
): Promise<Looked> => ({
  found: await chatsOfChange(tx, on, OPEN_CHATS, { from: since, until: tx.now() }),
  looked_at: tx.now(),
  look_at: await nextChangeOf(tx),
});

/**
 * Finds records that have become due for a rule since its last look, and stores them for the rule to run, in one
 * transaction under the rule's lock: each state is passed once, by whichever process looks. States that began before
 * the rule was enabled less its minutes are no longer passed, so enabling a rule doesn't affect old records.
 */
async function look(ctx: SiteContext, id: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    const rule = await tx.db
      .selectFrom('rules')
      .select(['trigger', 'looked_at'])
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .where('look_at', '<=', tx.now())
      .forNoKeyUpdate()
      .skipLocked()
      .executeTakeFirst();
    const since = rule?.looked_at;
    if (!since) return;
    const { trigger: wanted } = rule;
    if (!isTimed(wanted) && !isOfOffice(wanted)) return;
    const { found, ...times } = await (isTimed(wanted)
      ? lookAtStates(tx, wanted, since)
      : lookAtHours(tx, wanted, since));
    await trigger(tx, id, wanted.on, found);
    await tx.db
      .updateTable('rules')
      .set(times)
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .execute();
  });
}

/** Finds what becomes due by time alone. A rule with nothing due costs nothing: it stores when to look next. */
export const ruleLooks: RecurringJob = {
  name: 'rules.look',
  everyMs: LOOK_EVERY_MS,
  due: ({ now, limit }) => sql`
    select site_id as "siteId", id from rules where look_at <= ${now} order by look_at limit ${limit}`,
  run: look,
};

type Subject = { ticket: TicketRow } | { chat: SessionRow };

/** Since when a locked record has been in the state, if it still is. */
function sinceOf(on: TimeTrigger, subject: Subject): Date | null {
  if ('ticket' in subject) {
    const { status, snoozed_until, last_activity_at, unanswered_since } = subject.ticket;
    if (snoozed_until || status === 'solved' || status === 'closed') return null;
    return on === 'ticket_idle' ? last_activity_at : unanswered_since;
  }
  const { status, snoozed_until, said_at, started_at, unanswered_since } = subject.chat;
  if (snoozed_until || (status !== 'waiting' && status !== 'active')) return null;
  return on === 'chat_idle' ? (said_at ?? started_at) : unanswered_since;
}

/** Whether a person has written since the rule last ran: the rule's own messages don't start another idle time. */
async function isNewOccasion(tx: SiteContext, rule: number, subject: Subject): Promise<boolean> {
  const isTicket = 'ticket' in subject;
  const record = isTicket ? subject.ticket.id : subject.chat.id;
  const of = isTicket ? sql`u.ticket_id` : sql`u.conversation_id`;
  const said = isTicket
    ? sql`ticket_replies r where r.site_id = u.site_id and r.ticket_id = u.ticket_id and r.author_type <> 'system'
        and r.created_at > u.created_at`
    : sql`messages m where m.site_id = u.site_id and m.conversation_id = u.conversation_id
        and m.sender in ('visitor', 'agent') and m.created_at > u.created_at`;
  const { rows } = await sql<{ said: boolean }>`
    select exists (select from ${said}) as said from rule_runs u
    where u.site_id = ${tx.site.id} and ${of} = ${record} and u.rule_id = ${rule}
    order by u.id desc limit 1`.execute(tx.db);
  return rows[0]?.said ?? true;
}

/** Whether a locked record is still in the state that a rule's trigger waits for; true if a change triggers it. */
export async function isStillDue(
  tx: SiteContext,
  { id, trigger: wanted }: { id: number; trigger: RuleTrigger },
  subject: Subject,
): Promise<boolean> {
  if (isOfOffice(wanted)) return 'chat' in subject && isInState(tx, wanted.on, subject.chat.team?.id ?? null);
  if (!isTimed(wanted)) return true;
  const since = sinceOf(wanted.on, subject);
  if (!since || since.getTime() > tx.now().getTime() - wanted.minutes * MINUTE_MS) return false;
  return (wanted.on !== 'ticket_idle' && wanted.on !== 'chat_idle') || isNewOccasion(tx, id, subject);
}
