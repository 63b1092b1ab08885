/** Places in which so much work and no more goes on at once; the rest waits in line. */
export interface Places {
  /** Runs `work` as soon as it has a place. */
  take<T>(work: () => Promise<T>): Promise<T>;
  /** How many wait for one. */
  readonly waiting: number;
}

export function createPlaces(count: number): Places {
  let taken = 0;
  const line: (() => void)[] = [];
  return {
    async take(work) {
      if (taken >= count) await new Promise<void>((resolve) => line.push(resolve));
      else taken++;
      try {
        return await work();
      } finally {
        // The place goes to the next in line, or is free.
        const next = line.shift();
        if (next) next();
        else taken--;
      }
    },
    get waiting() {
      return line.length;
    },
  };
}
