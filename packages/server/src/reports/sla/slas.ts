import { type OutputOf, type ReportKept, SLA_TARGETS } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { daysOf, type Span } from '../period.ts';
import { countOf, frameOf, ofMeasure, readSums, type Sum } from '../reading.ts';
import { isMissed, targetOf } from './sla-counts.ts';

/** Only those with the most targets are shown; names of deleted ones would fill the list. */
const SHOWN = 200;

/** How many targets were met and missed. */
export const keptOf = (sums: readonly Sum[]): ReportKept => ({
  met: countOf(sums.filter(({ bucket }) => !isMissed(bucket))),
  missed: countOf(sums.filter(({ bucket }) => isMissed(bucket))),
});

type KeptBy = OutputOf<'reports.slas'>['policies'];

/** Targets met and missed by the ids in the subjects, with the names of those that still exist. */
async function keptBy(
  { db, site }: SiteContext,
  table: 'sla_policies' | 'teams' | 'agents',
  sums: readonly Sum[],
): Promise<KeptBy> {
  const bySubject = [...Map.groupBy(sums, ({ subject }) => subject)];
  const most = bySubject.toSorted(([, a], [, b]) => countOf(b) - countOf(a)).slice(0, SHOWN);
  const ids = most.map(([subject]) => Number(subject));
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from ${sql.table(table)} where site_id = ${site.id} and id = any (${ids}::bigint[])`.execute(
    db,
  );
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return most.map(([subject, own]) => {
    const id = subject === '' ? null : Number(subject);
    return { id, name: id === null ? null : (names.get(id) ?? null), ...keptOf(own) };
  });
}

/** How many targets of SLAs were met and missed, by policy, team and assignee. */
export async function reportSlas(ctx: SiteContext, span: Span): Promise<OutputOf<'reports.slas'>> {
  const { period, head } = await frameOf(ctx, span);
  const [daily, earlier, sums] = await Promise.all([
    readSums(ctx, ['sla_policies'], period, ['day', 'bucket']),
    readSums(ctx, ['sla_policies'], period.before, ['bucket']),
    readSums(ctx, ['sla_policies', 'sla_teams', 'sla_agents'], period, ['subject', 'bucket']),
  ]);
  const byDay = Map.groupBy(daily, ({ day }) => day);
  return {
    ...head,
    now: keptOf(daily),
    earlier: keptOf(earlier),
    days: daysOf(period).map((day) => ({ day, ...keptOf(byDay.get(day) ?? []) })),
    targets: SLA_TARGETS.map((target) => ({
      target,
      ...keptOf(daily.filter(({ bucket }) => targetOf(bucket) === target)),
    })),
    policies: await keptBy(ctx, 'sla_policies', ofMeasure(sums, 'sla_policies')),
    teams: await keptBy(ctx, 'teams', ofMeasure(sums, 'sla_teams')),
    agents: await keptBy(ctx, 'agents', ofMeasure(sums, 'sla_agents')),
  };
}
