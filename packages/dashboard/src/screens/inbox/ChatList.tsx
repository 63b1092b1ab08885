import type { Session } from '@foyer/protocol';
import { Link } from '@tanstack/react-router';
import { Mail } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useMe } from '../../desk/DeskContext.tsx';
import { cx } from '../../ui/classes.ts';
import { Face } from '../../ui/Face.tsx';
import { useScrollPlace } from '../../ui/Page.tsx';
import { Ago, useNow } from '../../ui/Time.tsx';
import { snippetOf, stateSentence, unreadCount, visitorName } from '../../words.ts';

interface ChatListProps {
  sessions: Session[];
  /** Names the list whose scroll is kept. */
  place: string;
  openId: string | undefined;
  hasMore: boolean;
  onMore: () => void;
}

/** One queue's chats; more are loaded when the end comes near. */
export function ChatList({ sessions, place, openId, hasMore, onMore }: ChatListProps) {
  const scroll = useScrollPlace<HTMLUListElement>(place);
  const end = useRef<HTMLLIElement>(null);
  const more = useRef(onMore);
  more.current = onMore;
  useEffect(() => {
    const element = end.current;
    if (!element || !hasMore) return;
    const watcher = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && more.current(),
      { rootMargin: '600px' },
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [hasMore]);
  return (
    <ul ref={scroll} aria-label="Chats" className="scroll-y min-h-0 flex-1">
      {sessions.map((session) => (
        <ChatRow key={session.session_id} session={session} isOpen={session.session_id === openId} />
      ))}
      <li ref={end} aria-hidden="true" className="h-px" />
    </ul>
  );
}

function ChatRow({ session, isOpen }: { session: Session; isOpen: boolean }) {
  const now = useNow();
  const { agent } = useMe();
  const row = useRef<HTMLLIElement>(null);
  const unread = isOpen ? 0 : unreadCount(session);
  const last = session.last_message;
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  return (
    <li ref={row} className="border-b [contain-intrinsic-size:auto_81px] [content-visibility:auto]">
      <Link
        to="/inbox/$sessionId"
        params={{ sessionId: session.session_id }}
        search={true}
        aria-current={isOpen ? 'true' : undefined}
        className={cx('-outline-offset-2 flex gap-3 px-4 py-2.5', isOpen ? 'bg-selected' : 'hover:bg-hover')}
      >
        <Face kind="visitor" name={session.visitor.name} />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span className={cx('min-w-0 flex-1 truncate', unread ? 'font-semibold' : 'font-medium')}>
              <bdi>{visitorName(session.visitor)}</bdi>
            </span>
            <Ago utc={last?.created_utc ?? session.started_utc} className="text-faint text-xs" />
          </span>
          <span className={cx('block truncate', unread ? 'text-text' : 'text-soft')}>
            <bdi>{snippetOf(session, agent.id)}</bdi>
          </span>
          <span className="mt-0.5 flex items-center gap-2 text-xs">
            <span
              className={cx(
                'flex min-w-0 flex-1 items-center gap-1',
                session.status === 'waiting' ? 'font-medium text-accent-text' : 'text-faint',
              )}
            >
              {session.contact_email ? <Mail aria-hidden className="size-3.5 shrink-0" /> : null}
              {session.status === 'waiting' && !session.contact_email ? (
                <span aria-hidden className="size-1.5 shrink-0 rounded-full bg-accent" />
              ) : null}
              <span className="truncate">{stateSentence(session, now, agent.id)}</span>
            </span>
            {unread ? (
              <span className="tabular rounded-md bg-accent px-1.5 font-semibold text-on-accent">
                {unread}
                <span className="sr-only"> unread</span>
              </span>
            ) : null}
          </span>
        </span>
      </Link>
    </li>
  );
}
