import { formatNumber } from '../../language.ts';
import { ChartFrame } from './charts/ChartFrame.tsx';
import { DayChart } from './charts/DayChart.tsx';
import { dayLong, type Point, readablePoints } from './charts/figures.ts';
import { countTicks } from './charts/ticks.ts';
import { t } from './t.ts';

interface DailyFrameProps {
  title: string;
  summary: string;
  notes: readonly string[];
  days: readonly Point[];
  /** The names of a day's parts, from the ground up. */
  series: readonly string[];
}

/** Counts by day as bars and as a table, or by week if the period is long. */
export function DailyFrame({ title, summary, notes, days, series }: DailyFrameProps) {
  const { weekly, points } = readablePoints(days);
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
        nameOf={(day) => (weekly ? t('week_of', { day: dayLong(day) }) : dayLong(day))}
      />
    </ChartFrame>
  );
}
