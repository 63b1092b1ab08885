import type { Session } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api.ts';
import { useDesk, useMe } from '../../desk/DeskContext.tsx';
import { sessionQuery } from '../../queries.ts';
import { complain, say } from '../../ui/toast-store.ts';
import { t } from './t.ts';

/** Who has a chat, as seen by the one who looks. */
export type Hold = 'bot' | 'waiting' | 'mine' | 'other' | 'closed';

export function useHold(session: Session): Hold {
  const { agent } = useMe();
  if (session.status !== 'active') return session.status;
  return session.agent?.id === agent.id ? 'mine' : 'other';
}

/** Joins a chat, or takes it from a colleague, and shows it among one's own. */
export function useAccept(session: Session) {
  const desk = useDesk();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { session_id } = session;
  return useMutation({
    mutationFn: (take_over: boolean) => call('sessions.accept', { session_id, take_over }),
    onSuccess: (taken) => {
      desk.take(taken);
      void navigate({
        to: '/inbox/$sessionId',
        params: { sessionId: session_id },
        search: { queue: 'mine' },
      });
    },
    onError: (error) => {
      complain(t('join_failed'), error);
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
      say(t('given_back'));
    },
    onError: (error) => {
      complain(t('give_back_failed'), error);
      void client.invalidateQueries({ queryKey: sessionQuery(session_id).queryKey });
    },
  });
}

export function useClose(session: Session, onDone: () => void) {
  const desk = useDesk();
  return useMutation({
    mutationFn: () => call('sessions.close', { session_id: session.session_id }),
    onSuccess: (closed) => {
      desk.take(closed);
      onDone();
    },
  });
}

export function useSetTags(session: Session) {
  const desk = useDesk();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (tags: string[]) => call('sessions.set_tags', { session_id: session.session_id, tags }),
    onSuccess: (changed) => {
      desk.take(changed);
      void client.invalidateQueries({ queryKey: ['tags'] });
    },
    onError: (error) => complain(t('tags_failed'), error),
  });
}
