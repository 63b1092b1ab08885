import type { Session } from '@foyer/protocol';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Bot, CircleDot, Link2, NotebookPen, Ticket, Undo2, UserRoundPlus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { call } from '../../api.ts';
import { openPalette } from '../../commands/ask.ts';
import { COMMANDS, useCommands } from '../../commands/commands.ts';
import { useDesk, useMe } from '../../desk/DeskContext.tsx';
import { useSeenPresence } from '../../desk/presence.ts';
import { part } from '../../part.ts';
import { agentsQuery, tagsQuery } from '../../queries.ts';
import { Menu } from '../../ui/Menu.tsx';
import { complain, say, sayUndoable } from '../../ui/toast-store.ts';
import { agentChoices, tagHandler } from './command-choices.ts';
import { copyLink } from './copy-link.ts';
import { useMarkUnread } from './mark-unread.ts';
import { useGiveBack, useHold, useSetTags } from './session-actions.ts';
import { t } from './t.ts';

const SummaryDialog = part(() => import('./SummaryDialog.tsx'), 'SummaryDialog');

/** Hands a chat to a colleague, or back to the queue; that can be taken back. */
function useTransfer(session: Session) {
  const desk = useDesk();
  const { session_id } = session;
  const move = async (agent_id: number | null): Promise<void> =>
    desk.take(await call('sessions.transfer', { session_id, agent_id }));
  return useMutation({
    mutationFn: ({ to }: { to: number | null; done: string }) => move(to),
    // The news of it may come before the answer, and then says whose the chat is now.
    onMutate: () => ({ holder: session.agent?.id ?? null, status: session.status }),
    onSuccess: (_, { to, done }, before) => {
      if (to === before.holder || before.status === 'bot') say(done);
      else
        sayUndoable(done, () => {
          move(before.holder).catch((error: unknown) => complain(t('transfer_not_undone'), error));
        });
    },
    onError: (error) => complain(t('transfer_failed'), error),
  });
}

/** Makes a ticket of the chat, or goes to the one that there is. */
function useTicketOf(session: Session) {
  const desk = useDesk();
  const navigate = useNavigate();
  const open = (id: number) =>
    navigate({ to: '/inbox/tickets/$ticketId', params: { ticketId: String(id) }, search: true });
  return useMutation({
    mutationFn: () => call('tickets.create_from_chat', { session_id: session.session_id }),
    onSuccess: (ticket) => {
      desk.takeTicket(ticket);
      void open(ticket.id);
      if (session.ticket_id === null) say(t('ticket_made', { id: String(ticket.id) }));
    },
    onError: (error) => complain(t('ticket_not_made'), error),
  });
}

/** What is done with a chat less often than answering and closing it. */
export function ChatMenu({ session }: { session: Session }) {
  const hold = useHold(session);
  const transfer = useTransfer(session);
  const ticket = useTicketOf(session);
  const { agent: me } = useMe();
  const isOpen = hold !== 'closed';
  const [summarising, setSummarising] = useState(false);
  const giveBack = useGiveBack(session);
  const seenOf = useSeenPresence();
  const agents = useQuery(agentsQuery).data?.agents ?? [];
  const allTags = useQuery(tagsQuery).data?.items ?? [];
  const setTags = useSetTags(session);
  const isHeld = hold === 'mine' || hold === 'other';
  const isOurs = hold === 'mine' || hold === 'waiting';
  const toQueue = (): void => transfer.mutate({ to: null, done: t('to_queue_done') });
  const desk = useDesk();
  const { session_id } = session;
  const markUnread = useMarkUnread(async () => desk.take(await call('sessions.mark_unread', { session_id })));
  const toLink = (): void => void copyLink(session.session_id);
  const ticketWords = session.ticket_id
    ? t('open_ticket', { id: String(session.ticket_id) })
    : t('make_ticket');
  useCommands({
    assign: isOpen
      ? {
          label: t('hand_to'),
          choices: () =>
            agentChoices({
              agents: agents.filter(({ id }) => id !== session.agent?.id),
              seenOf,
              myId: me.id,
              onChoose: (id, name) =>
                transfer.mutate({
                  to: id,
                  done: id === me.id ? t('has_chat_me') : t('has_chat', { name }),
                }),
            }),
        }
      : undefined,
    // What a colleague has is theirs to read.
    mark_unread: hold === 'other' ? undefined : markUnread,
    make_ticket: { label: ticketWords, run: () => ticket.mutate() },
    to_queue: isHeld ? toQueue : undefined,
    give_back: isOurs ? () => giveBack.mutate() : undefined,
    summarise: () => setSummarising(true),
    copy_link: toLink,
    tags: tagHandler(allTags, session.tags, (tags) => setTags.mutate(tags)),
  });
  return (
    <>
      <Menu
        label={t('more_chat')}
        items={[
          isOpen && {
            label: t('hand_over'),
            icon: <UserRoundPlus aria-hidden />,
            shortcut: 't',
            onSelect: () => openPalette('assign'),
          },
          isHeld && {
            label: t('to_queue'),
            icon: <Undo2 aria-hidden />,
            onSelect: toQueue,
          },
          isOurs && {
            label: t('give_back'),
            icon: <Bot aria-hidden />,
            onSelect: () => giveBack.mutate(),
          },
          {
            label: t('summarise'),
            icon: <NotebookPen aria-hidden />,
            onSelect: () => setSummarising(true),
          },
          hold !== 'other' && {
            label: t('mark_unread'),
            icon: <CircleDot aria-hidden />,
            shortcut: COMMANDS.mark_unread.keys,
            onSelect: markUnread,
          },
          {
            label: ticketWords,
            icon: <Ticket aria-hidden />,
            shortcut: 'i',
            onSelect: () => ticket.mutate(),
          },
          {
            label: t('copy_link'),
            icon: <Link2 aria-hidden />,
            shortcut: COMMANDS.copy_link.keys,
            onSelect: toLink,
          },
        ]}
      />
      {summarising ? (
        <Suspense>
          <SummaryDialog session={session} onClose={() => setSummarising(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
