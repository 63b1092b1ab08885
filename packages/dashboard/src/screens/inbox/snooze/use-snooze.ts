import type { Session, Ticket } from '@foyer/protocol';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { useDesk } from '../../../desk/DeskContext.tsx';
import { momentOf } from '../../../times.ts';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { t as tInbox } from '../t.ts';
import { t } from './t.ts';

/** A chat or a ticket that can be snoozed. */
export interface Snoozable {
  until_utc: string | null;
  /** Null ends the snooze. */
  write: (until_utc: string | null) => Promise<void>;
  /** Undoes a snooze that was just set. */
  undo: () => Promise<void>;
}

/** A ticket that can be snoozed. */
export function useSnoozableTicket({ id, status, snoozed_until_utc: until_utc }: Ticket): Snoozable {
  const desk = useDesk();
  const write = async (until: string | null): Promise<void> =>
    desk.takeTicket(await call('ticket_snoozes.set', { ticket_id: id, until_utc: until }));
  return {
    until_utc,
    write,
    async undo() {
      const { snoozed_until_utc } = await call('tickets.list', { id });
      // The customer's reply has ended it in the meantime.
      if (snoozed_until_utc === null) return;
      await write(until_utc);
      // A ticket is open when its snooze ends, but this one was only waiting.
      const wasWaiting = until_utc === null && (status === 'pending' || status === 'hold');
      if (wasWaiting) desk.takeTicket(await call('tickets.update', { id, status }));
    },
  };
}

/** A chat that can be snoozed, unless its visitor has sent a message that isn't on this screen yet. */
export function useSnoozableChat({ session_id, snoozed_until_utc, last_seq }: Session): Snoozable {
  const desk = useDesk();
  const write = async (until_utc: string | null): Promise<void> =>
    desk.take(await call('sessions.snooze', { session_id, until_utc, seen: last_seq }));
  return { until_utc: snoozed_until_utc, write, undo: () => write(snoozed_until_utc) };
}

/** Snoozes until then, with Undo; null ends the snooze. */
export function useSnooze({ write, undo }: Snoozable) {
  return useMutation({
    mutationFn: (until: Date | null) => write(until?.toISOString() ?? null),
    // The change may show here before its answer: what to undo is kept from before both.
    onMutate: () => undo,
    onSuccess: (_, until, undoThis) => {
      // A ticket whose snooze ended is open; that has no Undo.
      if (until === null) toast.success(t('unsnoozed'));
      else
        toast.undoable(t('snoozed_until', { date: momentOf(until) }), () => {
          undoThis().catch((error: unknown) => toast.error(tInbox('undo_failed'), error));
        });
    },
    onError: (error) => toast.error(t('snooze_failed'), error),
  });
}
