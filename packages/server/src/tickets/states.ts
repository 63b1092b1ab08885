import type { TicketStatus } from '@foyer/protocol';
import { AppError } from '../base/errors.ts';

// The state machine of tickets: docs/contract/decisions.md#ticket-states. Nothing else decides on a status.

/** The statuses that a person, a token, a bulk change or a macro may set. */
const BY_HAND: Readonly<Record<TicketStatus, readonly TicketStatus[]>> = {
  new: ['open', 'pending', 'hold', 'solved'],
  open: ['pending', 'hold', 'solved'],
  pending: ['open', 'hold', 'solved'],
  hold: ['open', 'pending', 'solved'],
  solved: ['open', 'pending', 'hold'],
  closed: [],
};

const refusal = (from: TicketStatus, to: TicketStatus): AppError =>
  new AppError('conflict', `A ticket can’t go from ${from} to ${to}.`, {
    reason: 'ticket_state',
    values: { from, to },
  });

/** The current status is accepted as no change. @throws AppError 409 that names both states */
export function changeByHand(from: TicketStatus, to: TicketStatus): TicketStatus {
  if (from !== to && !BY_HAND[from].includes(to)) throw refusal(from, to);
  return to;
}

/** The status after an assignment or a reply of the team. */
export const touched = (from: TicketStatus): TicketStatus => (from === 'new' ? 'open' : from);

/**
 * The status after a reply of the requester. A closed ticket stays closed, and the reply goes into a follow-up.
 * @param snoozed the reply ends the snooze and opens the ticket, whatever its status was
 */
export function answered(from: TicketStatus, snoozed: boolean): TicketStatus | 'follow_up' {
  if (from === 'closed') return 'follow_up';
  return from === 'new' && !snoozed ? 'new' : 'open';
}

/** The status after the end of a snooze, by the clock or by hand. */
export function woken(from: TicketStatus): TicketStatus {
  return from === 'closed' ? 'closed' : 'open';
}

/** The status of a ticket that was merged into another. @throws AppError 409 if it is closed already */
export function merged(from: TicketStatus): TicketStatus {
  if (from === 'closed')
    throw new AppError('conflict', 'You can’t merge a closed ticket.', { reason: 'merge_closed' });
  return 'closed';
}

/** @throws AppError 409: a solved or closed ticket is in no queue that a snooze could hide it from */
export function checkSnooze(from: TicketStatus): void {
  if (from === 'solved' || from === 'closed')
    throw new AppError('conflict', `You can’t snooze a ${from} ticket: it would reopen.`, {
      reason: 'ticket_no_snooze',
      values: { from },
    });
}

/** @throws AppError 409: the requester could not answer a reply to a closed ticket */
export function checkPublicReply(from: TicketStatus): void {
  if (from === 'closed')
    throw new AppError('conflict', 'You can’t reply to a closed ticket: it can’t become open.', {
      reason: 'ticket_no_public_reply',
    });
}

/** Nobody waits for an answer in a ticket with this status. */
export const isSolved = (status: TicketStatus): boolean => status === 'solved' || status === 'closed';

interface Marks {
  status: TicketStatus;
  solved_at: Date | null;
  snoozed_until: Date | null;
}

/** A status together with the times that depend on it: when it was solved, and no snooze once it is done. */
export function settled(before: Marks, status: TicketStatus, now: Date): Marks {
  const isDone = isSolved(status);
  return {
    status,
    solved_at: isDone ? (before.solved_at ?? now) : null,
    snoozed_until: isDone ? null : before.snoozed_until,
  };
}
