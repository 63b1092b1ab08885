import { useSyncExternalStore } from 'react';
import { ago, agoInWords, exact } from '../times.ts';

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

/** The current time in steps of ten seconds, so that all durations tick together. */
export const useNow = (): number => useSyncExternalStore(subscribe, current);

interface AgoProps {
  utc: string;
  /** For use in a sentence: `4 min ago` instead of `4 min`. */
  words?: boolean;
  className?: string;
}

/** How long ago something was; the exact time on hover. */
export function Ago(props: AgoProps) {
  return <AgoAt {...props} now={useNow()} />;
}

/** The same in a row of a list that reads the clock once for all rows. */
export function AgoAt({ utc, now, words = false, className }: AgoProps & { now: number }) {
  return (
    <time
      dateTime={utc}
      // Written on demand: in a long list it would take as long as the rest of a row.
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = exact(utc);
      }}
      className={`tabular whitespace-nowrap ${className ?? ''}`}
    >
      {words ? agoInWords(utc, now) : ago(utc, now)}
    </time>
  );
}
