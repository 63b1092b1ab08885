/** A call lasts this long; an agent who waits repeats it. */
const CALL_MS = 30_000;
/** The other processes are told of a call again after this time. */
const AGAIN_MS = 10_000;
/** Of all sites. */
const CALLS_MAX = 10_000;

/** An agent wants to write to a visitor whose pages haven't connected the chat. */
export interface CallNotice {
  call: { node: string; site: number; key: string };
}

interface Call {
  until: number;
  saidAt: number;
}

/** Whose pages are to connect the chat when they next report. Kept in memory only. */
export class Calls {
  readonly #calls = new Map<string, Call>();

  /** @returns whether the other processes need to be told */
  add(siteId: number, key: string, now: number): boolean {
    const id = `${siteId} ${key}`;
    const known = this.#calls.get(id);
    const isNews = !known || now - known.saidAt >= AGAIN_MS;
    this.#calls.delete(id);
    this.#calls.set(id, { until: now + CALL_MS, saidAt: isNews ? now : known.saidAt });
    const oldest = this.#calls.size > CALLS_MAX ? this.#calls.keys().next().value : undefined;
    if (oldest !== undefined) this.#calls.delete(oldest);
    return isNews;
  }

  has(siteId: number, key: string, now: number): boolean {
    return (this.#calls.get(`${siteId} ${key}`)?.until ?? 0) > now;
  }

  expire(now: number): void {
    for (const [id, { until }] of this.#calls) if (until <= now) this.#calls.delete(id);
  }
}
