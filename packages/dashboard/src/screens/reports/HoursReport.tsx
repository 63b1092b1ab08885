import type { ReportSpan } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { ChartFrame } from './charts/ChartFrame.tsx';
import { hourName, weekdayName } from './charts/figures.ts';
import { HeatMap, hourMeans, meanWords } from './charts/HeatMap.tsx';
import { ReportBody } from './ReportBody.tsx';
import { hoursQuery } from './report-queries.ts';
import { t } from './t.ts';

/** When chats come in: weekdays by hours. */
export function HoursReport({ span }: { span: ReportSpan }) {
  return (
    <ReportBody
      asked={useQuery(hoursQuery(span))}
      empty={({ cells }) =>
        cells.length === 0 ? { title: t('nothing'), hint: t('nothing_hint') } : undefined
      }
    >
      {(data) => {
        const means = hourMeans(data);
        const busiest = means.reduce((most, one) => (one.mean > most.mean ? one : most));
        return (
          <ChartFrame
            title={t('hours_title')}
            summary={t('hours_summary', {
              weekday: weekdayName(busiest.weekday, 'long'),
              hour: hourName(busiest.hour),
              number: meanWords(busiest.mean),
            })}
          >
            <HeatMap means={means} caption={t('hours_caption')} />
          </ChartFrame>
        );
      }}
    </ReportBody>
  );
}
