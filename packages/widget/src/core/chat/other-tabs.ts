import { hasTexts } from '@foyer/protocol/browser/stored';
import type { Outbox } from '../outbox.ts';
import type { ChatParts } from './parts.ts';
import type { Store } from './store.ts';
import { DRAFTS, MOVED, TOKEN } from './stored.ts';

/** Handles everything that another tab writes within this time in one go. */
const REFRESH_MS = 20;

const isMove = (value: unknown): value is { chat: string; session_id: string } =>
  hasTexts(value, 'chat', 'session_id');

/**
 * Returns the handler for a value that another tab stored; the name is null if it removed all values.
 * @param onMove the other tab has sent a message of this one: `chat` is a session now
 */
export const createOtherTabs = (
  { storage }: ChatParts,
  { state, apply }: Store,
  outbox: Outbox,
  onToken: () => void,
  onMove: (chat: string, sessionId: string) => void,
) => {
  let timer: ReturnType<typeof setTimeout> | undefined;

  const refresh = () => {
    outbox.refresh();
    // The tab that wrote a message may close before it sends it.
    if (state().line === 'online') outbox.pump();
  };
  return (name: string | null): void => {
    if (name === null || name.startsWith('outbox.')) {
      clearTimeout(timer);
      timer = setTimeout(refresh, REFRESH_MS);
    }
    if (name === null || name === TOKEN) onToken();
    if (name === DRAFTS) apply({ type: 'drafts' });
    const moved = name === MOVED ? storage.read(MOVED) : null;
    if (isMove(moved)) onMove(moved.chat, moved.session_id);
  };
};
