import type { VisitorSession } from '@foyer/protocol';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { say } from '../strings.ts';
import { buildTimeline } from '../timeline.ts';
import { Avatar } from './Avatar.tsx';
import { Icon } from './Icons.tsx';
import { TimelineRow } from './TimelineRow.tsx';
import { useShared } from './use-chat.ts';

/** Nearer to the end than this, the list follows new messages. */
const FOLLOW_PX = 80;

interface MessageListProps {
  place: string;
  session: VisitorSession | undefined;
  children: ComponentChildren;
}

export const MessageList = ({ place, session, children }: MessageListProps) => {
  const { state } = useShared();
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const messages = state.messages[place] ?? [];
  const pending = state.pending.filter((entry) => entry.chat === place && entry.kind === 'message');
  const rows = buildTimeline(messages, pending);
  const typing = state.typing[place];

  const toEnd = () => {
    const box = scroller.current;
    if (box) box.scrollTop = box.scrollHeight;
  };
  // What the visitor writes is always brought into view, what others write only if they were there.
  useLayoutEffect(toEnd, [pending.length, session?.status]);
  useLayoutEffect(() => {
    if (isAtEnd) toEnd();
  }, [rows.length, typing !== undefined, session?.rating]);
  // A phone's keyboard or the e-mail form take space from the list, and the survey grows while it is filled in.
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    // What scrolls must be reachable by keyboard, which Safari does not see to by itself.
    box.tabIndex = 0;
    const watch = new ResizeObserver(() => {
      if (isAtEnd) toEnd();
    });
    watch.observe(box);
    if (content.current) watch.observe(content.current);
    return () => watch.disconnect();
  }, [isAtEnd]);

  const onScroll = () => {
    const box = scroller.current;
    if (box) setAtEnd(box.scrollHeight - box.scrollTop - box.clientHeight < FOLLOW_PX);
  };
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
          {typing && (
            <div class="typing">
              <Avatar kind={typing.from} name={typing.name ?? say('team')} />
              <span class="bubble bubble-other dots" aria-hidden="true">
                <i />
                <i />
                <i />
              </span>
              <span class="unseen" role="status">
                {say('typing', { name: typing.name ?? say(typing.from === 'bot' ? 'bot_name' : 'team') })}
              </span>
            </div>
          )}
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
