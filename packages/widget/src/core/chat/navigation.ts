import type { Connection } from '../connection.ts';
import type { Place } from '../conversation.ts';
import type { Sessions } from './sessions.ts';
import type { Store } from './store.ts';

/** The visitor's place in the widget. Chats that become visible are subscribed to and marked as read. */
export const createNavigation = (
  { state, apply }: Store,
  connection: Connection,
  sessions: Sessions,
  markRead: () => void,
) => {
  const arrive = () => {
    const { view } = state();
    const session = view.name === 'chat' ? state().sessions[view.chat] : undefined;
    if (session) sessions.follow(session);
    markRead();
  };
  return {
    /** The panel opened or closed. */
    panel(isOpen: boolean) {
      if (isOpen) connection.start();
      apply({ type: 'panel', isOpen });
      markRead();
    },
    /** @param replaces the place itself has changed, such as its search text: going back skips the earlier one */
    show(view: Place, replaces = false) {
      apply({ type: 'view', view, replaces });
      arrive();
    },
    back() {
      apply({ type: 'back' });
      arrive();
    },
  };
};
