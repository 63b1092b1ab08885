import type { Readable } from 'node:stream';

/** A backup in a place, as its name describes it. */
export interface StoredBackup {
  readonly name: string;
  /** The moment whose data it holds, to the second. */
  readonly at: Date;
  readonly bytes: number;
}

/** Where backups are kept. Other files there are never read, listed or deleted. */
export interface BackupPlace {
  /** The folder, or `s3://bucket/prefix`, for people to read. */
  readonly words: string;
  /** The files with a backup's name, the newest first. */
  list(): Promise<StoredBackup[]>;
  /** Stores a file completely or not at all. @throws StartError if the place can't take it */
  write(name: string, source: Readable): Promise<void>;
  /** @throws StartError if there is no such file */
  read(name: string): Promise<Readable>;
  remove(name: string): Promise<void>;
}

const NAME = /^foyer-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup(?:\.age)?$/;

/** The name of a backup in its place, by which they sort by age. */
export function backupName(at: Date, isEncrypted: boolean): string {
  const time = at.toISOString().slice(0, 19).replaceAll(':', '-');
  return `foyer-${time}Z.backup${isEncrypted ? '.age' : ''}`;
}

/** The backups among files, the newest first. */
export const backupsAmong = (files: readonly { name: string; bytes: number }[]): StoredBackup[] =>
  files
    .flatMap(({ name, bytes }) => {
      const [, day, hours, minutes, seconds] = NAME.exec(name) ?? [];
      const at = new Date(`${day}T${hours}:${minutes}:${seconds}Z`);
      return Number.isNaN(at.getTime()) ? [] : [{ name, at, bytes }];
    })
    .sort((a, b) => b.at.getTime() - a.at.getTime());
