import type { Connection } from '../connection.ts';
import type { Store } from './store.ts';

/** More than this between two ticks, which are 3 s apart, means that the page was asleep. */
const SLEPT_MS = 12_000;

/** Returns the regular tick: removes what has expired, and checks the connection after the page was asleep. */
export const createTick = ({ apply }: Store, connection: Connection) => {
  let tickedAt = Date.now();
  return (): void => {
    const now = Date.now();
    apply({ type: 'tick', now });
    if (now - tickedAt > SLEPT_MS) connection.check();
    tickedAt = now;
  };
};
