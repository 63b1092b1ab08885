import type { Logger } from 'pino';

/** Further failures within this time share one entry, which contains their number. */
const QUIET_MS = 10 * 60_000;

export type SignInFailure = 'failed' | 'locked';

export interface FailedSignIns {
  note(userId: string, failure: SignInFailure, address: string): void;
  /** Writes the entries that are still pending. */
  stop(): Promise<void>;
}

interface FailedSignInOptions {
  log: Logger;
  /** Writes an entry into the audit log of each site of the person. */
  tell(userId: string, failure: SignInFailure, address: string, count: number): Promise<void>;
  quietMs?: number;
}

interface Counted {
  count: number;
  address: string;
  timer: NodeJS.Timeout;
}

/**
 * Writes failed sign-ins to the audit log: the first at once, further ones within ten minutes as one entry with their
 * number. A flood of any size can't fill the log.
 */
export function createFailedSignIns({ log, tell, quietMs = QUIET_MS }: FailedSignInOptions): FailedSignIns {
  const counted = new Map<string, Counted>();
  const write = async (userId: string, failure: SignInFailure, address: string, count: number) => {
    try {
      await tell(userId, failure, address, count);
    } catch (error) {
      log.error({ err: error, user_id: userId, failure }, 'recording failed sign-ins failed');
    }
  };
  const flush = async (key: string): Promise<void> => {
    const known = counted.get(key);
    if (!known) return;
    clearTimeout(known.timer);
    counted.delete(key);
    const [failure, userId] = split(key);
    if (known.count === 0) return;
    begin(key, known.address);
    await write(userId, failure, known.address, known.count);
  };
  const begin = (key: string, address: string): void => {
    const timer = setTimeout(() => void flush(key), quietMs);
    timer.unref();
    counted.set(key, { count: 0, address, timer });
  };
  return {
    note(userId, failure, address) {
      const key = `${failure} ${userId}`;
      const known = counted.get(key);
      if (known) {
        known.count += 1;
        known.address = address;
        return;
      }
      begin(key, address);
      void write(userId, failure, address, 1);
    },
    async stop() {
      await Promise.all([...counted.keys()].map(flush));
      for (const { timer } of counted.values()) clearTimeout(timer);
      counted.clear();
    },
  };
}

function split(key: string): [SignInFailure, string] {
  const at = key.indexOf(' ');
  return [key.startsWith('locked') ? 'locked' : 'failed', key.slice(at + 1)];
}
