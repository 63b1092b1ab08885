import type { Feedback, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { feedbackPage } from '../conversations/logs.ts';
import type { SiteContext } from '../core/context.ts';
import type { Page } from '../db/keyset.ts';
import { daysOf } from './period.ts';
import { frameOf, ratedOf, readSums, type Span } from './reading.ts';

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

/** The individual ratings of these days with their comments, in order of time. */
export async function listComments(
  ctx: SiteContext,
  { rating, limit, cursor, order, ...span }: ParsedInputOf<'reports.comments'>,
): Promise<Page<Feedback>> {
  const { period, head } = await frameOf(ctx, span);
  const within = sql`
    l.created_at >= ${period.from}::timestamp at time zone ${head.time_zone}
      and l.created_at < (${period.to}::date + 1)::timestamp at time zone ${head.time_zone}
      and ${rating === undefined ? sql`true` : sql`l.rating = ${rating}`}`;
  return feedbackPage(ctx, within, { limit, cursor, order });
}
