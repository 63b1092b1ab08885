import type { TicketStatus } from '@foyer/protocol';
import { AppError } from '../errors.ts';

// The state machine of tickets (decisions 3, "ticket states"). Nothing else decides on a status.

/** Where a person, a token, a bulk change or a macro may take a ticket. */
const BY_HAND: Readonly<Record<TicketStatus, readonly TicketStatus[]>> = {
  new: ['open', 'pending', 'hold', 'solved'],
  open: ['pending', 'hold', 'solved'],
  pending: ['open', 'hold', 'solved'],
  hold: ['open', 'pending', 'solved'],
  solved: ['open', 'pending', 'hold'],
  closed: [],
};

const refusal = (from: TicketStatus, to: TicketStatus): AppError =>
  new AppError('conflict', `A ticket that is ${from} can’t become ${to}.`, {
    reason: 'ticket_state',
    values: { from, to },
  });

/** @throws AppError 409 that names both states. The status it already has is no change. */
export function changeByHand(from: TicketStatus, to: TicketStatus): TicketStatus {
  if (from !== to && !BY_HAND[from].includes(to)) throw refusal(from, to);
  return to;
}

/** Somebody was made responsible, or the team has answered: it is no longer untouched. */
export const touched = (from: TicketStatus): TicketStatus => (from === 'new' ? 'open' : from);

/**
 * The requester has replied. A closed ticket stays so: the reply belongs into a follow-up.
 * @param snoozed a snooze ends with the reply, and the ticket is open whatever it was.
 */
export function answered(from: TicketStatus, snoozed: boolean): TicketStatus | 'follow_up' {
  if (from === 'closed') return 'follow_up';
  return from === 'new' && !snoozed ? 'new' : 'open';
}

/** A snooze has come to its end, by the clock or by hand. */
export function woken(from: TicketStatus): TicketStatus {
  return from === 'closed' ? 'closed' : 'open';
}

/** It goes on in another ticket: closed, as by the clock. @throws AppError 409 for one that is closed already. */
export function merged(from: TicketStatus): TicketStatus {
  if (from === 'closed')
    throw new AppError('conflict', 'A ticket that is closed can’t be merged.', { reason: 'merge_closed' });
  return 'closed';
}

/** @throws AppError 409: what is solved or closed is in no queue that it could be hidden from. */
export function checkSnooze(from: TicketStatus): void {
  if (from === 'solved' || from === 'closed')
    throw new AppError('conflict', `A ticket that is ${from} can’t be snoozed; it would have to be open.`, {
      reason: 'ticket_no_snooze',
      values: { from },
    });
}

/** @throws AppError 409: who reads the answer to a closed ticket could not answer it. */
export function checkPublicReply(from: TicketStatus): void {
  if (from === 'closed')
    throw new AppError('conflict', 'A ticket that is closed takes no public reply; it can’t become open.', {
      reason: 'ticket_no_public_reply',
    });
}

interface Marks {
  status: TicketStatus;
  solved_at: Date | null;
  snoozed_until: Date | null;
}

/** A status with what goes along with it: when it was solved; nothing that is done is snoozed. */
export function settled(before: Marks, status: TicketStatus, now: Date): Marks {
  const isDone = status === 'solved' || status === 'closed';
  return {
    status,
    solved_at: isDone ? (before.solved_at ?? now) : null,
    snoozed_until: isDone ? null : before.snoozed_until,
  };
}
