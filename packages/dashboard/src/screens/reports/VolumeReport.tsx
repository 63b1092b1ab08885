import type { OutputOf, ReportSpan } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { changeWords, dayLong, daysIn } from './charts/figures.ts';
import { Shares } from './charts/Shares.tsx';
import { DailyFrame } from './DailyFrame.tsx';
import { ReportBody } from './ReportBody.tsx';
import { volumeQuery } from './report-queries.ts';
import { t } from './t.ts';

type Volume = OutputOf<'reports.volume'>;

/** How many chats and tickets came in, by day. */
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
  return (
    <DailyFrame
      question={t('volume_question')}
      answer={answer}
      notes={count > 1 && most > 0 ? [t('volume_busiest', { day: dayLong(busiest.day), number: most })] : []}
      days={days.map(({ day, chats, tickets }) => ({ day, parts: [chats, tickets] }))}
      series={[t('series_chats'), t('series_tickets')]}
    />
  );
}
