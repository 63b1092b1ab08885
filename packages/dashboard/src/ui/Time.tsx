import { useSyncExternalStore } from 'react';
import { ago, exact } from '../times.ts';

const TICK_MS = 10_000;
const listeners = new Set<() => void>();
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    nowMs = Date.now();
    for (const tell of listeners) tell();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function current(): number {
  if (timer === undefined || Date.now() - nowMs > TICK_MS) nowMs = Date.now();
  return nowMs;
}

/** The time now, in steps of ten seconds; everything that shows a length of time ticks together. */
export const useNow = (): number => useSyncExternalStore(subscribe, current);

/** How long ago something was; the exact time on hover. */
export function Ago({ utc, className }: { utc: string; className?: string }) {
  const now = useNow();
  return (
    <time dateTime={utc} title={exact(utc)} className={`tabular whitespace-nowrap ${className ?? ''}`}>
      {ago(utc, now)}
    </time>
  );
}
