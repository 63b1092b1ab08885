import type { VisitorSession } from '@foyer/protocol';
import type { ComponentChildren } from 'preact';
import type { Typing } from '../conversation.ts';
import { say } from '../strings.ts';
import { buildTimeline } from '../timeline.ts';
import { Avatar } from './Avatar.tsx';
import { Icon } from './Icons.tsx';
import { Rich } from './Rich.tsx';
import { TimelineRow } from './TimelineRow.tsx';
import { useShared } from './use-chat.ts';
import { useFollow } from './use-follow.ts';

interface MessageListProps {
  place: string;
  session: VisitorSession | undefined;
  children: ComponentChildren;
}

export const MessageList = ({ place, session, children }: MessageListProps) => {
  const { state } = useShared();
  const messages = state.messages[place] ?? [];
  const pending = state.pending.filter((entry) => entry.chat === place && entry.kind === 'message');
  const rows = buildTimeline(messages, pending);
  const typing = state.typing[place];

  const last = rows.at(-1);
  const isAnswer = last?.type === 'message' && last.message.sender !== 'visitor';
  const { scroller, content, isAtEnd, onScroll, toEnd } = useFollow({
    written: pending.length,
    shown: `${rows.length} ${typing?.text.length} ${session?.status} ${session?.rating}`,
    // Of an answer that is longer than the window the beginning is what one wants to see.
    endsWithAnswer: isAnswer && !typing && session?.status !== 'closed',
  });
  return (
    <div class="list-frame">
      <section class="list" ref={scroller} onScroll={onScroll} aria-label={say('chat')}>
        <div ref={content}>
          {rows.length === 0 && <Greeting />}
          <ol class="messages">
            {rows.map((row, index) => (
              <TimelineRow key={row.key} row={row} session={session} isLast={index === rows.length - 1} />
            ))}
          </ol>
          {typing && <TypingRow typing={typing} isFirst={!isAnswer} />}
          {children}
        </div>
      </section>
      {!isAtEnd && (
        <button type="button" class="to-end" aria-label={say('to_end')} onClick={toEnd}>
          <Icon name="down" size={18} />
        </button>
      )}
    </div>
  );
};

/** Dots, or what is written so far: laid out as the message that it will be. Heard once, not with each word. */
const TypingRow = ({ typing, isFirst }: { typing: Typing; isFirst: boolean }) => {
  const name = typing.name ?? say(typing.from === 'bot' ? 'bot_name' : 'team');
  const isWritten = typing.text !== '';
  return (
    <div class={isWritten ? `message message-other${isFirst ? ' message-first' : ''}` : 'typing'}>
      {isFirst || !isWritten ? <Avatar kind={typing.from} name={name} /> : <span class="avatar-gap" />}
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
          <p class="plain">{site.greeting}</p>
        </div>
      </div>
    </div>
  );
};
