import type { Session, Ticket } from '@foyer/protocol';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { useDesk } from '../../../desk/DeskContext.tsx';
import { momentOf } from '../../../times.ts';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { t as tInbox } from '../t.ts';
import { t } from './t.ts';

/** A chat or a ticket that can be put aside. */
export interface Snoozable {
  until_utc: string | null;
  /** Null wakes it. */
  write: (until_utc: string | null) => Promise<void>;
}

/** A ticket, to be snoozed. */
export function useSnoozableTicket({ id: ticket_id, snoozed_until_utc: until_utc }: Ticket): Snoozable {
  const desk = useDesk();
  return {
    until_utc,
    write: async (until) =>
      desk.takeTicket(await call('ticket_snoozes.set', { ticket_id, until_utc: until })),
  };
}

/** A chat, to be snoozed: not over a message of its visitor that is not on this screen yet. */
export function useSnoozableChat({ session_id, snoozed_until_utc, last_seq }: Session): Snoozable {
  const desk = useDesk();
  return {
    until_utc: snoozed_until_utc,
    write: async (until_utc) =>
      desk.take(await call('sessions.snooze', { session_id, until_utc, seen: last_seq })),
  };
}

/** Snoozes until then, with a way back; null wakes. */
export function useSnooze({ until_utc, write }: Snoozable) {
  return useMutation({
    mutationFn: (until: Date | null) => write(until?.toISOString() ?? null),
    // The news of the change may come before its answer: what was is kept from before both.
    onMutate: () => until_utc,
    onSuccess: (_, until, before) => {
      // A ticket that was woken is open: that is said, and not taken back.
      if (until === null) toast.success(t('unsnoozed'));
      else
        toast.undoable(t('snoozed_until', { date: momentOf(until) }), () => {
          write(before).catch((error: unknown) => toast.error(tInbox('undo_failed'), error));
        });
    },
    onError: (error) => toast.error(t('snooze_failed'), error),
  });
}
