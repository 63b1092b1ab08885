import type { Message, VisitorSession } from '@foyer/protocol';
import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Typing } from '../../core/conversation.ts';
import type { OutboxEntry } from '../../core/outbox.ts';
import {
  buildTimeline,
  notYetIn,
  PART,
  partsBetween,
  partsOf,
  partWith,
  type TimelineRow as Row,
  type TimelinePart,
} from '../../core/timeline.ts';
import { language, say } from '../../strings.ts';
import { Avatar } from '../Avatar.tsx';
import { DOWN, Icon } from '../Icons.tsx';
import { beginsAtEnd, useParts } from '../use-parts.ts';
import { Rich } from './Rich.tsx';
import { TimelineRow } from './TimelineRow.tsx';
import { useShared } from './use-chat.ts';
import { useFollow } from './use-follow.ts';

interface MessageListProps {
  place: string;
  session: VisitorSession | undefined;
  children: ComponentChildren;
}

interface ViewOptions {
  messages: readonly Message[];
  /** How many of the visitor's messages are pending. */
  written: number;
  shown: string;
  endsWithAnswer: boolean;
}

/** Which part of the list is drawn, and the visitor's position in it. */
const useView = ({ messages, written, shown, endsWithAnswer }: ViewOptions) => {
  const { places } = useShared();
  const total = partsOf(messages.length);
  /** A returning visitor is where they left, not at the end. */
  const [start] = useState(() => partWith(messages, places.keyHere()));
  const isWhole = useRef(true);
  const startsAtEnd = beginsAtEnd(start, total);
  const { toEnd, onScroll, ...follow } = useFollow({ written, shown, endsWithAnswer, startsAtEnd, isWhole });
  const { scroller, isAtEnd } = follow;
  const range = useParts({ scroller, total, start, isAtEnd, written });
  isWhole.current = range.isWhole;
  return {
    ...follow,
    range,
    isAtEnd: isAtEnd && range.isWhole,
    onScroll() {
      onScroll();
      range.onScroll();
    },
    goTo(end: 'start' | 'end') {
      range.show(end);
      requestAnimationFrame(() => (end === 'end' ? toEnd() : scroller.current?.scrollTo(0, 0)));
    },
  };
};

export const MessageList = ({ place, session, children }: MessageListProps) => {
  const { state } = useShared();
  const messages = state.messages[place] ?? [];
  const pending = state.pending.filter((entry) => entry.chat === place && entry.kind === 'message');
  const typing = state.typing[place];
  const last = messages.at(-1);
  const isAnswer = pending.length === 0 && last !== undefined && last.sender !== 'visitor';
  const { scroller, content, range, isAtEnd, onScroll, goTo } = useView({
    messages,
    written: pending.length,
    shown: `${messages.length} ${pending.length} ${typing?.text.length} ${session?.status} ${session?.rating}`,
    // For an answer longer than the window, its beginning is shown.
    endsWithAnswer: isAnswer && !typing && session?.status !== 'closed',
  });
  return (
    <div class="list-frame">
      <section
        class="list"
        ref={scroller}
        onScroll={onScroll}
        onKeyDown={(event) => {
          const border = borderOf(event, range);
          if (!border) return;
          goTo(border);
          event.preventDefault();
        }}
        aria-label={say('chat')}
      >
        <div ref={content}>
          {messages.length + pending.length === 0 && <Greeting />}
          {range.first > 0 && (
            <button type="button" class="earlier" onClick={range.showEarlier}>
              {say('earlier')}
            </button>
          )}
          <Rows place={place} session={session} messages={messages} pending={pending} range={range} />
          {typing && <TypingRow agent={session?.agent} typing={typing} isFirst={!isAnswer} />}
          {children}
        </div>
      </section>
      {!isAtEnd && (
        <button type="button" class="to-end" aria-label={say('to_end')} onClick={() => goTo('end')}>
          <Icon path={DOWN} size={18} />
        </button>
      )}
    </div>
  );
};

type Range = ReturnType<typeof useParts>;

/** The end of the whole chat, not of its drawn part, that a key moves to; undefined if the browser handles it. */
const borderOf = (event: KeyboardEvent, { first, isWhole }: Range): 'start' | 'end' | undefined => {
  const isText = event.target instanceof Element && event.target.closest('input, textarea');
  if (isText || event.ctrlKey || event.altKey || event.shiftKey || event.metaKey) return;
  if (event.key === 'End' && !isWhole) return 'end';
  if (event.key === 'Home' && first > 0) return 'start';
};

interface RowsProps {
  place: string;
  session: VisitorSession | undefined;
  messages: readonly Message[];
  pending: readonly OutboxEntry[];
  range: Range;
}

/** The drawn messages and, at the end, the pending ones. */
const Rows = ({ place, session, messages, pending, range }: RowsProps) => {
  const { delivered } = useShared().state;
  const parts = partsBetween(messages, range.first, range.last);
  const waits = range.isWhole ? notYetIn(parts.at(-1)?.messages ?? [], pending) : [];
  return (
    <ol class="messages">
      {parts.map((part, index) => {
        const isEnd = range.isWhole && index === parts.length - 1;
        return (
          <Part
            key={part.key}
            part={part}
            session={isEnd ? session : undefined}
            delivered={isEnd ? (delivered[place] ?? 0) : 0}
            isEnd={isEnd && waits.length === 0}
            isLong={range.isLong}
          />
        );
      })}
      {buildTimeline([], waits, messages.at(-1)).map((row, index, rows) => (
        <TimelineRow
          key={row.key}
          row={row}
          session={session}
          delivered={0}
          isLast={index === rows.length - 1}
        />
      ))}
    </ol>
  );
};

interface TypingRowProps {
  typing: Typing;
  isFirst: boolean;
  /** The chat's agent. */
  agent: VisitorSession['agent'] | undefined;
}

/** Dots, or the unfinished text in the layout of the final message. Announced once, not with each word. */
const TypingRow = ({ typing, isFirst, agent }: TypingRowProps) => {
  const name = typing.name ?? say(typing.from === 'bot' ? 'bot_name' : 'team');
  const picture = typing.from === 'agent' && agent?.name === typing.name ? agent.picture_url : null;
  const isWritten = typing.text !== '';
  return (
    <div class={isWritten ? `message message-other${isFirst ? ' message-first' : ''}` : 'typing'}>
      {isFirst || !isWritten ? (
        <Avatar kind={typing.from} name={name} picture={picture} />
      ) : (
        <span class="avatar-gap" />
      )}
      {isWritten ? (
        <div class="message-body" aria-hidden="true">
          {isFirst && (
            <p class="message-name">
              <span dir="auto">{name}</span>
              <span class="tag">{say('bot')}</span>
            </p>
          )}
          <div class="bubble bubble-other" dir="auto">
            <Rich text={typing.text} />
          </div>
        </div>
      ) : (
        <span class="bubble bubble-other dots" aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
      )}
      <span class="unseen" role="status">
        {say('typing', { name })}
      </span>
    </div>
  );
};

interface PartProps {
  part: TimelinePart;
  session: VisitorSession | undefined;
  delivered: number;
  isEnd: boolean;
  isLong: boolean;
}

const isSaid = (row: Row): boolean => row.type === 'message' && row.message.sender !== 'system';

/** Unchanged elements aren't compared again. */
const Part = ({ part: { key, messages, previous }, session, delivered, isEnd, isLong }: PartProps) =>
  useMemo(() => {
    const rows = buildTimeline(messages, [], previous);
    // The last message shows its delivery state, whatever has happened since.
    const last = isEnd ? rows.findLastIndex(isSaid) : -1;
    return (
      <>
        {rows.map((row, index) => (
          <TimelineRow
            key={row.key}
            row={row}
            session={session}
            delivered={delivered}
            isLast={index === last}
            position={
              isLong && row.type === 'message' ? key * PART + messages.indexOf(row.message) + 1 : undefined
            }
          />
        ))}
      </>
    );
  }, [
    messages[0],
    messages.at(-1),
    messages.length,
    previous,
    session,
    delivered,
    isEnd,
    isLong,
    language(),
  ]);

/** An empty chat says who will answer. */
const Greeting = () => {
  const { site } = useShared().state;
  if (!site) return null;
  return (
    <div class="message message-other greeting">
      <Avatar kind="bot" name={say('bot_name')} />
      <div class="message-body">
        <p class="message-name">
          {say('bot_name')}
          <span class="tag">{say('bot')}</span>
        </p>
        <div class="bubble bubble-other" dir="auto">
          <p class="plain">{site.greeting || say('home_greeting')}</p>
        </div>
      </div>
    </div>
  );
};
