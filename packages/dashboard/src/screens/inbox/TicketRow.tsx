import type { TicketPriority, TicketSummary } from '@foyer/protocol';
import { AlarmClock, ArrowDown, ArrowUp, ChevronsUp, Ticket } from 'lucide-react';
import { placeOf } from '../../live/drafts.ts';
import { exact } from '../../times.ts';
import { cx } from '../../ui/classes.ts';
import { AgoAt } from '../../ui/Time.tsx';
import { visitorName } from '../../words.ts';
import { RowFailure, type RowProps, rowLook } from './ChatRow.tsx';
import { Excerpt } from './Excerpt.tsx';
import { t } from './t.ts';
import { priorityWord, statusWord } from './ticket-words.ts';
import { DraftMark } from './writing/DraftMark.tsx';

const PRIORITY_ICONS = { low: ArrowDown, normal: null, high: ArrowUp, urgent: ChevronsUp };

/** A priority that stands out, by sign and word; the usual one is not worth either. */
export function PriorityMark({ priority }: { priority: TicketPriority }) {
  const Icon = PRIORITY_ICONS[priority];
  if (!Icon) return null;
  return (
    <span className="inline-flex shrink-0 items-center gap-0.5">
      <Icon aria-hidden className="size-3.5" />
      {priorityWord(priority)}
    </span>
  );
}

/** A ticket in the list: who asks, what about or what was found in it, and its state. */
export function TicketRow({
  ticket,
  found,
  href,
  now,
  myId,
  isOpen,
  failure,
}: RowProps & { ticket: TicketSummary }) {
  const assignee =
    ticket.assignee?.id === myId
      ? t('with_you')
      : ticket.assignee && t('with', { name: ticket.assignee.name });
  return (
    <a href={href} aria-current={isOpen ? 'true' : undefined} className={rowLook(isOpen)}>
      <span
        aria-hidden
        className="inline-flex size-8 shrink-0 items-center justify-center rounded-lg border border-line-strong text-soft"
      >
        <Ticket className="size-4" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate font-medium">
            <bdi>{visitorName(ticket.requester)}</bdi>
          </span>
          <AgoAt utc={ticket.updated_utc} now={now} className="text-faint text-xs" />
        </span>
        {found ? (
          <Excerpt found={found} />
        ) : (
          <span className="block truncate text-soft">
            <bdi>{ticket.subject}</bdi>
          </span>
        )}
        {failure ? <RowFailure reason={failure} /> : null}
        <span className={cx('mt-0.5 flex items-center gap-2 text-faint text-xs', failure && 'hidden')}>
          <span className="min-w-0 truncate">
            <span className="sr-only">{t('ticket')} </span>#{ticket.id} · {statusWord(ticket.status)}
            {found && found.in !== 'subject' ? (
              <>
                {' · '}
                <bdi>{ticket.subject}</bdi>
              </>
            ) : null}
            {assignee ? ` · ${assignee}` : ''}
          </span>
          <PriorityMark priority={ticket.priority} />
          {isOpen ? null : <DraftMark place={placeOf({ session_id: null, ticket_id: ticket.id })} />}
          {ticket.snoozed_until_utc ? (
            <span
              className="inline-flex shrink-0 items-center gap-0.5"
              title={exact(ticket.snoozed_until_utc)}
            >
              <AlarmClock aria-hidden className="size-3.5" />
              {t('queue_snoozed')}
            </span>
          ) : null}
        </span>
      </span>
    </a>
  );
}
