import type { OutputOf, ReportTimed } from '@foyer/protocol';
import { REPORT_SPREAD_S } from '@foyer/protocol/values/report-names';
import type { SiteContext } from '../core/context.ts';
import { lowerEdge } from './durations.ts';
import type { Measure } from './measures.ts';
import { daysOf, type Period, type Span } from './period.ts';
import { countOf, frameOf, ofMeasure, readSums, type Sum, timesOf } from './reading.ts';

/** The part of the distribution that a duration step belongs to. */
export function spreadPartOf(step: number): number {
  const seconds = lowerEdge(step);
  const part = REPORT_SPREAD_S.findIndex((upToS) => seconds <= upToS);
  return part === -1 ? REPORT_SPREAD_S.length : part;
}

function spreadOf(sums: readonly Sum[]): ReportTimed['spread'] {
  const spread = [...REPORT_SPREAD_S, null].map((up_to_s) => ({ up_to_s, count: 0 }));
  for (const { bucket, count } of sums) {
    const part = spread[spreadPartOf(bucket)];
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

/** How long people wait for a first answer and for the resolution. */
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
