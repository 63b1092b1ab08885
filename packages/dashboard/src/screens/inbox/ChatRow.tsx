import type { FoundWords, Session } from '@foyer/protocol';
import { CircleAlert, Mail } from 'lucide-react';
import { cx } from '../../ui/classes.ts';
import { Face } from '../../ui/Face.tsx';
import { AgoAt } from '../../ui/Time.tsx';
import { snippetOf, stateSentence, unreadCount, visitorName } from '../../words.ts';
import { Excerpt } from './Excerpt.tsx';
import { t } from './t.ts';
import { DraftMark } from './writing/DraftMark.tsx';

export interface RowProps {
  found: FoundWords | null | undefined;
  href: string;
  now: number;
  myId: number;
  isOpen: boolean;
  failure: string | undefined;
}

/** All rows are of one height, which the list counts on. */
export const rowLook = (isOpen: boolean): string =>
  cx('-outline-offset-2 flex h-20 gap-3 px-4 py-2.5', isOpen ? 'bg-selected' : 'hover:bg-hover');

/** In the place of a row's state: why the last change of many left it as it was. */
export const RowFailure = ({ reason }: { reason: string }) => (
  <span className="mt-0.5 flex items-center gap-1 text-danger-text text-xs" title={reason}>
    <CircleAlert aria-hidden className="size-3.5 shrink-0" />
    <span className="truncate">{reason}</span>
  </span>
);

/** A chat in the list: who, what was said last or what was found in it, and its state. */
export function ChatRow({
  session,
  found,
  href,
  now,
  myId,
  isOpen,
  failure,
}: RowProps & { session: Session }) {
  const unread = isOpen ? 0 : unreadCount(session);
  const last = session.last_message;
  return (
    <a href={href} aria-current={isOpen ? 'true' : undefined} className={rowLook(isOpen)}>
      <Face kind="visitor" name={session.visitor.name} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className={cx('min-w-0 flex-1 truncate', unread ? 'font-semibold' : 'font-medium')}>
            <bdi>{visitorName(session.visitor)}</bdi>
          </span>
          <AgoAt utc={last?.created_utc ?? session.started_utc} now={now} className="text-faint text-xs" />
        </span>
        {found ? (
          <Excerpt found={found} />
        ) : (
          <span className={cx('block truncate', unread ? 'text-text' : 'text-soft')}>
            <bdi>{snippetOf(session, myId)}</bdi>
          </span>
        )}
        {failure ? <RowFailure reason={failure} /> : null}
        <span className={cx('mt-0.5 flex items-center gap-2 text-xs', failure && 'hidden')}>
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
            <span className="truncate">{stateSentence(session, now, myId)}</span>
          </span>
          {isOpen ? null : <DraftMark place={session.session_id} />}
          {unread ? (
            <span className="tabular rounded-md bg-accent px-1.5 font-semibold text-on-accent">
              <span aria-hidden>{unread}</span>
              <span className="sr-only">{t('unread', { count: unread })}</span>
            </span>
          ) : null}
        </span>
      </span>
    </a>
  );
}
