import type { Session } from '@foyer/protocol';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Bot, NotebookPen, Ticket, Undo2, UserRoundPlus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { call } from '../../api.ts';
import { useDesk, useMe } from '../../desk/DeskContext.tsx';
import { seenWord, useSeenPresence } from '../../desk/presence.ts';
import { useShortcuts } from '../../desk/shortcuts.ts';
import { agentsQuery } from '../../queries.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Face } from '../../ui/Face.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { complain, say, sayUndoable } from '../../ui/toast-store.ts';
import { useGiveBack, useHold } from './session-actions.ts';
import { t } from './t.ts';

const SummaryDialog = lazy(() =>
  import('./SummaryDialog.tsx').then((part) => ({ default: part.SummaryDialog })),
);

/** Hands a chat to a colleague, or back to the queue; that can be taken back. */
function useTransfer(session: Session) {
  const desk = useDesk();
  const { session_id } = session;
  const before = session.agent?.id ?? null;
  const move = async (agent_id: number | null): Promise<void> =>
    desk.take(await call('sessions.transfer', { session_id, agent_id }));
  return useMutation({
    mutationFn: ({ to }: { to: number | null; done: string }) => move(to),
    onSuccess: (_, { to, done }) => {
      if (to === before || session.status === 'bot') say(done);
      else
        sayUndoable(done, () => {
          move(before).catch((error: unknown) => complain(t('transfer_not_undone'), error));
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
      if (session.ticket_id === null) say(t('ticket_made', { id: ticket.id }));
    },
    onError: (error) => complain(t('ticket_not_made'), error),
  });
}

/** What is done with a chat less often than answering and closing it. */
export function ChatMenu({ session }: { session: Session }) {
  const [choosing, setChoosing] = useState(false);
  const hold = useHold(session);
  const transfer = useTransfer(session);
  const ticket = useTicketOf(session);
  const { agent: me } = useMe();
  const isOpen = hold !== 'closed';
  const [summarising, setSummarising] = useState(false);
  const giveBack = useGiveBack(session);
  useShortcuts({ t: isOpen ? () => setChoosing(true) : undefined, i: () => ticket.mutate() });
  return (
    <>
      <Menu
        label={t('more_chat')}
        items={[
          isOpen && {
            label: t('hand_over'),
            icon: <UserRoundPlus aria-hidden />,
            shortcut: 't',
            onSelect: () => setChoosing(true),
          },
          (hold === 'mine' || hold === 'other') && {
            label: t('to_queue'),
            icon: <Undo2 aria-hidden />,
            onSelect: () => transfer.mutate({ to: null, done: t('to_queue_done') }),
          },
          (hold === 'mine' || hold === 'waiting') && {
            label: t('give_back'),
            icon: <Bot aria-hidden />,
            onSelect: () => giveBack.mutate(),
          },
          {
            label: t('summarise'),
            icon: <NotebookPen aria-hidden />,
            onSelect: () => setSummarising(true),
          },
          {
            label: session.ticket_id ? t('open_ticket', { id: session.ticket_id }) : t('make_ticket'),
            icon: <Ticket aria-hidden />,
            shortcut: 'i',
            onSelect: () => ticket.mutate(),
          },
        ]}
      />
      {summarising ? (
        <Suspense>
          <SummaryDialog session={session} onClose={() => setSummarising(false)} />
        </Suspense>
      ) : null}
      {choosing ? (
        <ColleagueDialog
          session={session}
          onClose={() => setChoosing(false)}
          onChoose={(id, name) => {
            setChoosing(false);
            transfer.mutate({ to: id, done: id === me.id ? t('has_chat_me') : t('has_chat', { name }) });
          }}
        />
      ) : null}
    </>
  );
}

interface ColleagueDialogProps {
  session: Session;
  onChoose: (id: number, name: string) => void;
  onClose: () => void;
}

const ORDER = { online: 0, away: 1, offline: 2 };

function ColleagueDialog({ session, onChoose, onClose }: ColleagueDialogProps) {
  const { agent: me } = useMe();
  const seenOf = useSeenPresence();
  const agents = useQuery(agentsQuery).data?.agents ?? [];
  const others = agents
    .filter(({ id }) => id !== session.agent?.id)
    .toSorted((a, b) => ORDER[seenOf(a.id)] - ORDER[seenOf(b.id)] || a.name.localeCompare(b.name));
  return (
    <Dialog open onClose={onClose} title={t('hand_to')}>
      {others.length === 0 ? <p className="text-soft">{t('nobody_else')}</p> : null}
      <ul className="-mx-2">
        {others.map((agent) => (
          <li key={agent.id}>
            <button
              type="button"
              onClick={() => onChoose(agent.id, agent.name)}
              className="flex h-12 w-full items-center gap-3 rounded-lg px-2 text-start hover:bg-hover"
            >
              <Face kind="agent" name={agent.name} picture={agent.picture_url} presence={seenOf(agent.id)} />
              <span className="min-w-0 flex-1 truncate">
                <bdi>{agent.name}</bdi>
                {agent.id === me.id ? <span className="text-soft"> {t('you_mark')}</span> : null}
              </span>
              <span className="text-soft text-xs">{seenWord(seenOf(agent.id))}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
