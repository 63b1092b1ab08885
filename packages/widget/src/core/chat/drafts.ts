import { isSession } from '../conversation.ts';
import { newChatName } from '../outbox.ts';
import type { Storage } from '../storage.ts';
import type { Store } from './store.ts';
import { DRAFTS } from './stored.ts';

/** Unsent text, stored by chat so that a reload and other tabs find it. */
export const createDrafts = (storage: Storage, { state }: Store) => {
  const drafts = () => ({ ...(storage.read(DRAFTS) as Record<string, unknown> | null) });
  const draft = (chat: string): string => {
    const text = drafts()[chat];
    return typeof text === 'string' ? text : '';
  };
  const saveDraft = (chat: string, text: string) => {
    const { [chat]: _, ...others } = drafts();
    const next = text ? { ...others, [chat]: text } : others;
    storage.write(DRAFTS, Object.keys(next).length > 0 ? next : undefined);
  };
  return {
    draft,
    saveDraft,
    moveDraft(from: string, to: string) {
      const text = draft(from);
      if (!text) return;
      saveDraft(from, '');
      saveDraft(to, text);
    },
    /** A chat without a session: the one with unsent text or files, which no list shows, or else a new one. */
    newChat(): string {
      const { files } = state();
      const withFiles = Object.keys(files).filter((chat) => files[chat]?.length);
      return [...Object.keys(drafts()), ...withFiles].find((chat) => !isSession(chat)) ?? newChatName();
    },
  };
};
