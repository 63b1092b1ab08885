import type { InputOf, Ticket, TicketStatus } from '@foyer/protocol';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { complain, say, sayUndoable } from '../../ui/toast-store.ts';
import { t } from './t.ts';

export type TicketChange = Omit<InputOf<'tickets.update'>, 'id'>;

/** Where a ticket may go by hand (decisions 3, "ticket states"). */
export function nextStatuses(from: TicketStatus): TicketStatus[] {
  if (from === 'closed') return [];
  return ['open', 'pending', 'hold', 'solved'];
}

/** What of a ticket was otherwise before a change: a new one has been touched, and stays so. */
const wayBack = (before: Ticket, change: TicketChange): TicketChange | undefined => {
  const back: TicketChange = {
    ...(change.status && before.status !== 'new' ? { status: before.status } : {}),
    ...(change.priority ? { priority: before.priority } : {}),
    ...(change.assignee_id === undefined ? {} : { assignee_id: before.assignee?.id ?? null }),
    ...(change.tags ? { tags: before.tags } : {}),
    ...(change.subject ? { subject: before.subject } : {}),
  };
  return Object.keys(back).length > 0 ? back : undefined;
};

interface Told<T> {
  change: T;
  /** What was done, in words; without them only what fails is told. */
  done?: string;
}

/** Changes a ticket; what can be taken back can be from the message that says it. */
export function useTicketChange(ticket: Ticket) {
  const desk = useDesk();
  const { id } = ticket;
  const write = async (change: TicketChange): Promise<void> =>
    desk.takeTicket(await call('tickets.update', { id, ...change }));
  const undo = (change: TicketChange) => (): void => {
    write(change).then(
      () => say(t('taken_back')),
      (error: unknown) => complain(t('not_taken_back'), error),
    );
  };
  return useMutation({
    mutationFn: ({ change }: Told<TicketChange>) => write(change),
    // The news of the change may come before its answer: what was is kept from before both.
    onMutate: () => ticket,
    onSuccess: (_, { change, done }, before) => {
      const back = wayBack(before, change);
      if (done && back) sayUndoable(done, undo(back));
      else if (done) say(done);
    },
    onError: (error) => complain(t('ticket_failed'), error),
  });
}

/** Snoozes a ticket until then; null wakes it. */
export function useSnooze(ticket: Ticket) {
  const desk = useDesk();
  const { id, snoozed_until_utc } = ticket;
  const write = async (until_utc: string | null): Promise<void> =>
    desk.takeTicket(await call('ticket_snoozes.set', { ticket_id: id, until_utc }));
  return useMutation({
    mutationFn: ({ change }: Told<string | null>) => write(change),
    onMutate: () => snoozed_until_utc,
    onSuccess: (_, { change, done }, before) => {
      // A ticket that was woken is open: that is said, and not taken back.
      if (!done || change === null) say(done ?? t('awake'));
      else
        sayUndoable(done, () => {
          write(before).catch((error: unknown) => complain(t('not_taken_back'), error));
        });
    },
    onError: (error) => complain(t('snooze_failed'), error),
  });
}
