import type { ReportFigure } from '@foyer/protocol';
import type { Measure } from './measures.ts';
import { weekdayOf } from './period.ts';
import type { Sum } from './reading.ts';
import { spreadPartOf } from './responses.ts';

/** A figure of a report, and which part of it. */
export interface Figure {
  figure: ReportFigure;
  of?: string | undefined;
  part?: number | undefined;
  weekday?: number | undefined;
}

/** Those that are several measures together. */
const JOINED: Partial<Record<ReportFigure, readonly Measure[]>> = {
  arrivals: ['chats', 'tickets'],
  tags: ['chat_tags', 'ticket_tags'],
};

/** What a figure is the sum of. */
export const measuresOf = ({ figure }: Figure): readonly Measure[] => JOINED[figure] ?? [figure as Measure];

const isTimed = (figure: ReportFigure): boolean => /_(answers|ends)$/.test(figure);

function isOf({ figure, of }: Figure, subject: string): boolean {
  if (of === undefined) return true;
  if (figure === 'ratings' && of === 'team') return subject !== '';
  if (figure === 'ratings' && of === 'bot') return subject === '';
  return subject === of;
}

/** Whether a sum of the figure's measures is in the part that was chosen. */
export function isInFigure(
  chosen: Figure,
  { day, subject, bucket }: Pick<Sum, 'day' | 'subject' | 'bucket'>,
) {
  const { figure, part, weekday } = chosen;
  return (
    isOf(chosen, subject) &&
    (part === undefined || part === (isTimed(figure) ? spreadPartOf(bucket) : bucket)) &&
    (weekday === undefined || weekday === weekdayOf(day))
  );
}
