import type { Connection } from '../connection.ts';
import { isSession, lastSeq, unreadOf } from '../conversation.ts';
import type { Store } from './store.ts';

/** Returns a function that marks the visible messages as read. */
export const createReadMarks =
  ({ state, apply }: Store, connection: Connection) =>
  (): void => {
    const { isOpen, view } = state();
    if (!isOpen || view.name !== 'chat' || !isSession(view.chat)) return;
    if (typeof document !== 'undefined' && document.visibilityState === 'hidden') return;
    if (unreadOf(state(), view.chat) === 0) return;
    const seq = lastSeq(state(), view.chat);
    apply({ type: 'read', session_id: view.chat, seq });
    // If the connection breaks, the next read message reports this one too.
    connection.call('chat.mark_read', { session_id: view.chat, seq }).catch(() => {});
  };
