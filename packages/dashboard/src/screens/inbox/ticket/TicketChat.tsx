import type { Message, TicketDetail } from '@foyer/protocol';
import { Link } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { placeOf } from '../../../live/drafts.ts';
import { dayName } from '../../../times.ts';
import { Ago, useNow } from '../../../ui/Time.tsx';
import { visitorName } from '../../../words.ts';
import { EventLine, MessageBubble } from '../chat/Bubble.tsx';
import { DayLine } from '../chat/DayLine.tsx';
import { timelineOf } from '../chat/timeline.ts';
import { useQuote } from '../chat/use-quote.ts';
import { t } from './t.ts';

const NOTHING: [] = [];

interface TicketChatProps {
  ticket: TicketDetail;
  messages: readonly Message[];
  /** How many earlier messages aren't shown. */
  leftOut: number;
}

/** The chat that a ticket was created from. */
export function TicketChat({ ticket, messages, leftOut }: TicketChatProps) {
  const now = useNow();
  const onQuote = useQuote(placeOf({ session_id: null, ticket_id: ticket.id }));
  const { requester, session_id } = ticket;
  const visitor = visitorName(requester);
  return (
    <section aria-label={t('chat_with', { name: visitor })} className="rounded-lg border">
      <header className="flex items-center gap-2 border-b px-4 py-2">
        <MessagesSquare aria-hidden className="size-4 shrink-0 text-soft" />
        <h3 className="min-w-0 flex-1 truncate font-medium">{t('chat_with', { name: visitor })}</h3>
        {session_id ? (
          <Link
            to="/inbox/$sessionId"
            params={{ sessionId: session_id }}
            search={true}
            className="shrink-0 text-accent-text text-xs hover:underline"
          >
            {leftOut > 0 ? t('chat_earlier', { count: leftOut }) : t('open_chat')}
          </Link>
        ) : null}
        <Ago
          utc={messages[0]?.created_utc ?? ticket.created_utc}
          words
          className="shrink-0 text-faint text-xs"
        />
      </header>
      <div className="px-4 py-3">
        {timelineOf(messages, NOTHING, NOTHING).map((entry) => {
          if (entry.kind === 'day') return <DayLine key={entry.key} name={dayName(entry.utc, now)} />;
          if (entry.kind === 'event') return <EventLine key={entry.key} entry={entry} handoff={null} />;
          if (entry.kind !== 'message') return null;
          return (
            <MessageBubble
              key={entry.key}
              message={entry.message}
              sessionId={session_id ?? ''}
              first={entry.first}
              visitor={visitor}
              named={requester.name}
              onQuote={onQuote}
              read={null}
            />
          );
        })}
      </div>
    </section>
  );
}
