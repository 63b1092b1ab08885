import { createKeptFiles } from '../kept-files.ts';
import { createUploads } from '../uploads.ts';
import type { UploadsParts } from './jobs.ts';

export type StoredUploads = ReturnType<typeof createStoredUploads>;

/** Uploads whose files survive their tab in the browser database `name`. */
export const createStoredUploads = (name: string, parts: Omit<UploadsParts, 'kept'>) => {
  const kept = createKeptFiles(name);
  const uploads = createUploads({ ...parts, kept });
  return {
    ...uploads,
    /**
     * Continues with the unsent files of closed tabs.
     * @param onEmpty the database is empty now
     * @returns the chats in which the files were chosen
     */
    async restore(onEmpty: () => void): Promise<string[]> {
      const chats = await uploads.restore();
      if (await kept.isEmpty()) {
        onEmpty();
        await kept.clear();
      }
      return chats;
    },
  };
};
