import type { InputOf, OutputOf } from '@foyer/protocol';
import { ApiError, call } from '../../api.ts';

const AGAIN_MS = 1_500;
/** Pages report every 15 seconds while a desk shows who is on the site, or a minute at first. */
const PATIENCE_MS = 75_000;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });

/**
 * Starts a chat. The page of a visitor who has never opened it connects it first: `onWaiting` runs then, and the call
 * is repeated, until the signal aborts or the page didn't answer for long. Nothing is stored before.
 */
export async function startChat(
  input: InputOf<'sessions.start'>,
  signal: AbortSignal,
  onWaiting: () => void,
): Promise<OutputOf<'sessions.start'>> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await call('sessions.start', input, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'visitor_connecting' || Date.now() > end)
        throw error;
    }
    onWaiting();
    await pause(AGAIN_MS, signal);
  }
}
