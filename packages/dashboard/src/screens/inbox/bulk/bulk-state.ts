import { useSyncExternalStore } from 'react';

/** A change of many while it is under way. */
interface Running {
  done: number;
  total: number;
}

interface Bulk {
  running: Running | null;
  /** Why a chat or ticket was not changed the last time, by the key of its row. */
  failures: ReadonlyMap<string, string>;
}

const listeners = new Set<() => void>();
let bulk: Bulk = { running: null, failures: new Map() };

/** Notes what has become of a change of many. */
export function changeBulk(change: Partial<Bulk>): void {
  bulk = { ...bulk, ...change };
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What is under way and what failed, wherever one has gone meanwhile. */
export const useBulk = (): Bulk => useSyncExternalStore(subscribe, () => bulk);

export const forgetFailures = (): void => changeBulk({ failures: new Map() });

/** Whether a change of many is under way. */
export const isRunning = (): boolean => bulk.running !== null;
