import type { OutputOf } from '@foyer/protocol';
import type { SiteContext } from '../core/context.ts';
import { daysOf, type Span } from './period.ts';
import { frameOf, ratedOf, readSums } from './reading.ts';

/** Visitors' ratings by day, for people and for the bot. */
export async function reportSatisfaction(
  ctx: SiteContext,
  span: Span,
): Promise<OutputOf<'reports.satisfaction'>> {
  const { period, head } = await frameOf(ctx, span);
  const [sums, earlier] = await Promise.all([
    readSums(ctx, ['ratings'], period, ['day', 'subject', 'bucket']),
    readSums(ctx, ['ratings'], period.before, ['bucket']),
  ]);
  const byDay = Map.groupBy(sums, ({ day }) => day);
  return {
    ...head,
    now: ratedOf(sums),
    earlier: ratedOf(earlier),
    days: daysOf(period).map((day) => {
      const { count, average } = ratedOf(byDay.get(day) ?? []);
      return { day, count, average };
    }),
    team: ratedOf(sums.filter(({ subject }) => subject !== '')),
    bot: ratedOf(sums.filter(({ subject }) => subject === '')),
  };
}
