/** Limits how much work runs at once; the rest waits in order. */
export interface Semaphore {
  /** Runs `work` as soon as fewer than the limit are running. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** The number of calls that wait. */
  readonly waiting: number;
}

/** @param limit the maximum number of calls that run at once */
export function createSemaphore(limit: number): Semaphore {
  let running = 0;
  const queue: (() => void)[] = [];
  return {
    async run(work) {
      if (running >= limit) await new Promise<void>((resolve) => queue.push(resolve));
      else running++;
      try {
        return await work();
      } finally {
        // The permit passes to the next call in the queue, so that a call arriving now can't overtake it.
        const next = queue.shift();
        if (next) next();
        else running--;
      }
    },
    get waiting() {
      return queue.length;
    },
  };
}
