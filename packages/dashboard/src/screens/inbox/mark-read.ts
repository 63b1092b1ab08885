import type { Session } from '@foyer/protocol';
import { useEffect, useState } from 'react';
import { call } from '../../api.ts';
import { useDesk, useMe } from '../../desk/DeskContext.tsx';

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

/** Tells the visitor that their messages were read: only by whose chat it is, and only while they look. */
export function useMarkRead(session: Session): void {
  const desk = useDesk();
  const { agent } = useMe();
  const focused = useFocused();
  const { session_id, last_seq, agent_read_seq } = session;
  const mine = session.status === 'active' && session.agent?.id === agent.id;
  const behind = last_seq > agent_read_seq;
  useEffect(() => {
    if (!mine || !focused || !behind) return;
    let current = true;
    call('sessions.mark_read', { session_id, seq: last_seq })
      .then(() => {
        if (current) desk.markedRead(session_id, last_seq);
      })
      // It is told again with the next message.
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [desk, mine, focused, behind, session_id, last_seq]);
}
