import { formatNumber } from '../../language.ts';
import { ChartFrame } from './charts/ChartFrame.tsx';
import { DayChart } from './charts/DayChart.tsx';
import { dayLong, type Point, readablePoints } from './charts/figures.ts';
import { t } from './t.ts';

interface DailyFrameProps {
  question: string;
  answer: string;
  notes: readonly string[];
  days: readonly Point[];
  /** The names of a day's parts, from the ground up. */
  series: readonly string[];
}

/** A question that is answered by counts of each day: their bars and their table, of weeks where the days are many. */
export function DailyFrame({ question, answer, notes, days, series }: DailyFrameProps) {
  const { weekly, points } = readablePoints(days);
  return (
    <ChartFrame
      question={question}
      answer={answer}
      notes={notes}
      table={{
        head: [weekly ? t('week') : t('day'), ...series],
        rows: points.map(({ day, parts }) => [dayLong(day), ...parts.map(formatNumber)]),
      }}
    >
      <DayChart
        points={points}
        series={series}
        label={answer}
        caption={weekly ? t('by_weeks') : t('by_days')}
        say={formatNumber}
      />
    </ChartFrame>
  );
}
