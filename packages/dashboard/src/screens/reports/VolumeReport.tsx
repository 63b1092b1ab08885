import type { OutputOf, ReportSpan } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '../../language.ts';
import { changeWords, dayLong, daysIn } from './charts/figures.ts';
import { Shares } from './charts/Shares.tsx';
import { DailyFrame } from './DailyFrame.tsx';
import { figureLink } from './FigureLink.tsx';
import { channelName, chatState, ticketState } from './figure-words.ts';
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
              shares={data.chat_states.map(({ name, count }) => ({
                name: chatState(name),
                count,
                figure: { show: 'chats', of: name },
              }))}
            />
            <Shares
              title={t('ticket_states_title')}
              shares={data.ticket_states.map(({ name, count }) => ({
                name: ticketState(name),
                count,
                figure: { show: 'tickets', of: name },
              }))}
            />
            <Shares
              title={t('channels_title')}
              shares={data.ticket_channels.map(({ name, count }) => ({
                name: channelName(name),
                count,
                figure: { show: 'ticket_channels', of: name },
              }))}
            />
          </div>
        </>
      )}
    </ReportBody>
  );
}

/** The parts of a bar. */
const PARTS = ['chats', 'tickets'] as const;

function Arrivals({ data: { now, earlier, days, period } }: { data: Volume }) {
  const busiest = days.reduce((most, one) =>
    one.chats + one.tickets > most.chats + most.tickets ? one : most,
  );
  const changes = {
    chats_change: changeWords(now.chats, earlier.chats),
    tickets_change: changeWords(now.tickets, earlier.tickets),
  };
  const chats = t('chats', { count: now.chats });
  const tickets = t('tickets', { count: now.tickets });
  const most = busiest.chats + busiest.tickets;
  return (
    <DailyFrame
      title={t('volume_title')}
      summary={t.rich('volume_summary', {
        ...changes,
        chats: figureLink(now.chats, chats, { show: 'chats' }),
        tickets: figureLink(now.tickets, tickets, { show: 'tickets' }),
      })}
      label={t('volume_summary', { ...changes, chats, tickets })}
      notes={
        daysIn(period) > 1 && most > 0
          ? [
              t.rich('volume_busiest', {
                day: dayLong(busiest.day),
                number: figureLink(most, formatNumber(most), { show: 'arrivals', day: busiest.day, days: 1 }),
              }),
            ]
          : []
      }
      days={days.map(({ day, chats: ofDay, tickets: also }) => ({ day, parts: [ofDay, also] }))}
      series={[t('series_chats'), t('series_tickets')]}
      figureOf={(part) => ({ show: part === undefined ? 'arrivals' : (PARTS[part] ?? 'arrivals') })}
    />
  );
}
