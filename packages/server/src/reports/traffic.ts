import type { OutputOf } from '@foyer/protocol';
import type { SiteContext } from '../core/context.ts';
import { daysOf, type Span, weekdayOf } from './period.ts';
import { countOf, frameOf, ofMeasure, readSums, type Sum, sharesOf } from './reading.ts';

/** The volume by day, state and origin. */
export async function reportVolume(ctx: SiteContext, span: Span): Promise<OutputOf<'reports.volume'>> {
  const { period, head } = await frameOf(ctx, span);
  const [sums, channels, earlier] = await Promise.all([
    readSums(ctx, ['chats', 'tickets'], period, ['day', 'subject']),
    readSums(ctx, ['ticket_channels'], period, ['subject']),
    readSums(ctx, ['chats', 'tickets'], period.before, []),
  ]);
  const totals = (all: readonly Sum[]) => ({
    chats: countOf(ofMeasure(all, 'chats')),
    tickets: countOf(ofMeasure(all, 'tickets')),
  });
  const byDay = Map.groupBy(sums, ({ day }) => day);
  return {
    ...head,
    now: totals(sums),
    earlier: totals(earlier),
    days: daysOf(period).map((day) => ({ day, ...totals(byDay.get(day) ?? []) })),
    chat_states: sharesOf(sums, 'chats'),
    ticket_states: sharesOf(sums, 'tickets'),
    ticket_channels: sharesOf(channels, 'ticket_channels'),
  };
}

/** The hours of the week at which chats and tickets begin. */
export async function reportHours(ctx: SiteContext, span: Span): Promise<OutputOf<'reports.hours'>> {
  const { period, head } = await frameOf(ctx, span);
  const sums = await readSums(ctx, ['chats', 'tickets'], period, ['day', 'bucket']);
  const cells = Map.groupBy(sums, ({ day, bucket }) => weekdayOf(day) * 24 + bucket);
  const weekdays = Map.groupBy(daysOf(period), weekdayOf);
  return {
    ...head,
    weekdays: [...weekdays]
      .map(([weekday, days]) => ({ weekday, days: days.length }))
      .toSorted((a, b) => a.weekday - b.weekday),
    cells: [...cells]
      .toSorted(([a], [b]) => a - b)
      .map(([place, rows]) => ({
        weekday: Math.floor(place / 24),
        hour: place % 24,
        chats: countOf(ofMeasure(rows, 'chats')),
        tickets: countOf(ofMeasure(rows, 'tickets')),
      })),
  };
}
