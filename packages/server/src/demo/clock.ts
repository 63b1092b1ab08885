const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The time of something that is told as past, which passes as it is told. */
export class DemoClock {
  #atMs: number;

  constructor(agoMs: number) {
    this.#atMs = Date.now() - agoMs;
  }

  static minutesAgo(minutes: number): DemoClock {
    return new DemoClock(minutes * MINUTE_MS);
  }

  /** @param hours of a day like today, before now */
  static daysAgo(days: number, hours = 0): DemoClock {
    return new DemoClock(days * DAY_MS + hours * HOUR_MS);
  }

  readonly now = (): Date => new Date(this.#atMs);

  pass(seconds: number): void {
    this.#atMs += seconds * 1_000;
  }
}
