import { isSession } from '../conversation.ts';
import type { SentFile } from '../outbox.ts';
import type { StoredUploads } from '../uploads/stored-uploads.ts';
import type { Moves } from './moves.ts';
import type { ChatParts } from './parts.ts';
import type { Store } from './store.ts';
import { FILES } from './stored.ts';

export type Files = ReturnType<typeof createFiles>;

/**
 * The visitor's files. The code for them is loaded with the first one.
 * @param current what a chat is now, which may have got its session meanwhile
 * @param onReady sends a file that arrived after its message
 */
export const createFiles = (
  { storage, filesName, uploadUrl }: ChatParts,
  { state, apply }: Store,
  current: Moves['current'],
  token: () => Promise<string>,
  onReady: (chat: string, file: SentFile) => boolean,
) => {
  let uploads: StoredUploads | undefined;

  const load = async (): Promise<StoredUploads> => {
    const { createStoredUploads } = await import('../uploads/stored-uploads.ts');
    uploads ??= createStoredUploads(filesName, {
      urlOf: uploadUrl,
      token,
      limits: () => state().site?.uploads,
      onChange: (chat, files) => apply({ type: 'files', chat, files }),
      onReady,
    });
    return uploads;
  };
  const hasStored = () => storage.read(FILES) !== null;

  return {
    /** The uploads, if a file was chosen or restored in this tab. */
    loaded: () => uploads,
    async add(chat: string, files: readonly File[]) {
      const all = await load();
      storage.write(FILES, true);
      all.add(current(chat), files);
    },
    /** Continues with the unsent files of closed tabs. Shows a chat without a session, which no list shows. */
    async restore() {
      if (!hasStored()) return;
      const chats = await (await load()).restore(() => storage.write(FILES, undefined));
      const fresh = chats.find((chat) => !isSession(chat));
      if (fresh && state().view.name === 'home') apply({ type: 'view', view: { name: 'chat', chat: fresh } });
    },
    /** Deletes all files from this browser. */
    erase() {
      if (!hasStored()) return;
      storage.write(FILES, undefined);
      // Without a network the code can't be loaded: then delete the database, which works unless another tab has it open.
      load()
        .then(
          (all) => all.forget(),
          () => indexedDB.deleteDatabase(filesName),
        )
        .catch(() => {});
    },
  };
};
