/** How often new exchanges may start. */
export const TICK_MS = 4;
/** How many may start per tick: initially, at least, at most. */
const PER_TICK_FIRST = 4;
const PER_TICK_MIN = 1;
const PER_TICK_MAX = 16;
/** A tick this late means that other work waits for the process, too. */
const LATE_MS = 3;

export interface AdaptiveThrottle {
  /** @returns whether another may start now; if not, `onTick` is called when one may */
  take(): boolean;
  stop(): void;
}

/** For a process that does nothing else. */
export const UNLIMITED: AdaptiveThrottle = { take: () => true, stop: () => undefined };

/**
 * For a process that also serves requests, so that a backlog doesn't take all of its time. Each tick allows a
 * number of starts: a late tick lowers that number, a timely one slowly raises it.
 */
export function createAdaptiveThrottle(
  onTick: () => void,
  now: () => number = () => performance.now(),
): AdaptiveThrottle {
  let perTick = PER_TICK_FIRST;
  let left = PER_TICK_FIRST;
  let timer: NodeJS.Timeout | undefined;

  function tick(dueAt: number): void {
    const late = now() - dueAt;
    perTick = late > LATE_MS ? Math.max(PER_TICK_MIN, perTick * 0.7) : Math.min(PER_TICK_MAX, perTick + 0.25);
    const used = left < 1;
    left = Math.floor(perTick);
    timer = undefined;
    if (used) onTick();
  }

  return {
    take() {
      if (timer === undefined) {
        const dueAt = now() + TICK_MS;
        timer = setTimeout(() => tick(dueAt), TICK_MS);
      }
      if (left < 1) return false;
      left -= 1;
      return true;
    },
    stop() {
      clearTimeout(timer);
    },
  };
}
