import type { OutputOf, ReportSpan } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '../../language.ts';
import { ChartFrame } from './ChartFrame.tsx';
import { DayChart } from './DayChart.tsx';
import { changeWords, dayLong, daysIn, percentOf, readablePoints } from './figures.ts';
import { ReportBody } from './ReportBody.tsx';
import { volumeQuery } from './report-queries.ts';
import { type Share, ShareBars } from './ShareBars.tsx';
import { t } from './t.ts';

type Volume = OutputOf<'reports.volume'>;

export function VolumeReport({ span }: { span: ReportSpan }) {
  return (
    <ReportBody
      asked={useQuery(volumeQuery(span))}
      empty={({ now, earlier }) =>
        now.chats + now.tickets + earlier.chats + earlier.tickets === 0
          ? { title: t('nothing'), hint: t('nothing_hint') }
          : undefined
      }
    >
      {(data) => (
        <>
          <Arrivals data={data} />
          <div className="grid gap-4 md:grid-cols-2">
            <Shares
              question={t('chat_states_question')}
              shares={data.chat_states.map(({ name, count }) => ({ name: stateName(name), count }))}
            />
            <Shares
              question={t('ticket_states_question')}
              shares={data.ticket_states.map(({ name, count }) => ({ name: stateName(name), count }))}
            />
            <Shares
              question={t('channels_question')}
              shares={data.ticket_channels.map(({ name, count }) => ({ name: channelName(name), count }))}
            />
          </div>
        </>
      )}
    </ReportBody>
  );
}

const STATES = ['bot', 'waiting', 'active', 'closed', 'new', 'open', 'pending', 'hold', 'solved'] as const;
const stateName = (name: string): string => {
  const state = STATES.find((one) => one === name);
  return state ? t(`state_${state}`) : name;
};

const CHANNELS = ['chat', 'follow_up', 'direct'] as const;
const channelName = (name: string): string => {
  const channel = CHANNELS.find((one) => one === name);
  return channel ? t(`channel_${channel}`) : name;
};

function Arrivals({ data: { now, earlier, days, period } }: { data: Volume }) {
  const count = daysIn(period);
  const { weekly, points } = readablePoints(
    days.map(({ day, chats, tickets }) => ({ day, parts: [chats, tickets] })),
  );
  const busiest = days.reduce((most, one) =>
    one.chats + one.tickets > most.chats + most.tickets ? one : most,
  );
  const answer = t('volume_answer', {
    chats: t('chats', { count: now.chats }),
    chats_change: changeWords(now.chats, earlier.chats, count),
    tickets: t('tickets', { count: now.tickets }),
    tickets_change: changeWords(now.tickets, earlier.tickets, count),
  });
  const most = busiest.chats + busiest.tickets;
  const series = [t('series_chats'), t('series_tickets')];
  return (
    <ChartFrame
      question={t('volume_question')}
      answer={answer}
      notes={count > 1 && most > 0 ? [t('volume_busiest', { day: dayLong(busiest.day), number: most })] : []}
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

/** Parts of a whole under a question; the greatest of them is the answer. */
export function Shares({ question, shares }: { question: string; shares: readonly Share[] }) {
  const all = shares.reduce((sum, { count }) => sum + count, 0);
  const [first] = shares.toSorted((a, b) => b.count - a.count);
  if (!first || all === 0) return null;
  return (
    <ChartFrame
      question={question}
      answer={t('share_answer', { percent: percentOf(first.count, all), name: first.name })}
    >
      <ShareBars label={question} shares={shares} />
    </ChartFrame>
  );
}
