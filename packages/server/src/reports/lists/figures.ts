import type { ReportFigure } from '@foyer/protocol';
import type { Measure } from '../measures.ts';
import { weekdayOf } from '../period.ts';
import type { Sum } from '../reading.ts';
import { spreadPartOf } from '../responses.ts';

/** A figure of a report, and its chosen part. */
export interface Figure {
  figure: ReportFigure;
  of?: string | undefined;
  part?: number | undefined;
  weekday?: number | undefined;
}

/** Figures that consist of several measures. */
const JOINED: Partial<Record<ReportFigure, readonly Measure[]>> = {
  arrivals: ['chats', 'tickets'],
  tags: ['chat_tags', 'ticket_tags'],
};

/** The measures whose sum a figure is. */
export const measuresOf = ({ figure }: Figure): readonly Measure[] => JOINED[figure] ?? [figure as Measure];

const isTimed = (figure: ReportFigure): boolean => /_(answers|ends)$/.test(figure);

function isOf({ figure, of }: Figure, subject: string): boolean {
  if (of === undefined) return true;
  if (figure === 'ratings' && of === 'team') return subject !== '';
  if (figure === 'ratings' && of === 'bot') return subject === '';
  return subject === of;
}

/** Whether a sum belongs to the chosen part of the figure. */
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
