import { FoyerError } from './errors.ts';

export interface RetryOptions {
  /** How often a request is sent again at most. */
  retries: number;
  signal: AbortSignal | undefined;
  /** Whether sending it again can't do anything twice. */
  repeatable: boolean;
}

const FIRST_MS = 250;
const LONGEST_MS = 8_000;
/** A server that asks for more is not waited for: the caller decides. */
const LONGEST_ASKED_S = 60;

const maySucceedLater = ({ code }: FoyerError, repeatable: boolean): boolean =>
  // A request over the limit was not looked at, whatever it is.
  code === 'rate_limited' || (repeatable && ['unavailable', 'network', 'timeout'].includes(code));

/** Doubles each time, plus up to half as much at random, so that many clients don't retry at once. */
function delayMs({ retryAfter }: FoyerError, attempt: number): number {
  const backoff = Math.min(FIRST_MS * 2 ** attempt, LONGEST_MS) * (1 + Math.random() / 2);
  return Math.max(backoff, (retryAfter ?? 0) * 1_000);
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Sends again what may succeed later, after the pause that the server asked for or a growing one. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { retries, signal, repeatable }: RetryOptions,
): Promise<T> {
  for (let made = 0; ; made += 1) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      const passes = error instanceof FoyerError && maySucceedLater(error, repeatable);
      if (!passes || made >= retries || (error.retryAfter ?? 0) > LONGEST_ASKED_S) throw error;
      await sleep(delayMs(error, made), signal);
    }
  }
}
