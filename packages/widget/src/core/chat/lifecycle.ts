import type { Connection } from '../connection.ts';
import { isSession } from '../conversation.ts';
import type { Outbox } from '../outbox.ts';
import type { Files } from './files.ts';
import type { Identity } from './identity.ts';
import type { ChatParts, Visitor } from './parts.ts';
import type { Store } from './store.ts';
import { DRAFTS, KEY, MOVED, MUTED, TOKEN } from './stored.ts';

/** The visitor arrives, becomes known, or signs out: here or in another tab. */
export const createLifecycle = (
  { storage }: ChatParts,
  { state, apply }: Store,
  identity: Identity,
  connection: Connection,
  outbox: Outbox,
  files: Files,
) => {
  const eraseStored = () => {
    for (const name of [TOKEN, KEY, MOVED, DRAFTS, MUTED]) storage.write(name, undefined);
    outbox.clear();
    files.erase();
  };

  return {
    /** Connects at once only if there is a chat or an unsent message to return to. */
    begin(next: Visitor, hasLoggedOut = false) {
      const known = storage.read(KEY);
      const isOther = typeof known === 'string' && next.key !== undefined && known !== next.key;
      // After a sign-out, the next person must not see anything. An anonymous visitor only becomes known.
      if (hasLoggedOut || (isOther && !known.startsWith('anon_'))) eraseStored();
      identity.visitor = next;
      outbox.refresh();
      // No list shows a chat without a session, so it is opened.
      const unsent = outbox.entries().find((entry) => !isSession(entry.chat));
      if (unsent) apply({ type: 'view', view: { name: 'chat', chat: unsent.chat } });
      if (storage.read(TOKEN) !== null || outbox.entries().length > 0) connection.start();
      // Without a network the files stay stored.
      files.restore().catch(() => {});
    },
    identify(next: Visitor) {
      const { visitor } = identity;
      const isOther = next.key !== visitor.key || next.user_hash !== visitor.user_hash;
      identity.visitor = { ...visitor, ...next };
      if (isOther) connection.restart();
    },
    /** The visitor signed out and now has this key. */
    reset(key: string) {
      // A connection would get a new token: nothing is stored until the visitor opens the chat again.
      connection.stop();
      eraseStored();
      identity.visitor = { ...identity.visitor, key, user_hash: '', attributes: {} };
      apply({ type: 'forget' });
    },
    /** Another tab signed the visitor out, or got the first token. */
    tokenChanged() {
      const token = storage.read(TOKEN);
      if (token === null && identity.token !== null) {
        connection.stop();
        void files.loaded()?.forget();
        identity.token = null;
        apply({ type: 'forget' });
      } else if (typeof token === 'string' && token !== identity.token && state().line !== 'connecting') {
        connection.start();
        if (identity.token !== null) connection.restart();
      }
    },
  };
};
