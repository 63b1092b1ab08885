import type { ReportHead, ReportTimes } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { createCalendar } from './calendar.ts';
import { quantileOf } from './durations.ts';
import { type Measure, type StoredMeasure, storedMeasure } from './measures.ts';
import { type Days, type Period, periodOf, type Span } from './period.ts';

/** A report's period, and its header. */
interface Frame {
  readonly period: Period;
  readonly head: ReportHead;
}

interface StandingRow {
  time_zone: string;
  counted_at: Date | null;
  behind: boolean;
}

/** The header that every report has. */
export async function frameOf(ctx: SiteContext, span: Span): Promise<Frame> {
  const { rows } = await sql<StandingRow>`
    select coalesce(r.time_zone, s.office_hours ->> 'time_zone', s.time_zone) as time_zone, r.counted_at,
      coalesce(r.chats_below, r.tickets_below) is not null as behind
    from sites s left join report_sites r on r.site_id = s.id
    where s.id = ${ctx.site.id}`.execute(ctx.db);
  const [row] = rows;
  const time_zone = row?.time_zone ?? 'UTC';
  const period = periodOf(span, createCalendar(time_zone, null).dayOf(ctx.now()));
  const { from, to, before } = period;
  const counted_utc = row?.counted_at?.toISOString() ?? null;
  const catching_up = row?.behind ?? false;
  return {
    period,
    head: {
      period: { from, to },
      before: { from: before.from, to: before.to },
      time_zone,
      counted_utc,
      catching_up,
    },
  };
}

/** A sum over all rows that agree in the requested fields; the other fields are empty or 0. */
export interface Sum {
  readonly measure: Measure;
  readonly day: string;
  readonly subject: string;
  readonly bucket: number;
  readonly count: number;
  readonly total: number;
}

type By = 'day' | 'subject' | 'bucket';

/** A sum under the measure as it is stored. */
export type StoredSum = Omit<Sum, 'measure'> & { readonly measure: StoredMeasure };

/** Sums of some measures, of everybody or of teams, over some days, grouped by the named fields. */
export async function readStoredSums(
  { db, site }: SiteContext,
  measures: readonly StoredMeasure[],
  { from, to }: Days,
  by: readonly By[],
): Promise<StoredSum[]> {
  const [day, subject, bucket] = (['day', 'subject', 'bucket'] as const).map((one) => by.includes(one));
  const { rows } = await sql<StoredSum>`
    select measure, ${day ? sql`day` : sql`''`} as day, ${subject ? sql`subject` : sql`''`} as subject,
      ${bucket ? sql`bucket` : sql`0`} as bucket, sum(count)::bigint as count, sum(total)::bigint as total
    from report_days
    where site_id = ${site.id} and measure = any (${measures}::text[]) and day between ${from} and ${to}
    group by 1, 2, 3, 4`.execute(db);
  return rows;
}

/** Sums of some measures over some days of everybody or, with one, the team, grouped by the named fields. */
export async function readSums(
  ctx: SiteContext,
  measures: readonly Measure[],
  days: Days,
  by: readonly By[],
): Promise<Sum[]> {
  const stored = new Map(measures.map((one) => [storedMeasure(one, days.teamId), one]));
  const sums = await readStoredSums(ctx, [...stored.keys()], days, by);
  return sums.flatMap((sum) => {
    const measure = stored.get(sum.measure);
    return measure ? { ...sum, measure } : [];
  });
}

/** The sums of one measure. */
export const ofMeasure = (sums: readonly Sum[], measure: Measure): Sum[] =>
  sums.filter((sum) => sum.measure === measure);

/** The total of all counts, whatever their measures: filter with `ofMeasure` first. */
export const countOf = (sums: readonly Sum[]): number => sums.reduce((all, { count }) => all + count, 0);

/** Counts by subject, highest first. */
export function sharesOf(sums: readonly Sum[], measure: Measure): { name: string; count: number }[] {
  const own = Map.groupBy(ofMeasure(sums, measure), ({ subject }) => subject);
  return [...own]
    .map(([name, rows]) => ({ name, count: countOf(rows) }))
    .toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name));
}

/** Median, 90th percentile and mean of durations. */
export function timesOf(sums: readonly Sum[]): ReportTimes {
  const count = countOf(sums);
  const steps = sums.map((sum) => ({ step: sum.bucket, count: sum.count }));
  const total = sums.reduce((all, sum) => all + sum.total, 0);
  return {
    count,
    median_s: quantileOf(steps, 0.5),
    p90_s: quantileOf(steps, 0.9),
    mean_s: count === 0 ? null : Math.round(total / count),
  };
}

const RATINGS = [1, 2, 3, 4, 5] as const;

/** Ratings with their average. */
export function ratedOf(sums: readonly Sum[]) {
  const ratings = RATINGS.map((rating) => countOf(sums.filter(({ bucket }) => bucket === rating)));
  const count = countOf(sums);
  const points = sums.reduce((all, sum) => all + sum.bucket * sum.count, 0);
  return { count, average: count === 0 ? null : Math.round((points / count) * 100) / 100, ratings };
}
