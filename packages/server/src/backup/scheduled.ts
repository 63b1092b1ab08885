import { DAY_MS } from '@foyer/protocol/values/durations';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Chore } from '../jobs/schedule.ts';
import type { Secrets } from './dump.ts';
import type { BackupPlace } from './place.ts';
import type { ScheduledBackups } from './settings.ts';
import { storeBackup } from './store.ts';

/** How soon a missed backup is noticed. */
const LOOK_MS = 60_000;
/** The delay after a failure, so that a place that is away for minutes costs no day. */
const RETRY_MS = 15 * 60_000;
const MINUTE_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** An arbitrary lock id: if two processes believe that it's their turn, one makes the backup. */
const BACKUP_LOCK = 5_902_771_347;

interface ServerBackupOptions {
  settings: ScheduledBackups;
  place: BackupPlace;
  recipients: readonly string[];
  /** The secrets as of when a backup begins. */
  secrets(): Secrets;
  /** A direct connection to PostgreSQL: a backup reads in one session. */
  directUrl: string;
  log: Logger;
  now(): Date;
}

/** What this process knows; another process may be making the backups. */
export interface BackupState {
  /** The time of the newest backup in the place; undefined before the first look, and if there is none. */
  readonly lastAt: Date | undefined;
  readonly isFailing: boolean;
}

export interface ServerBackups {
  /** Runs in one process of an installation. */
  readonly chore: Chore;
  state(): BackupState;
  /** Aborts a running backup: the next start makes a new one. */
  stop(): void;
}

/** The last moment at or before `now` at which a backup was due. */
export function lastDue(now: Date, atMinute: number): Date {
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const today = midnight + atMinute * MINUTE_MS;
  return new Date(today <= now.getTime() ? today : today - DAY_MS);
}

/**
 * Makes a backup each day, and one right away if the last one is missing, so that the first start shows whether the
 * settings are right. The files in the place are the only record.
 */
export function createServerBackups(options: ServerBackupOptions): ServerBackups {
  const { settings, place, directUrl, log, now } = options;
  const stopped = new AbortController();
  let lastAt: Date | undefined;
  let failedAt: number | undefined;

  const isDue = async (): Promise<boolean> => {
    const [newest] = await place.list();
    lastAt = newest?.at;
    return newest === undefined || newest.at < lastDue(now(), settings.atMinute);
  };
  const make = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString: directUrl,
      application_name: 'foyer backup',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
        BACKUP_LOCK,
      ]);
      // Checked again: another process may have just finished one.
      if (!rows[0]?.locked || !(await isDue())) return;
      const at = now();
      const { name, deleted } = await storeBackup(client, {
        ...options,
        secrets: options.secrets(),
        keep: settings.keep,
        now: at,
        stopped: stopped.signal,
      });
      lastAt = at;
      log.info({ backup: name, to: place.words, deleted }, 'a backup was made');
    } finally {
      await client.end();
    }
  };
  const run = async (): Promise<void> => {
    if (stopped.signal.aborted) return;
    if (failedAt !== undefined && now().getTime() - failedAt < RETRY_MS) return;
    try {
      if (await isDue()) await make();
      failedAt = undefined;
    } catch (error) {
      if (stopped.signal.aborted) return;
      failedAt = now().getTime();
      log.error({ err: error, to: place.words }, 'the backup failed; it is tried again in 15 minutes');
    }
  };
  return {
    chore: { name: 'backups', everyMs: LOOK_MS, run },
    state: () => ({ lastAt, isFailing: failedAt !== undefined }),
    stop: () => stopped.abort(),
  };
}
