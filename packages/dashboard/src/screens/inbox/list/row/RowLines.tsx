import type { FoundWords } from '@foyer/protocol';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../../../../ui/classes.ts';
import { AgoAt } from '../../../../ui/Time.tsx';
import { t } from '../../t.ts';
import { Excerpt } from './Excerpt.tsx';

/** What the list knows about a row besides its chat or ticket. */
export interface RowProps {
  found: FoundWords | null | undefined;
  href: string;
  now: number;
  myId: number;
  isOpen: boolean;
  /** It has an unsent draft. */
  hasDraft: boolean;
  /** Why the last bulk change failed for it. */
  failure: string | undefined;
}

interface RowLinesProps extends RowProps {
  /** An element with the class `row-face`. */
  face: ReactNode;
  name: string;
  /** The time of the last activity. */
  utc: string;
  /** The last message, or the search hit. */
  snippet: string;
  /** Replaced by the reason if a bulk change failed. */
  state: ReactNode;
  isUnread?: boolean;
}

/**
 * The link of a row: three lines beside an avatar. Every element counts for each row that scrolls into view, so
 * there are as few as possible.
 */
export function RowLines(props: RowLinesProps) {
  const { face, name, utc, snippet, state, isUnread = false, found, href, now, isOpen, failure } = props;
  return (
    <a
      href={href}
      aria-current={isOpen ? 'true' : undefined}
      className={cx('row-lines', isOpen ? 'bg-selected' : 'hover:bg-hover')}
    >
      {face}
      <bdi className={cx('truncate self-baseline', isUnread ? 'font-semibold' : 'font-medium')}>{name}</bdi>
      <AgoAt utc={utc} now={now} className="self-baseline text-faint text-xs" />
      {found ? (
        <Excerpt found={found} />
      ) : (
        <bdi className={cx('col-span-2 truncate', !isUnread && 'text-soft')}>{snippet}</bdi>
      )}
      {failure ? <Failure reason={failure} /> : state}
    </a>
  );
}

/** Without a count: nothing is unread, or it was marked by hand. */
export const UnreadMark = () => (
  <span role="img" aria-label={t('is_unread')} className="size-2 shrink-0 rounded-full bg-accent" />
);

const Failure = ({ reason }: { reason: string }) => (
  <RowState className="text-danger-text">
    <CircleAlert aria-hidden className="me-1 inline size-3.5" />
    {reason}
  </RowState>
);

interface RowStateProps {
  className: string;
  /** Marks at its end. Tags get the remaining room. False: nothing. */
  marks?: ReactNode;
  children: ReactNode;
}

/** The last line of a row. */
export const RowState = ({ className, marks = false, children }: RowStateProps) =>
  marks ? (
    <span className={cx('col-span-2 flex items-center gap-1.5 pt-0.5 text-xs', className)}>
      <span className="min-w-0 truncate">{children}</span>
      <span className="flex min-w-min flex-1 items-center justify-end gap-1.5">{marks}</span>
    </span>
  ) : (
    <span className={cx('col-span-2 truncate pt-0.5 text-xs', className)}>{children}</span>
  );
