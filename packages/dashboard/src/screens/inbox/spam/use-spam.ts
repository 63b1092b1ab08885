import type { InputOf, Session, SpamMark, Ticket } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { type Handler, useCommands } from '../../../commands/commands.ts';
import { useDesk } from '../../../desk/DeskContext.tsx';
import { sessionQuery, ticketQuery } from '../../../queries.ts';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { visitorName } from '../../../words.ts';
import { goOn } from '../go-on.ts';
import { t as tInbox } from '../t.ts';
import { t } from './t.ts';

export type Sender = { key: string } | { email: string; ticket_id: number };

/** A chat or a ticket that can be marked as spam. */
export interface Markable {
  of: Omit<InputOf<'spam.set'>, 'spam'>;
  /** The sender. */
  name: string;
  /** Who can be blocked: the visitor of a chat, or the address that a ticket came from. */
  sender: Sender | null;
  mark: SpamMark | null;
  /** Shows the new mark before the live update arrives, on what is known by then. */
  show: (mark: SpamMark | null) => void;
}

/** A chat that can be marked as spam. */
export function useMarkableChat(session: Session): Markable {
  const desk = useDesk();
  const client = useQueryClient();
  const { queryKey } = sessionQuery(session.session_id);
  return {
    of: { session_id: session.session_id },
    name: visitorName(session.visitor),
    sender: session.visitor.key === null ? null : { key: session.visitor.key },
    mark: session.spam,
    show: (spam) => desk.take({ ...(client.getQueryData(queryKey) ?? session), spam }),
  };
}

/** A ticket that can be marked as spam. */
export function useMarkableTicket(ticket: Ticket): Markable {
  const desk = useDesk();
  const client = useQueryClient();
  const { queryKey } = ticketQuery(ticket.id);
  return {
    of: { ticket_id: ticket.id },
    name: tInbox('ticket_number', { id: String(ticket.id) }),
    sender: ticket.requester.email === null ? null : { email: ticket.requester.email, ticket_id: ticket.id },
    mark: ticket.spam,
    show: (spam) => desk.takeTicket({ ...(client.getQueryData(queryKey) ?? ticket), spam }),
  };
}

/** Marks it as spam, with Undo, and opens the next conversation if the agent has chosen that; or as not spam. */
export function useSpam({ of, name, show }: Markable) {
  const write = async (spam: boolean): Promise<void> => show((await call('spam.set', { ...of, spam })).spam);
  return useMutation({
    mutationFn: write,
    onSuccess: (_, spam) => {
      if (!spam) return toast.success(t('unmarked', { name }));
      toast.undoable(t('marked', { name }), () => {
        write(false).catch((error: unknown) => toast.error(tInbox('undo_failed'), error));
      });
      goOn();
    },
    onError: (error) => toast.error(t('mark_failed'), error),
  });
}

/** Offers the command for the open chat or ticket. @returns what its menu and button do */
export function useSpamCommand(of: Markable): { label: string; run: () => void } {
  const spam = useSpam(of);
  const isSpam = of.mark !== null;
  const handler = {
    label: isSpam ? t('unmark') : t('mark'),
    run: () => spam.mutate(!isSpam),
  } satisfies Handler;
  useCommands({ spam: handler });
  return handler;
}
