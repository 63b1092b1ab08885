import { DAY_MS } from '@foyer/protocol/values/durations';
import type { ReactNode } from 'react';
import { formatNumber } from '../../language.ts';
import { ChartFrame } from './charts/ChartFrame.tsx';
import { DayChart } from './charts/DayChart.tsx';
import { dayLong, type Point, readablePoints } from './charts/figures.ts';
import { countTicks } from './charts/ticks.ts';
import { countLink, useOpenFigure } from './FigureLink.tsx';
import type { Figure } from './report-search.ts';
import { t } from './t.ts';

const WEEK_DAYS = 7;

interface DailyFrameProps {
  title: string;
  summary: ReactNode;
  /** The summary without links. */
  label: string;
  notes: readonly ReactNode[];
  days: readonly Point[];
  /** The names of a day's parts, from the bottom up. */
  series: readonly string[];
  /** The figure of a bar, or of one of its parts. */
  figureOf: (part?: number) => Figure;
}

/** In the first and last week, a bar only has the days of the period. */
function daysOfBar(days: readonly Point[], bar: string, weekly: boolean): { day: string; days: number } {
  if (!weekly) return { day: bar, days: 1 };
  const end = new Date(Date.parse(bar) + WEEK_DAYS * DAY_MS).toISOString().slice(0, 10);
  const own = days.filter(({ day }) => day >= bar && day < end);
  return { day: own[0]?.day ?? bar, days: own.length };
}

/** Counts by day as bars and a table; by week if the period is long. */
export function DailyFrame({ title, summary, label, notes, days, series, figureOf }: DailyFrameProps) {
  const { weekly, points } = readablePoints(days);
  const nameOf = (day: string): string => (weekly ? t('week_of', { day: dayLong(day) }) : dayLong(day));
  const openFigure = useOpenFigure();
  const figureAt = (day: string, part?: number): Figure => ({
    ...figureOf(part),
    ...daysOfBar(days, day, weekly),
  });
  return (
    <ChartFrame
      title={title}
      summary={summary}
      notes={notes}
      table={{
        head: [weekly ? t('week') : t('day'), ...series],
        rows: points.map(({ day, parts }) => [
          dayLong(day),
          ...parts.map((part, at) => countLink(part ?? 0, figureAt(day, at))),
        ]),
      }}
    >
      <DayChart
        points={points}
        series={series}
        label={label}
        caption={weekly ? t('by_weeks') : t('by_days')}
        ticks={countTicks}
        say={formatNumber}
        nameOf={nameOf}
        onOpen={(day) => openFigure(figureAt(day))}
      />
    </ChartFrame>
  );
}
