import { DAY_MS } from '@foyer/protocol/values/durations';
import { formatNumber } from '../../language.ts';
import { ChartFrame } from './charts/ChartFrame.tsx';
import { DayChart } from './charts/DayChart.tsx';
import { dayLong, type Point, readablePoints } from './charts/figures.ts';
import { countTicks } from './charts/ticks.ts';
import { t } from './t.ts';

const WEEK_DAYS = 7;

interface DailyFrameProps {
  title: string;
  summary: string;
  notes: readonly string[];
  days: readonly Point[];
  /** The names of a day's parts, from the ground up. */
  series: readonly string[];
  /** Somebody wants to see what is behind a bar of so many days. */
  onOpen?: (bar: { day: string; days: number; title: string }) => void;
}

/** Of the first and the last week, a bar has only the days of the period. */
function daysOfBar(days: readonly Point[], bar: string, weekly: boolean): { day: string; days: number } {
  if (!weekly) return { day: bar, days: 1 };
  const end = new Date(Date.parse(bar) + WEEK_DAYS * DAY_MS).toISOString().slice(0, 10);
  const own = days.filter(({ day }) => day >= bar && day < end);
  return { day: own[0]?.day ?? bar, days: own.length };
}

/** Counts by day as bars and as a table, or by week if the period is long. */
export function DailyFrame({ title, summary, notes, days, series, onOpen }: DailyFrameProps) {
  const { weekly, points } = readablePoints(days);
  const nameOf = (day: string): string => (weekly ? t('week_of', { day: dayLong(day) }) : dayLong(day));
  const open = onOpen && ((day: string) => onOpen({ ...daysOfBar(days, day, weekly), title: nameOf(day) }));
  return (
    <ChartFrame
      title={title}
      summary={summary}
      notes={notes}
      table={{
        head: [weekly ? t('week') : t('day'), ...series],
        rows: points.map(({ day, parts }) => [dayLong(day), ...parts.map((part) => formatNumber(part ?? 0))]),
      }}
    >
      <DayChart
        points={points}
        series={series}
        label={summary}
        caption={weekly ? t('by_weeks') : t('by_days')}
        ticks={countTicks}
        say={formatNumber}
        nameOf={nameOf}
        {...(open ? { onOpen: open } : {})}
      />
    </ChartFrame>
  );
}
