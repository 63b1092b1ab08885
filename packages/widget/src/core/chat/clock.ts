import type { Connection } from '../connection.ts';
import type { Store } from './store.ts';

/** More than this between two ticks, which are 3 s apart: the page was asleep. */
const SLEPT_MS = 12_000;

/** Returns the regular tick: it removes what has expired, and checks the line after the page was asleep. */
export const createTick = ({ apply }: Store, connection: Connection) => {
  let tickedAt = Date.now();
  return (): void => {
    const now = Date.now();
    apply({ type: 'tick', now });
    if (now - tickedAt > SLEPT_MS) connection.check();
    tickedAt = now;
  };
};
