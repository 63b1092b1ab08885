import type { OutputOf, ReportTimed } from '@foyer/protocol';
import { DAY_S, HOUR_S, MINUTE_S } from '@foyer/protocol/values/durations';
import type { SiteContext } from '../core/context.ts';
import { lowerEdge } from './durations.ts';
import type { Measure } from './measures.ts';
import { daysOf, type Period } from './period.ts';
import { countOf, frameOf, ofMeasure, readSums, type Span, type Sum, timesOf } from './reading.ts';

/** What people tell apart when they wait for an answer, and when they wait for an end. */
const SPREAD_S = [30, MINUTE_S, 5 * MINUTE_S, 15 * MINUTE_S, HOUR_S, 4 * HOUR_S, DAY_S, 3 * DAY_S] as const;

function spreadOf(sums: readonly Sum[]): ReportTimed['spread'] {
  const spread = [...SPREAD_S, null].map((up_to_s) => ({ up_to_s, count: 0 }));
  for (const { bucket, count } of sums) {
    const seconds = lowerEdge(bucket);
    const part = spread.find(({ up_to_s }) => up_to_s === null || seconds <= up_to_s);
    if (part) part.count += count;
  }
  return spread;
}

function timed(measure: Measure, sums: readonly Sum[], earlier: readonly Sum[], period: Period): ReportTimed {
  const own = ofMeasure(sums, measure);
  const byDay = Map.groupBy(own, ({ day }) => day);
  return {
    now: timesOf(own),
    earlier: timesOf(ofMeasure(earlier, measure)),
    days: daysOf(period).map((day) => {
      const { count, median_s } = timesOf(byDay.get(day) ?? []);
      return { day, count, median_s };
    }),
    spread: spreadOf(own),
  };
}

/** How long people wait for a first answer, and until all is done. */
export async function reportResponses(ctx: SiteContext, span: Span): Promise<OutputOf<'reports.responses'>> {
  const { period, head } = await frameOf(ctx, span);
  const measures = ['chat_answers', 'chat_ends', 'ticket_answers', 'ticket_ends'] as const;
  const inHours = ['chat_answers_open', 'ticket_answers_open'] as const;
  const [sums, earlier, open, unanswered] = await Promise.all([
    readSums(ctx, measures, period, ['day', 'bucket']),
    readSums(ctx, measures, period.before, ['bucket']),
    readSums(ctx, inHours, period, ['bucket']),
    readSums(ctx, ['chat_unanswered'], period, ['subject']),
  ]);
  const openOf = (measure: (typeof inHours)[number]) => {
    const own = ofMeasure(open, measure);
    return own.length === 0 ? null : timesOf(own);
  };
  const unansweredOf = (subject: string): number =>
    countOf(unanswered.filter((sum) => sum.subject === subject));
  return {
    ...head,
    chat_answers: { ...timed('chat_answers', sums, earlier, period), open: openOf('chat_answers_open') },
    chat_unanswered: { closed: unansweredOf('closed'), waiting: unansweredOf('waiting') },
    chat_ends: timed('chat_ends', sums, earlier, period),
    ticket_answers: {
      ...timed('ticket_answers', sums, earlier, period),
      open: openOf('ticket_answers_open'),
    },
    ticket_ends: timed('ticket_ends', sums, earlier, period),
  };
}
