import type { OutputOf, ReportSpan, ReportTimed, ReportTimes } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ChartFrame } from './charts/ChartFrame.tsx';
import { DayChart } from './charts/DayChart.tsx';
import { dayLong, duration, durationOrNone } from './charts/figures.ts';
import { type Share, ShareBars } from './charts/ShareBars.tsx';
import { durationTicks } from './charts/ticks.ts';
import { countLink, figureLink, useOpenFigure } from './FigureLink.tsx';
import { spreadName } from './figure-words.ts';
import { ReportBody } from './ReportBody.tsx';
import { responsesQuery } from './report-queries.ts';
import { t } from './t.ts';

type Responses = OutputOf<'reports.responses'>;
const KINDS = ['chat_answers', 'chat_ends', 'ticket_answers', 'ticket_ends'] as const;

/** Times to the first response and to the resolution. */
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

/** The number of conversations that the times were computed from. */
function countedWords(show: (typeof KINDS)[number], count: number): ReactNode {
  if (count === 0) return null;
  const words = show.startsWith('chat') ? t('chats', { count }) : t('tickets', { count });
  return t.rich('times_from', { number: figureLink(count, words, { show }) });
}

const unanswered = (of: string, words: string, count: number): ReactNode =>
  count === 0 ? null : figureLink(count, words, { show: 'chat_unanswered', of });

/** The lines below the summary: office hours, the previous period, chats without a reply. */
function notesOf(kind: (typeof KINDS)[number], data: Responses): ReactNode[] {
  const { earlier } = data[kind];
  const open = kind === 'chat_answers' || kind === 'ticket_answers' ? data[kind].open : null;
  const { closed, waiting } = data.chat_unanswered;
  return [
    ...(open?.median_s != null && open.p90_s !== null
      ? [t('times_open', { median: duration(open.median_s), p90: duration(open.p90_s) })]
      : []),
    ...(earlier.median_s === null ? [] : [t('times_before', { median: duration(earlier.median_s) })]),
    ...(kind === 'chat_answers' ? [unanswered('closed', t('unanswered', { count: closed }), closed)] : []),
    ...(kind === 'chat_answers' ? [unanswered('waiting', t('waiting', { count: waiting }), waiting)] : []),
  ];
}

/** From the shortest to the longest time that occurred. */
function spreadShares(show: (typeof KINDS)[number], spread: ReportTimed['spread']): Share[] {
  const shares = spread.map(({ count }, part) => ({ name: spreadName(part), count, figure: { show, part } }));
  const happened = ({ count }: Share): boolean => count > 0;
  return shares.slice(shares.findIndex(happened), shares.findLastIndex(happened) + 1);
}

function Timed({ kind, data }: { kind: (typeof KINDS)[number]; data: Responses }) {
  const { now, days, spread }: ReportTimed = data[kind];
  const openFigure = useOpenFigure();
  const summary = timesWords(now);
  const points = days.map(({ day, median_s }) => ({ day, parts: [median_s] }));
  return (
    <ChartFrame
      title={t(`title_${kind}`)}
      summary={
        <>
          {summary} {countedWords(kind, now.count)}
        </>
      }
      notes={notesOf(kind, data)}
      table={
        now.count === 0
          ? undefined
          : {
              head: [t('day'), t('number'), t('median')],
              rows: days.map(({ day, count, median_s }) => [
                dayLong(day),
                countLink(count, { show: kind, day, days: 1 }),
                countLink(count, { show: kind, day, days: 1 }, durationOrNone(median_s)),
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
            onOpen={(day) => openFigure({ show: kind, day, days: 1 })}
          />
          <ShareBars label={t('spread')} shares={spreadShares(kind, spread)} />
        </div>
      )}
    </ChartFrame>
  );
}
