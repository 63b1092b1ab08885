/** How often exchanges are let go, and by how many at a time. */
export const TICK_MS = 4;
const FIRST = 4;
const LEAST = 1;
const MOST = 16;
/** A tick that comes so late means that others wait for this process too. */
const LATE_MS = 3;

export interface Pace {
  /** Whether one more may begin now; if not, `onTick` is called when that may be so again. */
  take(): boolean;
  stop(): void;
}

/** As fast as it goes: for a process that does nothing else. */
export const UNPACED: Pace = { take: () => true, stop: () => undefined };

/**
 * For a process that also answers people: a backlog must not take all of its time. So many begin in each tick; ticks
 * that come late make them fewer, those in time slowly more.
 */
export function createPace(onTick: () => void, now: () => number = () => performance.now()): Pace {
  let each = FIRST;
  let left = FIRST;
  let timer: NodeJS.Timeout | undefined;

  function tick(dueAt: number): void {
    const late = now() - dueAt;
    each = late > LATE_MS ? Math.max(LEAST, each * 0.7) : Math.min(MOST, each + 0.25);
    const used = left < 1;
    left = Math.floor(each);
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
