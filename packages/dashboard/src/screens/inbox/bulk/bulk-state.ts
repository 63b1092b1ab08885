import { useSyncExternalStore } from 'react';

/** A running bulk change. */
interface Running {
  done: number;
  total: number;
}

interface Bulk {
  running: Running | null;
  /** Why a chat or ticket wasn't changed the last time, by the key of its row. */
  failures: ReadonlyMap<string, string>;
}

const listeners = new Set<() => void>();
let bulk: Bulk = { running: null, failures: new Map() };

/** Updates the state of the bulk change. */
export function changeBulk(change: Partial<Bulk>): void {
  bulk = { ...bulk, ...change };
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The running change and the failures, on every screen. */
export const useBulk = (): Bulk => useSyncExternalStore(subscribe, () => bulk);

export const forgetFailures = (): void => changeBulk({ failures: new Map() });

/** Whether a bulk change is running. */
export const isRunning = (): boolean => bulk.running !== null;
