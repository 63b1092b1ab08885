import type { TicketPriority, TicketSummary } from '@foyer/protocol';
import { ArrowDown, ArrowUp, ChevronsUp, Ticket } from 'lucide-react';
import { Suspense } from 'react';
import { lazyPart } from '../../../../lazy-part.ts';
import { visitorName } from '../../../../words.ts';
import { t } from '../../t.ts';
import { priorityWord, statusWord } from '../../ticket/ticket-words.ts';
import { DraftMark } from '../../writing/drafts/DraftMark.tsx';
import { RowLines, type RowProps, RowState, UnreadMark } from './RowLines.tsx';
import { RowAssignee, RowTags, RowTeam, SnoozedUntil, SpamSince } from './RowMarks.tsx';
import { type Turn, turnLook, turnOfTicket, turnWords } from './turn.ts';

/** Only sites with SLA policies load it. */
const DueMark = lazyPart(() => import('../../sla/DueMark.tsx'), 'DueMark');

const PRIORITY_ICONS = { low: ArrowDown, normal: null, high: ArrowUp, urgent: ChevronsUp };

/** A priority other than normal, as icon and word. */
function PriorityMark({ priority }: { priority: TicketPriority }) {
  const Icon = PRIORITY_ICONS[priority];
  if (!Icon) return null;
  return (
    <span className="inline-flex shrink-0 items-center gap-0.5">
      <Icon aria-hidden className="size-3.5" />
      {priorityWord(priority)}
    </span>
  );
}

/** A ticket in the list: customer, subject or search hit, whose turn it is, tags and assignee. */
export function TicketRow({ ticket, ...row }: RowProps & { ticket: TicketSummary }) {
  const { found, myId, now } = row;
  const { assignee, priority, sla, snoozed_until_utc, spam, tags, team } = ticket;
  const turn = snoozed_until_utc || spam ? undefined : turnOfTicket(ticket);
  const isUnread = ticket.unread && !row.isOpen;
  const isDrafted = row.hasDraft && !row.isOpen;
  const hasMarks =
    isUnread || isDrafted || priority !== 'normal' || assignee || team || sla?.due_utc || tags.length > 0;
  return (
    <RowLines
      {...row}
      face={
        <span
          aria-hidden
          className="row-face row-span-3 inline-flex size-8 items-center justify-center rounded-lg border border-line-strong text-soft"
        >
          <Ticket className="size-4" />
        </span>
      }
      name={visitorName(ticket.requester)}
      utc={ticket.last_activity_utc}
      snippet={ticket.subject}
      isUnread={isUnread}
      state={
        <RowState
          className={turnLook(turn, 'ticket', now)}
          marks={
            hasMarks && (
              <>
                <RowTags tags={tags} />
                {sla?.due_utc ? (
                  <Suspense>
                    <DueMark sla={sla} now={now} />
                  </Suspense>
                ) : null}
                <PriorityMark priority={priority} />
                {isDrafted ? <DraftMark /> : null}
                {isUnread ? <UnreadMark /> : null}
                <RowTeam team={team} />
                <RowAssignee agent={assignee} picture={ticket.assignee_picture_url} myId={myId} />
              </>
            )
          }
        >
          <TicketState ticket={ticket} turn={turn} now={now} />
          {found && found.in !== 'subject' ? (
            <>
              {' · '}
              <bdi>{ticket.subject}</bdi>
            </>
          ) : null}
        </RowState>
      }
    />
  );
}

interface TicketStateProps {
  ticket: TicketSummary;
  turn: Turn | undefined;
  now: number;
}

/** Number, status and whose turn it is; compact rows only have room for the last. */
function TicketState({ ticket: { id, status, snoozed_until_utc, spam }, turn, now }: TicketStateProps) {
  // A ticket waiting for the team is open: the word would only take space.
  const word = turn?.kind === 'waiting' ? '' : statusWord(status);
  return (
    <>
      <span className="sr-only">{t('ticket')} </span>
      <span className="row-extra">
        #{id} · {turn && word ? `${word} · ` : null}
      </span>
      {spam ? (
        <SpamSince mark={spam} now={now} />
      ) : snoozed_until_utc ? (
        <SnoozedUntil utc={snoozed_until_utc} />
      ) : turn ? (
        turnWords(turn, now)
      ) : (
        word
      )}
    </>
  );
}
