import type { OutputOf, ParsedInputOf, RecordCondition, RuleEvent, RuleOutcome } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { idPage } from '../db/keyset.ts';

interface RunRow {
  id: number;
  rule_id: number;
  rule_name: string;
  ticket_id: number | null;
  session_id: string | null;
  event: RuleEvent;
  because: RecordCondition[];
  outcome: RuleOutcome;
  message: string | null;
  chain: number[];
  created_at: Date;
}

const presentRun = (row: RunRow): OutputOf<'rule_runs.list'>['items'][number] => ({
  id: row.id,
  rule: { id: row.rule_id, name: row.rule_name },
  ticket_id: row.ticket_id,
  session_id: row.session_id,
  event: row.event,
  because: row.because,
  outcome: row.outcome,
  message: row.message,
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
    .select(['u.outcome', 'u.message', 'u.chain', 'u.created_at'])
    .$if(rule_id !== undefined, (all) => all.where('u.rule_id', '=', rule_id ?? 0))
    .$if(ticket_id !== undefined, (all) => all.where('u.ticket_id', '=', ticket_id ?? 0))
    .$if(session_id !== undefined, (all) =>
      all.where(sql<boolean>`u.conversation_id = (
        select id from conversations where site_id = ${ctx.site.id} and session_id = ${session_id ?? ''})`),
    )
    .$if(outcome !== undefined, (all) => all.where('u.outcome', '=', outcome ?? 'done'));
  return idPage(runs, paging, presentRun, 'u.id');
}
