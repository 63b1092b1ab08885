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
 * Marks what is shown as read, once per state and only while the agent is looking. What is marked as unread while
 * open stays so until it is opened again or something new arrives.
 * @param state a changed value must be read again
 * @param tell undefined: already read
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
      // The next look tries again.
      read.current = undefined;
    });
  }, [focused, state]);
}

/**
 * Tells the visitor that their messages were read: only if the chat is the agent's. Opening removes the unread
 * mark, unless the chat is a colleague's.
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

/** Opening a ticket marks it as read for the team, up to the loaded replies. */
export function useMarkTicketRead({ id, replies }: TicketDetail): void {
  const seen = replies.at(-1)?.id ?? 0;
  useRead(seen, () => call('tickets.mark_read', { id, seen }));
}
