import type { OutputOf, ReportSpan, ReportTimed, ReportTimes } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '../../language.ts';
import { ChartFrame } from './charts/ChartFrame.tsx';
import { DayChart } from './charts/DayChart.tsx';
import { dayLong, duration, durationOrNone } from './charts/figures.ts';
import { ShareBars } from './charts/ShareBars.tsx';
import { durationTicks } from './charts/ticks.ts';
import { ReportBody } from './ReportBody.tsx';
import { responsesQuery } from './report-queries.ts';
import { t } from './t.ts';

type Responses = OutputOf<'reports.responses'>;
const KINDS = ['chat_answers', 'chat_ends', 'ticket_answers', 'ticket_ends'] as const;

/** Times to the first response and to the end. */
export function ResponsesReport({ span }: { span: ReportSpan }) {
  return (
    <ReportBody
      asked={useQuery(responsesQuery(span))}
      empty={(data) =>
        KINDS.every((kind) => data[kind].now.count === 0) &&
        data.chat_unanswered.closed + data.chat_unanswered.waiting === 0
          ? { title: t('times_none'), hint: t('times_none_hint') }
          : undefined
      }
    >
      {(data) => KINDS.map((kind) => <Timed key={kind} kind={kind} data={data} />)}
    </ReportBody>
  );
}

const timesWords = ({ median_s, p90_s, mean_s }: ReportTimes): string =>
  median_s === null || p90_s === null || mean_s === null
    ? t('times_none')
    : t('times_summary', { median: duration(median_s), p90: duration(p90_s), mean: duration(mean_s) });

/** The lines below the summary: office hours, the previous period, chats without a reply. */
function notesOf(kind: (typeof KINDS)[number], data: Responses): string[] {
  const { earlier } = data[kind];
  const open = kind === 'chat_answers' || kind === 'ticket_answers' ? data[kind].open : null;
  const { closed, waiting } = data.chat_unanswered;
  return [
    ...(open?.median_s != null && open.p90_s !== null
      ? [t('times_open', { median: duration(open.median_s), p90: duration(open.p90_s) })]
      : []),
    ...(earlier.median_s === null ? [] : [t('times_before', { median: duration(earlier.median_s) })]),
    ...(kind === 'chat_answers' && closed > 0 ? [t('unanswered', { count: closed })] : []),
    ...(kind === 'chat_answers' && waiting > 0 ? [t('waiting', { count: waiting })] : []),
  ];
}

/** From the shortest that happened to the longest. */
function withoutEmptyEnds(spread: ReportTimed['spread']): ReportTimed['spread'] {
  const happened = (one: ReportTimed['spread'][number]): boolean => one.count > 0;
  return spread.slice(spread.findIndex(happened), spread.findLastIndex(happened) + 1);
}

function Timed({ kind, data }: { kind: (typeof KINDS)[number]; data: Responses }) {
  const { now, days, spread }: ReportTimed = data[kind];
  const summary = timesWords(now);
  const points = days.map(({ day, median_s }) => ({ day, parts: [median_s] }));
  return (
    <ChartFrame
      title={t(`title_${kind}`)}
      summary={summary}
      notes={notesOf(kind, data)}
      table={
        now.count === 0
          ? undefined
          : {
              head: [t('day'), t('number'), t('median')],
              rows: days.map(({ day, count, median_s }) => [
                dayLong(day),
                formatNumber(count),
                durationOrNone(median_s),
              ]),
            }
      }
    >
      {now.count === 0 ? null : (
        <div className="grid gap-6 md:grid-cols-2">
          <DayChart
            points={points}
            series={[t('median')]}
            label={summary}
            caption={t('median_by_days')}
            ticks={durationTicks}
            say={duration}
            nameOf={dayLong}
          />
          <ShareBars
            label={t('spread')}
            shares={withoutEmptyEnds(spread).map(({ up_to_s, count }) => ({
              name: up_to_s === null ? t('longer') : t('up_to', { length: duration(up_to_s) }),
              count,
            }))}
          />
        </div>
      )}
    </ChartFrame>
  );
}
