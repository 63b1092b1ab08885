import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifMissing } from '../base/missing-file.ts';
import { reasonOf, StartError } from '../base/start-error.ts';
import { writeWhole } from '../base/whole-file.ts';
import { type BackupPlace, backupsAmong } from './place.ts';

/** A folder, created with the first backup, for this user only. */
export function openFolder(folder: string): BackupPlace {
  const refusal = (error: unknown): StartError =>
    new StartError(`${folder} can't be used for backups (${reasonOf(error)}).`);
  return {
    words: folder,
    async list() {
      const names = await readdir(folder)
        .catch(ifMissing([]))
        .catch((error) => {
          throw refusal(error);
        });
      const found = backupsAmong(names.map((name) => ({ name, bytes: 0 })));
      const sizes = await Promise.all(found.map(({ name }) => stat(join(folder, name))));
      return found.map((backup, at) => ({ ...backup, bytes: sizes[at]?.size ?? 0 }));
    },
    async write(name, source) {
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error) => {
        throw refusal(error);
      });
      await writeWhole(join(folder, name), source);
    },
    async read(name) {
      const file = join(folder, name);
      await stat(file).catch((error) => {
        throw new StartError(`${file} can't be read (${reasonOf(error)}).`);
      });
      return createReadStream(file);
    },
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}
