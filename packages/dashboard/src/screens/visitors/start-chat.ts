import type { InputOf, OutputOf } from '@foyer/protocol';
import { ApiError, call } from '../../api.ts';

/** The server calls the page for half a minute. */
const AGAIN_MS = 25_000;
/** Pages report every 15 seconds while a desk shows who is on the site, or a minute at first. */
const PATIENCE_MS = 75_000;

/** Ends after the time or when `end` is called, whichever is first. */
function pause(ms: number, signal: AbortSignal): { ended: Promise<void>; end: () => void } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const ended = promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  });
  return { ended, end: resolve };
}

/**
 * Starts a chat. The page of a visitor who has never opened it connects it first: `onWaiting` runs then, and the call
 * is repeated, until the signal aborts or the page didn't answer for long. Nothing is stored before. `again` repeats it
 * without delay: the page has connected, or the visitor has left.
 */
export async function startChat(
  input: InputOf<'sessions.start'>,
  signal: AbortSignal,
  onWaiting: (again: () => void) => void,
): Promise<OutputOf<'sessions.start'>> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await call('sessions.start', input, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'visitor_connecting' || Date.now() > end)
        throw error;
    }
    const { ended, end: again } = pause(AGAIN_MS, signal);
    onWaiting(again);
    await ended;
  }
}
