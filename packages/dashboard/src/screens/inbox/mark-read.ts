import type { Session, TicketDetail } from '@foyer/protocol';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../api.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useHold } from './chat/session-actions.ts';

function useFocused(): boolean {
  const [focused, setFocused] = useState(() => document.hasFocus());
  useEffect(() => {
    const look = (): void => setFocused(document.hasFocus());
    addEventListener('focus', look);
    addEventListener('blur', look);
    return () => {
      removeEventListener('focus', look);
      removeEventListener('blur', look);
    };
  }, []);
  return focused;
}

let lastRead: Promise<unknown> = Promise.resolve();

/** Settles when the last call that marks something as read has been answered. Never rejects. */
export const whenRead = (): Promise<unknown> => lastRead;

/**
 * Says that what stands here is read, once for each state of it and only while somebody looks: what is marked as unread
 * while it stands open stays so until it is opened again, or there is something new in it.
 * @param state another one has to be read anew
 * @param tell undefined: it is read already
 */
function useRead(state: string | number, tell: (() => Promise<unknown>) | undefined): void {
  const focused = useFocused();
  const read = useRef<string | number>(undefined);
  const latest = useRef(tell);
  latest.current = tell;
  useEffect(() => {
    if (!focused || read.current === state) return;
    read.current = state;
    if (!latest.current) return;
    lastRead = latest.current().catch(() => {
      // It is told again with the next look.
      read.current = undefined;
    });
  }, [focused, state]);
}

/**
 * Tells the visitor that their messages were read: only by whose chat it is. The mark that it is unread goes by whoever
 * opens it, but where a colleague has it.
 */
export function useMarkRead(session: Session): void {
  const desk = useDesk();
  const hold = useHold(session);
  const { session_id, last_seq, agent_read_seq, marked_unread } = session;
  const seq = hold === 'mine' ? last_seq : 0;
  const isRead = hold === 'other' || (seq <= agent_read_seq && !marked_unread);
  const tell = async (): Promise<void> => {
    await call('sessions.mark_read', { session_id, seq });
    desk.markedRead(session_id, seq);
  };
  useRead(`${hold} ${last_seq}`, isRead ? undefined : tell);
}

/** A ticket is read by whoever of the team opens it, as far as its replies have come. */
export function useMarkTicketRead({ id, replies }: TicketDetail): void {
  const seen = replies.at(-1)?.id ?? 0;
  useRead(seen, () => call('tickets.mark_read', { id, seen }));
}
