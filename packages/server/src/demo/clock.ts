import { DAY_MS, HOUR_MS, MINUTE_MS } from '@foyer/protocol/values/durations';

/** A clock for events in the past, which advances as they are created. */
export class DemoClock {
  #atMs: number;

  constructor(agoMs: number) {
    this.#atMs = Date.now() - agoMs;
  }

  static minutesAgo(minutes: number): DemoClock {
    return new DemoClock(minutes * MINUTE_MS);
  }

  /** @param hours before now, on that day */
  static daysAgo(days: number, hours = 0): DemoClock {
    return new DemoClock(days * DAY_MS + hours * HOUR_MS);
  }

  readonly now = (): Date => new Date(this.#atMs);

  pass(seconds: number): void {
    this.#atMs += seconds * 1_000;
  }
}
