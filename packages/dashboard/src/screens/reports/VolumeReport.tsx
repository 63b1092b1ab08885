import type { OutputOf, ReportSpan } from '@foyer/protocol';
import { TICKET_STATUSES } from '@foyer/protocol/values/wire-names';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { statusWord } from '../../words.ts';
import { statusWord as ticketStatusWord } from '../inbox/ticket/ticket-words.ts';
import { changeWords, dayLong, daysIn } from './charts/figures.ts';
import { Shares } from './charts/Shares.tsx';
import { DailyFrame } from './DailyFrame.tsx';
import { DayConversations } from './DayConversations.tsx';
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
              title={t('chat_states_title')}
              shares={data.chat_states.map(({ name, count }) => ({ name: chatState(name), count }))}
            />
            <Shares
              title={t('ticket_states_title')}
              shares={data.ticket_states.map(({ name, count }) => ({ name: ticketState(name), count }))}
            />
            <Shares
              title={t('channels_title')}
              shares={data.ticket_channels.map(({ name, count }) => ({ name: channelName(name), count }))}
            />
          </div>
        </>
      )}
    </ReportBody>
  );
}

const CHAT_STATUSES = ['bot', 'waiting', 'active', 'closed'] as const;
const chatState = (name: string): string => {
  const status = CHAT_STATUSES.find((one) => one === name);
  return status ? statusWord(status) : name;
};

const ticketState = (name: string): string => {
  const status = TICKET_STATUSES.find((one) => one === name);
  return status ? ticketStatusWord(status) : name;
};

const CHANNELS = ['chat', 'follow_up', 'direct'] as const;
const channelName = (name: string): string => {
  const channel = CHANNELS.find((one) => one === name);
  return channel ? t(`channel_${channel}`) : name;
};

function Arrivals({ data: { now, earlier, days, period } }: { data: Volume }) {
  const [bar, setBar] = useState<{ day: string; days: number; title: string }>();
  const busiest = days.reduce((most, one) =>
    one.chats + one.tickets > most.chats + most.tickets ? one : most,
  );
  const summary = t('volume_summary', {
    chats: t('chats', { count: now.chats }),
    chats_change: changeWords(now.chats, earlier.chats),
    tickets: t('tickets', { count: now.tickets }),
    tickets_change: changeWords(now.tickets, earlier.tickets),
  });
  const most = busiest.chats + busiest.tickets;
  return (
    <>
      <DailyFrame
        title={t('volume_title')}
        summary={summary}
        notes={
          daysIn(period) > 1 && most > 0
            ? [t('volume_busiest', { day: dayLong(busiest.day), number: most })]
            : []
        }
        days={days.map(({ day, chats, tickets }) => ({ day, parts: [chats, tickets] }))}
        series={[t('series_chats'), t('series_tickets')]}
        onOpen={setBar}
      />
      {bar ? <DayConversations {...bar} onClose={() => setBar(undefined)} /> : null}
    </>
  );
}
