import type { Logger } from 'pino';

/** Further failures within this time share one entry, which contains their number. */
const QUIET_MS = 10 * 60_000;

export type SignInFailure = 'failed' | 'locked';

export interface FailedSignIns<Who, Failure extends string> {
  /** @param who the account, or what else is known; equal ones share entries */
  note(who: Who, failure: Failure, address: string): void;
  /** Writes the entries that are still pending. */
  stop(): Promise<void>;
}

interface FailedSignInOptions<Who, Failure extends string> {
  log: Logger;
  /** Writes an entry into the audit log of each site that it concerns. */
  tell(who: Who, failure: Failure, address: string, count: number): Promise<void>;
  quietMs?: number;
}

interface Counted {
  count: number;
  address: string;
  timer: NodeJS.Timeout;
  /** Writes the counted failures. */
  flush(): Promise<void>;
}

/**
 * Writes failed sign-ins to the audit log: the first at once, further ones within ten minutes as one entry with their
 * number. A flood of any size can't fill the log.
 */
export function createFailedSignIns<Who = string, Failure extends string = SignInFailure>({
  log,
  tell,
  quietMs = QUIET_MS,
}: FailedSignInOptions<Who, Failure>): FailedSignIns<Who, Failure> {
  const counted = new Map<string, Counted>();
  const write = async (who: Who, failure: Failure, address: string, count: number) => {
    try {
      await tell(who, failure, address, count);
    } catch (error) {
      log.error({ err: error, who, failure }, 'recording failed sign-ins failed');
    }
  };
  const begin = (key: string, who: Who, failure: Failure, first: string): void => {
    const flush = async (): Promise<void> => {
      const known = counted.get(key);
      if (!known) return;
      clearTimeout(known.timer);
      counted.delete(key);
      if (known.count === 0) return;
      begin(key, who, failure, known.address);
      await write(who, failure, known.address, known.count);
    };
    const timer = setTimeout(() => void flush(), quietMs);
    timer.unref();
    counted.set(key, { count: 0, address: first, timer, flush });
  };
  return {
    note(who, failure, address) {
      const key = JSON.stringify([failure, who]);
      const known = counted.get(key);
      if (known) {
        known.count += 1;
        known.address = address;
        return;
      }
      begin(key, who, failure, address);
      void write(who, failure, address, 1);
    },
    async stop() {
      await Promise.all([...counted.values()].map(({ flush }) => flush()));
      for (const { timer } of counted.values()) clearTimeout(timer);
      counted.clear();
    },
  };
}
