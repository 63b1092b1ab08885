import {
  type ErrorCode,
  type ErrorReason,
  type RecordCondition,
  RULE_RUNS_PER_HOUR_MAX,
  type RuleOutcome,
  type RuleSubject,
  type StoredFailure,
} from '@foyer/protocol';
import { HOUR_MS } from '@foyer/protocol/values/durations';
import { type Selectable, sql } from 'kysely';
import { AppError, isDeadlock, toAppError } from '../../base/errors.ts';
import { lockSession, type SessionRow } from '../../conversations/sessions.ts';
import type { SiteContext } from '../../core/context.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { goneIn } from '../../tickets/conditions/gone.ts';
import { judgeRecords } from '../../tickets/conditions/judge.ts';
import { lockTicket, type TicketRow } from '../../tickets/tickets.ts';
import { countFailures } from '../disabling.ts';
import type { RuleRow } from '../rules.ts';
import { actOnChat } from './act-on-chat.ts';
import { actOnTicket } from './act-on-ticket.ts';
import { isStillDue } from './looks.ts';
import { isTriggered } from './triggers.ts';

type EventRow = Selectable<Tables['rule_events']>;

/** The longest chain of rules that trigger each other; then they are stopped. */
const CHAIN_MAX = 10;

/** The locked chat or ticket of an event. */
type Subject = { kind: RuleSubject; id: number; isSpam: boolean } & (
  | { kind: 'ticket'; ticket: TicketRow }
  | { kind: 'chat'; chat: SessionRow }
);

/** Undefined if it was deleted meanwhile. */
async function lockSubject(
  tx: SiteContext,
  { ticket_id, session_id }: EventRow,
): Promise<Subject | undefined> {
  try {
    if (ticket_id !== null) {
      const ticket = await lockTicket(tx, ticket_id);
      return { kind: 'ticket', id: ticket.id, isSpam: ticket.spam_at !== null, ticket };
    }
    const chat = await lockSession(tx, session_id ?? '');
    return { kind: 'chat', id: chat.id, isSpam: chat.spam_at !== null, chat };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** The enabled rules for such an event, in their order. */
const rulesFor = ({ db, site }: SiteContext, event: string): Promise<RuleRow[]> =>
  db
    .selectFrom('rules')
    .selectAll()
    .where('site_id', '=', site.id)
    .where('enabled_at', 'is not', null)
    .where(sql<boolean>`${event} = any (events)`)
    .orderBy('position')
    .orderBy('id')
    .execute();

interface Run {
  rule: RuleRow;
  because: RecordCondition[];
  outcome: RuleOutcome;
  failure: StoredFailure | null;
  chain: readonly number[];
}

async function record(tx: SiteContext, event: EventRow, subject: Subject, run: Run): Promise<void> {
  await tx.db
    .insertInto('rule_runs')
    .values({
      site_id: tx.site.id,
      rule_id: run.rule.id,
      ticket_id: subject.kind === 'ticket' ? subject.id : null,
      conversation_id: subject.kind === 'chat' ? subject.id : null,
      event: event.event,
      because: JSON.stringify(run.because),
      outcome: run.outcome,
      message: run.failure?.message ?? null,
      failure: run.failure && JSON.stringify(run.failure),
      chain: [...run.chain],
      created_at: tx.now(),
    })
    .execute();
}

/** How often a rule ran on a record in the last hour: a loop through another program has no chain that shows it. */
async function runsOf(tx: SiteContext, { kind, id }: Subject, ruleId: number): Promise<number> {
  const of = kind === 'ticket' ? sql`ticket_id` : sql`conversation_id`;
  const { rows } = await sql<{ runs: number }>`
    select count(*)::int as runs from rule_runs
    where site_id = ${tx.site.id} and ${of} = ${id} and rule_id = ${ruleId}
      and created_at > ${new Date(tx.now().getTime() - HOUR_MS)}`.execute(tx.db);
  return rows[0]?.runs ?? 0;
}

/** Why a rule that matches doesn't run; undefined if it does. */
async function whyStopped(
  tx: SiteContext,
  subject: Subject,
  { id }: RuleRow,
  chain: readonly number[],
): Promise<StoredFailure | undefined> {
  if (chain.length >= CHAIN_MAX)
    return {
      code: 'conflict',
      message: `${CHAIN_MAX} rules have already followed from one change.`,
      reason: 'rule_chain',
      values: { count: CHAIN_MAX },
    };
  if ((await runsOf(tx, subject, id)) < RULE_RUNS_PER_HOUR_MAX) return undefined;
  return {
    code: 'conflict',
    message: `It has run ${RULE_RUNS_PER_HOUR_MAX} times on this record within an hour.`,
    reason: 'rule_too_often',
    values: { count: RULE_RUNS_PER_HOUR_MAX },
  };
}

/** Reasons for errors of a saved rule that have none when agents cause them by hand. */
const REASONS: Partial<Record<ErrorCode, ErrorReason>> = {
  not_found: 'rule_record_gone',
  invalid_input: 'rule_field_refused',
};

function storedFailure({ code, message, reason = REASONS[code], values }: AppError): StoredFailure {
  return { code, message, ...(reason && { reason }), ...(values && { values }) };
}

/**
 * Runs a rule's actions, in a savepoint: a failure undoes them, and later rules still run.
 * @returns the failure; null if there was none
 * @throws if the database is away or the transaction has to be repeated
 */
async function act(tx: SiteContext, subject: Subject, rule: RuleRow): Promise<StoredFailure | null> {
  try {
    await tx.attempt((inner) =>
      subject.kind === 'ticket'
        ? actOnTicket(inner, subject.ticket, rule)
        : actOnChat(inner, subject.chat, rule),
    );
    return null;
  } catch (error) {
    const failure = toAppError(error);
    if (failure.code === 'unavailable' || isDeadlock(error)) throw error;
    if (failure.code === 'internal') tx.log.error({ err: error, rule_id: rule.id }, 'a rule failed');
    return storedFailure(failure);
  }
}

async function runOne(
  tx: SiteContext,
  event: EventRow,
  subject: Subject,
  rule: RuleRow,
  { because, chain }: Pick<Run, 'because' | 'chain'>,
): Promise<RuleOutcome> {
  const stopped = await whyStopped(tx, subject, rule, chain);
  const own = tx.causedBy({ eventId: event.id, chain: [...chain, rule.id] });
  const failure = stopped ? null : await act(own, subject, rule);
  const outcome = stopped ? 'stopped' : failure ? 'failed' : 'done';
  await record(tx, event, subject, { rule, because, outcome, failure: stopped ?? failure, chain });
  if (!stopped) await countFailures(tx, rule, failure);
  return outcome;
}

/** Without the timed rules that the record no longer waits for. */
async function stillDue(tx: SiteContext, subject: Subject, rules: readonly RuleRow[]): Promise<RuleRow[]> {
  const due: RuleRow[] = [];
  for (const rule of rules) if (await isStillDue(tx, rule, subject)) due.push(rule);
  return due;
}

/** Logs the rules whose conditions name records that the site no longer has. @returns the others */
async function withoutGone(
  tx: SiteContext,
  event: EventRow,
  subject: Subject,
  rules: readonly RuleRow[],
): Promise<RuleRow[]> {
  const gone = await goneIn(
    tx,
    subject.kind,
    rules.map(({ conditions }) => conditions),
  );
  for (const [at, found] of gone.entries()) {
    const rule = rules[at];
    if (!found || !rule) continue;
    const failure: StoredFailure = { code: 'not_found', ...found };
    await record(tx, event, subject, { rule, because: [], outcome: 'failed', failure, chain: event.chain });
    await countFailures(tx, rule, failure);
  }
  return rules.filter((_, at) => gone[at] === undefined);
}

/**
 * Runs a site's rules on one change, in their order. Each sees the results of the ones before it. Every change that
 * follows carries all rules that ran, so each runs at most once.
 */
async function runRules(tx: SiteContext, event: EventRow): Promise<void> {
  const triggered = (await rulesFor(tx, event.event)).filter(
    (rule) => isTriggered(rule, event) && !event.chain.includes(rule.id),
  );
  if (triggered.length === 0) return;
  const chain = [...event.chain];
  let rest: RuleRow[] | undefined;
  for (;;) {
    const subject = await lockSubject(tx, event);
    if (!subject || subject.isSpam) return;
    rest ??= await withoutGone(tx, event, subject, await stillDue(tx, subject, triggered));
    if (rest.length === 0) break;
    const conditions = rest.map((rule) => rule.conditions);
    const verdicts = (await judgeRecords(tx, subject.kind, [subject.id], conditions)).get(subject.id);
    const at = verdicts?.findIndex((verdict) => verdict !== undefined) ?? -1;
    const [rule, because] = [rest[at], verdicts?.[at]];
    if (!rule || !because) break;
    const outcome = await runOne(tx, event, subject, rule, { because, chain });
    if (outcome === 'done') chain.push(rule.id);
    if (outcome === 'done' && rule.is_final) break;
    rest = rest.slice(at + 1);
  }
  await sql`
    update rule_events set chain = ${chain}::bigint[]
    where site_id = ${tx.site.id} and cause_id = ${event.id}`.execute(tx.db);
}

/**
 * Runs the rules that look at a stored change, and removes it, in one transaction: a process that dies leaves it for
 * another, and none runs it twice. Does nothing if another process has it.
 */
export async function runRuleEvent(ctx: SiteContext, id: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    const event = await tx.db
      .selectFrom('rule_events')
      .selectAll()
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!event) return;
    await runRules(tx, event);
    await tx.db.deleteFrom('rule_events').where('site_id', '=', tx.site.id).where('id', '=', id).execute();
  });
}
