import type { Message, SessionDetail } from '@foyer/protocol';
import { ArrowDown } from 'lucide-react';
import { Fragment, type ReactNode, Suspense, useState } from 'react';
import { useChatLog, useMe, useOutbox, useTypist } from '../../../desk/DeskContext.tsx';
import { lazyPart } from '../../../lazy-part.ts';
import type { Typist } from '../../../live/typing.ts';
import { tCommon } from '../../../t-common.ts';
import { dayName } from '../../../times.ts';
import { Button } from '../../../ui/Button.tsx';
import { BY_KEYBOARD } from '../../../ui/by-keyboard.ts';
import { Bone } from '../../../ui/States.tsx';
import { useNow } from '../../../ui/Time.tsx';
import { visitorName } from '../../../words.ts';
import { t } from '../t.ts';
import { EventLine, MessageBubble, NoteBubble, OutgoingBubble, RoutingLine } from './Bubble.tsx';
import { DayLine } from './DayLine.tsx';
import { FoundPlace, useFoundPlace } from './FoundPlace.tsx';
import { type Entry, timelineOf } from './timeline.ts';
import { useQuote } from './use-quote.ts';
import { useStickToEnd } from './use-stick-to-end.ts';

const CollectQuestion = lazyPart(() => import('./CollectQuestion.tsx'), 'CollectQuestion');

const EmailLine = lazyPart(() => import('../delivery/EmailLine.tsx'), 'EmailLine');

/** The chat from its first message on. */
export function MessageList({ session }: { session: SessionDetail }) {
  const messages = useChatLog(session.session_id);
  const outgoing = useOutbox().filter((item) => item.place === session.session_id);
  const typist = useTypist(session.session_id);
  const entries = timelineOf(messages, session.notes, outgoing, session.routing);
  const place = useFoundPlace();
  const newest = `${entries.at(-1)?.key} ${typist?.from}`;
  const { box, inside, atEnd, toEnd } = useStickToEnd({ newest, sending: outgoing.length, place });
  const loading = messages.length < session.last_seq;
  const [collecting, setCollecting] = useState<Message | null>(null);
  return (
    <div className="relative min-h-0 flex-1">
      <div
        {...box}
        role="log"
        aria-label={t('conversation')}
        aria-busy={loading}
        {...BY_KEYBOARD}
        className="scroll-y h-full px-4 py-4 focus-visible:outline-offset-[-2px] lg:px-6"
      >
        <div ref={inside} className="mx-auto flex min-h-full max-w-3xl flex-col justify-end">
          {loading && messages.length === 0 ? <MessageBones /> : null}
          <Entries entries={entries} place={place} session={session} onCollect={setCollecting} />
          {typist ? <TypingLine typist={typist} visitor={visitorName(session.visitor)} /> : null}
        </div>
      </div>
      {atEnd ? null : (
        <Button
          small
          className="-translate-x-1/2 absolute bottom-3 left-1/2 shadow-float"
          icon={<ArrowDown aria-hidden className="size-4" />}
          onClick={toEnd}
        >
          {t('to_newest')}
        </Button>
      )}
      {collecting ? (
        <Suspense>
          <CollectQuestion
            sessionId={session.session_id}
            message={collecting}
            source={sourceOfAnswer(messages, collecting.seq)}
            onClose={() => setCollecting(null)}
          />
        </Suspense>
      ) : null}
    </div>
  );
}

/** The article that the bot answered a message from, if any. */
function sourceOfAnswer(messages: readonly Message[], seq: number): { id: number; title: string } | null {
  const next = messages.find((message) => message.seq > seq && message.sender !== 'visitor');
  const source = next?.sources[0];
  return source && 'article_id' in source ? { id: source.article_id, title: source.title } : null;
}

interface EntriesProps {
  entries: Entry[];
  /** The one that was searched. */
  place: string;
  session: SessionDetail;
  onCollect: (message: Message) => void;
}

function Entries({ entries, place, session, onCollect }: EntriesProps) {
  const now = useNow();
  const onQuote = useQuote(session.session_id);
  const { agent } = useMe();
  const ours = entries.findLast(
    (entry) =>
      entry.kind === 'message' && entry.message.sender === 'agent' && entry.message.author?.id === agent.id,
  );
  const handedOff = entries.findLast(
    (entry) => entry.kind === 'event' && entry.message.event === 'handed_off',
  );
  const emails = new Map(session.emails.map((email) => [email.to_seq, email]));
  const shown = (entry: Entry): ReactNode => {
    if (entry.kind === 'day') return <DayLine key={entry.key} name={dayName(entry.utc, now)} />;
    if (entry.kind === 'note') return <NoteBubble key={entry.key} note={entry.note} />;
    if (entry.kind === 'outgoing')
      return <OutgoingBubble key={entry.key} item={entry.item} first={entry.first} />;
    if (entry.kind === 'event') {
      const handoff = entry === handedOff ? session.handoff : null;
      return <EventLine key={entry.key} entry={entry} handoff={handoff} />;
    }
    if (entry.kind === 'routing')
      return (
        <Suspense key={entry.key}>
          <RoutingLine decision={entry.decision} />
        </Suspense>
      );
    const email = emails.get(entry.message.seq);
    const bubble = (
      <MessageBubble
        key={entry.key}
        message={entry.message}
        sessionId={session.session_id}
        first={entry.first}
        visitor={visitorName(session.visitor)}
        named={session.visitor.name}
        onCollect={onCollect}
        onQuote={onQuote}
        read={entry === ours ? session.visitor_read_seq >= entry.message.seq : null}
      />
    );
    if (!email) return bubble;
    return (
      <Fragment key={entry.key}>
        {bubble}
        <Suspense>
          <EmailLine email={email} />
        </Suspense>
      </Fragment>
    );
  };
  return entries.map((entry) =>
    entry.key === place ? <FoundPlace key={entry.key}>{shown(entry)}</FoundPlace> : shown(entry),
  );
}

function TypingLine({ typist, visitor }: { typist: Typist; visitor: string }) {
  const { from, name, text } = typist;
  const who = from === 'visitor' ? visitor : from === 'bot' ? t('the_bot') : (name ?? t('a_colleague'));
  return (
    <div className="mt-3 text-soft text-xs">
      <p role="status" className="flex items-center gap-2">
        <span aria-hidden className="pulse-soft flex gap-1">
          <span className="size-1.5 rounded-full bg-control" />
          <span className="size-1.5 rounded-full bg-control" />
          <span className="size-1.5 rounded-full bg-control" />
        </span>
        <span className="truncate" dir="auto">
          {t(text ? 'is_writing_unsent' : 'is_writing', { who })}
        </span>
      </p>
      {text ? (
        // Announcing it would start over with each key.
        <p aria-live="off" dir="auto" className="wrap-anywhere ms-8.5 mt-1 whitespace-pre-wrap">
          {text}
        </p>
      ) : null}
    </div>
  );
}

function MessageBones() {
  return (
    <div role="status" aria-label={tCommon('loading')} className="late pulse-soft space-y-4">
      <Bone className="h-10 w-2/5" />
      <Bone className="ms-auto h-16 w-1/2" />
      <Bone className="h-10 w-1/3" />
    </div>
  );
}
