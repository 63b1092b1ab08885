const TICK_MS = 50;

interface Waiting {
  until: number;
  give(): void;
}

/** No answer within the time. */
export class TooLate extends Error {
  override readonly name = 'TooLate';
}

/**
 * Time limits by a clock that stands still while this process is busy: an answer that has arrived and only waits to be
 * read isn't late. One timer for all, which runs only while somebody waits.
 */
export function createPatience() {
  const waiting = new Set<Waiting>();
  let isTicking = false;
  let time = 0;
  const tick = (): void => {
    time += TICK_MS;
    for (const one of waiting) if (one.until < time) one.give();
    isTicking = waiting.size > 0;
    if (isTicking) setTimeout(tick, TICK_MS);
  };
  return {
    /** @throws TooLate */
    async within<T>(ms: number, work: Promise<T>): Promise<T> {
      const { promise: late, reject } = Promise.withResolvers<never>();
      const one = { until: time + ms, give: () => reject(new TooLate(`no answer within ${ms} ms`)) };
      waiting.add(one);
      if (!isTicking) setTimeout(tick, TICK_MS);
      isTicking = true;
      try {
        return await Promise.race([work, late]);
      } finally {
        waiting.delete(one);
      }
    },
  };
}
