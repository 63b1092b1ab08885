import type { InputOf, Session } from '@foyer/protocol';
import { CLOSE_UNDO_S } from '@foyer/protocol/values/bounds';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../../api.ts';
import { holdTyped, takeTyped } from '../../../commands/typed-ahead.ts';
import { useDesk, useMe } from '../../../desk/DeskContext.tsx';
import { sessionQuery } from '../../../queries.ts';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { visitorName } from '../../../words.ts';
import { goOn } from '../go-on.ts';
import { t } from '../t.ts';

/** Who has a chat, from the agent's point of view. */
export type Hold = 'bot' | 'waiting' | 'mine' | 'other' | 'closed';

export function useHold(session: Session): Hold {
  const { agent } = useMe();
  if (session.status !== 'active') return session.status;
  return session.agent?.id === agent.id ? 'mine' : 'other';
}

/** The chats that this page has requested. One assigned by a colleague must not take the focus: Enter sends. */
const askedFor = new Set<string>();

/** Whether a chat that became the agent's was requested here. */
export const wasAskedFor = (sessionId: string): boolean => askedFor.delete(sessionId);

/** Joins a chat or takes it over, and shows it among the agent's own. */
export function useAccept(session: Session) {
  const desk = useDesk();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { session_id } = session;
  return useMutation({
    mutationFn: (take_over: boolean) => call('sessions.accept', { session_id, take_over }),
    onMutate: () => {
      // The update may arrive before the response.
      askedFor.add(session_id);
      // The agent may type at once; until the composer is there, a letter would run a command.
      holdTyped();
    },
    onSuccess: (taken) => {
      desk.take(taken);
      void navigate({
        to: '/inbox/$sessionId',
        params: { sessionId: session_id },
        search: { queue: 'mine' },
      });
    },
    onError: (error) => {
      askedFor.delete(session_id);
      takeTyped();
      toast.error(t('join_failed'), error);
      void client.invalidateQueries({ queryKey: sessionQuery(session_id).queryKey });
    },
  });
}

/** Lets the bot answer again, from the visitor's next message on. */
export function useGiveBack(session: Session) {
  const desk = useDesk();
  const client = useQueryClient();
  const { session_id } = session;
  return useMutation({
    mutationFn: () => call('sessions.give_back', { session_id }),
    onSuccess: (given) => {
      desk.take(given);
      toast.success(t('returned_to_bot'));
    },
    onError: (error) => {
      toast.error(t('return_failed'), error);
      void client.invalidateQueries({ queryKey: sessionQuery(session_id).queryKey });
    },
  });
}

/** Undoes closing a chat, as long as its visitor hasn't been notified. */
export function useKeepOpen(session: Session) {
  const desk = useDesk();
  return useMutation({
    mutationFn: async () => desk.take(await call('sessions.keep_open', { session_id: session.session_id })),
    onError: (error) => toast.error(t('undo_failed'), error),
  });
}

/** Closes a chat after a delay and offers Undo until then. Opens the next chat if the agent has chosen that. */
export function useClose(session: Session) {
  const desk = useDesk();
  const keepOpen = useKeepOpen(session);
  return useMutation({
    mutationFn: () => call('sessions.close', { session_id: session.session_id, in_s: CLOSE_UNDO_S }),
    onSuccess: (closing) => {
      desk.take(closing);
      toast.undoable(t('chat_closed', { name: visitorName(session.visitor) }), () => keepOpen.mutate());
      goOn();
    },
    onError: (error) => toast.error(t('close_failed'), error),
  });
}

/** Sets the tags of a chat; a new name becomes a tag of the site. */
export function useSetTags(session: Session) {
  const desk = useDesk();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (tags: string[]) => call('sessions.set_tags', { session_id: session.session_id, tags }),
    onSuccess: (changed) => {
      desk.take(changed);
      void client.invalidateQueries({ queryKey: ['tags'] });
    },
    onError: (error) => toast.error(t('tags_failed'), error),
  });
}

interface Transfer {
  /** Null: back to the queue. */
  to: number | null;
  /** Undefined: the team stays. */
  team?: number | null;
  /** What was done, in words. */
  done: string;
  note?: InputOf<'sessions.transfer'>['note'];
}

/** Assigns a chat to a colleague, or returns it to the queue, and offers Undo; a note stays. */
export function useTransfer(session: Session) {
  const desk = useDesk();
  const { session_id } = session;
  const move = async ({ to, team, note }: Omit<Transfer, 'done'>): Promise<void> =>
    desk.take(
      await call('sessions.transfer', {
        session_id,
        agent_id: to,
        ...(team === undefined ? {} : { team_id: team }),
        ...(note ? { note } : {}),
      }),
    );
  return useMutation({
    mutationFn: (transfer: Transfer) => move(transfer),
    // The update may arrive before the response, and then already contains the new assignee.
    onMutate: () => ({
      holder: session.agent?.id ?? null,
      team: session.team?.id ?? null,
      status: session.status,
    }),
    onSuccess: (_, { to, team, done }, before) => {
      const isSame = to === before.holder && (team === undefined || team === before.team);
      if (isSame || before.status === 'bot') toast.success(done);
      else
        toast.undoable(done, () => {
          move({ to: before.holder, ...(team === undefined ? {} : { team: before.team }) }).catch(
            (error: unknown) => toast.error(t('undo_failed'), error),
          );
        });
    },
  });
}

/** Reports a failed transfer if no form does. */
export const toldFailed = { onError: (error: Error) => toast.error(t('transfer_failed'), error) };

/** Creates a ticket from the chat, or opens the one that exists. */
export function useTicketOf(session: Session) {
  const desk = useDesk();
  const navigate = useNavigate();
  const open = (id: number) =>
    navigate({ to: '/inbox/tickets/$ticketId', params: { ticketId: String(id) }, search: true });
  return useMutation({
    mutationFn: () => call('tickets.create_from_chat', { session_id: session.session_id }),
    onSuccess: (ticket) => {
      desk.takeTicket(ticket);
      void open(ticket.id);
      if (session.ticket_id === null) toast.success(t('ticket_created', { id: String(ticket.id) }));
    },
    onError: (error) => toast.error(t('create_failed'), error),
  });
}

/** Creates a draft article from the chat's question and answers, and opens it for editing. */
export function useDraftArticle(session: Session) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => call('copilot.draft_article', { session_id: session.session_id }),
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: ['articles'] });
      void navigate({ to: '/knowledge/$articleId', params: { articleId: String(id) } });
      toast.success(t('article_drafted'));
    },
    onError: (error) => toast.error(t('article_draft_failed'), error),
  });
}
