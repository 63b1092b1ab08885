import type { FieldChanges, InputOf, TeamRef, Ticket, TicketPriority, TicketStatus } from '@foyer/protocol';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { useDesk, useMe } from '../../../desk/DeskContext.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { t as tInbox } from '../t.ts';
import { t } from './t.ts';
import { priorityWord, statusWord } from './ticket-words.ts';

type TicketChange = Omit<InputOf<'tickets.update'>, 'id'>;

/** The statuses that an agent may set: `docs/contract/decisions.md#ticket-states`. */
export function nextStatuses(from: TicketStatus): TicketStatus[] {
  if (from === 'closed') return [];
  return ['open', 'pending', 'hold', 'solved'];
}

/** The change that undoes another. A new ticket that was changed doesn't become new again. */
const wayBack = (before: Ticket, change: TicketChange): TicketChange | undefined => {
  const back: TicketChange = {
    ...(change.status && before.status !== 'new' ? { status: before.status } : {}),
    ...(change.priority ? { priority: before.priority } : {}),
    ...(change.assignee_id === undefined ? {} : { assignee_id: before.assignee?.id ?? null }),
    ...(change.team_id === undefined ? {} : { team_id: before.team?.id ?? null }),
    ...(change.tags ? { tags: before.tags } : {}),
    ...(change.subject ? { subject: before.subject } : {}),
  };
  return Object.keys(back).length > 0 ? back : undefined;
};

interface Told<T> {
  change: T;
  /** What was done, in words; without it, only failures are shown. */
  done?: string;
}

/** Changes a ticket. The message about it offers Undo if possible. */
export function useTicketChange(ticket: Ticket) {
  const desk = useDesk();
  const { id } = ticket;
  const write = async (change: TicketChange): Promise<void> =>
    desk.takeTicket(await call('tickets.update', { id, ...change }));
  const undo = (change: TicketChange) => (): void => {
    write(change).then(
      () => toast.success(t('undone')),
      (error: unknown) => toast.error(tInbox('undo_failed'), error),
    );
  };
  return useMutation({
    mutationFn: ({ change }: Told<TicketChange>) => write(change),
    // The update may arrive before the response, so the previous state is kept from before both.
    onMutate: () => ticket,
    onSuccess: (_, { change, done }, before) => {
      const back = wayBack(before, change);
      if (done && back) toast.undoable(done, undo(back));
      else if (done) toast.success(done);
    },
    onError: (error) => toast.error(t('ticket_failed'), error),
  });
}

/** Saves custom fields; the caller shows a failure. */
export function useSaveFields({ id }: Ticket): (fields: FieldChanges) => Promise<void> {
  const desk = useDesk();
  return async (fields) => desk.takeTicket(await call('tickets.update', { id, fields }));
}

interface TicketFields {
  setStatus: (status: TicketStatus) => void;
  setPriority: (priority: TicketPriority) => void;
  /** Null: unassigned. `name` is the agent's. */
  assign: (id: number | null, name: string) => void;
  /** Null: no team. */
  setTeam: (team: TeamRef | null) => void;
  /** `done` is shown afterwards. */
  setTags: (tags: string[], done?: string) => void;
}

/** Changes one field of a ticket and shows what was done, with Undo. */
export function useTicketFields(ticket: Ticket): TicketFields {
  const { agent: me } = useMe();
  const { mutate } = useTicketChange(ticket);
  return {
    setStatus: (status) =>
      mutate({
        change: { status },
        done: t('ticket_is', { status: statusWord(status) }),
      }),
    setPriority: (priority) =>
      mutate({
        change: { priority },
        done: tInbox('priority_is', { priority: priorityWord(priority) }),
      }),
    assign: (id, name) =>
      mutate({
        change: { assignee_id: id },
        done:
          id === null
            ? tInbox('unassigned')
            : id === me.id
              ? tInbox('assigned_to_me')
              : tInbox('assigned', { name }),
      }),
    setTeam: (team) =>
      mutate({
        change: { team_id: team?.id ?? null },
        done: team ? tInbox('team_is', { name: team.name }) : tInbox('team_gone'),
      }),
    setTags: (tags, done) => mutate({ change: { tags }, ...(done === undefined ? {} : { done }) }),
  };
}
