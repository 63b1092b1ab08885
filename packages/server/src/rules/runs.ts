import type {
  OutputOf,
  ParsedInputOf,
  RecordCondition,
  RuleEvent,
  RuleOutcome,
  StoredFailure,
} from '@foyer/protocol';
import { DAY_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { idPage } from '../db/keyset.ts';

interface RunRow {
  id: number;
  rule_id: number;
  rule_name: string;
  ticket_id: number | null;
  session_id: string | null;
  title: string;
  event: RuleEvent;
  because: RecordCondition[];
  outcome: RuleOutcome;
  message: string | null;
  failure: StoredFailure | null;
  chain: number[];
  created_at: Date;
}

const presentRun = (row: RunRow): OutputOf<'rule_runs.list'>['items'][number] => ({
  id: row.id,
  rule: { id: row.rule_id, name: row.rule_name },
  ticket_id: row.ticket_id,
  session_id: row.session_id,
  title: row.title,
  event: row.event,
  because: row.because,
  outcome: row.outcome,
  message: row.message,
  failure: row.failure,
  chain: row.chain,
  created_utc: row.created_at.toISOString(),
});

/** The runs of rules, newest first. */
export function listRuns(
  ctx: SiteContext,
  { rule_id, ticket_id, session_id, outcome, ...paging }: ParsedInputOf<'rule_runs.list'>,
): Promise<OutputOf<'rule_runs.list'>> {
  const runs = ctx.db
    .selectFrom('rule_runs as u')
    .innerJoin('rules as r', (join) =>
      join.onRef('r.site_id', '=', 'u.site_id').onRef('r.id', '=', 'u.rule_id'),
    )
    .leftJoin('conversations as c', (join) =>
      join.onRef('c.site_id', '=', 'u.site_id').onRef('c.id', '=', 'u.conversation_id'),
    )
    .leftJoin('visitors as v', (join) =>
      join.onRef('v.site_id', '=', 'c.site_id').onRef('v.id', '=', 'c.visitor_id'),
    )
    .leftJoin('tickets as t', (join) =>
      join.onRef('t.site_id', '=', 'u.site_id').onRef('t.id', '=', 'u.ticket_id'),
    )
    .where('u.site_id', '=', ctx.site.id)
    .select([
      'u.id',
      'u.rule_id',
      'r.name as rule_name',
      'u.ticket_id',
      'c.session_id',
      'u.event',
      'u.because',
    ])
    .select(sql<string>`coalesce(t.subject, c.about, v.name, '')`.as('title'))
    .select(['u.outcome', 'u.message', 'u.failure', 'u.chain', 'u.created_at'])
    .$if(rule_id !== undefined, (all) => all.where('u.rule_id', '=', rule_id ?? 0))
    .$if(ticket_id !== undefined, (all) => all.where('u.ticket_id', '=', ticket_id ?? 0))
    .$if(session_id !== undefined, (all) =>
      all.where(sql<boolean>`u.conversation_id = (
        select id from conversations where site_id = ${ctx.site.id} and session_id = ${session_id ?? ''})`),
    )
    .$if(outcome !== undefined, (all) => all.where('u.outcome', '=', outcome ?? 'done'));
  return idPage(runs, paging, presentRun, 'u.id');
}

const FAILURES_DAYS = 7;
/**
 * How many of the newest runs are read to count failures: a rule that always fails must not make the list of rules
 * slow.
 */
const FAILURES_MAX = 1_000;

/** When each rule ran last, and how often it failed lately. */
export async function ruleUses(ctx: SiteContext): Promise<OutputOf<'rules.uses'>> {
  const { db, site } = ctx;
  const since = new Date(ctx.now().getTime() - FAILURES_DAYS * DAY_MS);
  const { rows } = await sql<{ id: number; last_run_at: Date | null; failures: number }>`
    select r.id, last.created_at as last_run_at, coalesce(f.failures, 0) as failures
    from rules r
    left join lateral (
      select created_at from rule_runs u where u.site_id = r.site_id and u.rule_id = r.id order by u.id desc limit 1
    ) last on true
    left join (
      select rule_id, count(*)::int as failures
      from (
        select rule_id, created_at from rule_runs
        where site_id = ${site.id} and outcome = 'failed' order by id desc limit ${FAILURES_MAX}
      ) newest
      where created_at > ${since} group by rule_id
    ) f on f.rule_id = r.id
    where r.site_id = ${site.id} order by r.position, r.id`.execute(db);
  return {
    rules: rows.map(({ id, last_run_at, failures }) => ({
      id,
      last_run_utc: last_run_at?.toISOString() ?? null,
      failures,
    })),
  };
}
