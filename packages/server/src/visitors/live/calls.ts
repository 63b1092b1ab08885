/** How long a call lasts. A waiting agent repeats it. */
const CALL_MS = 30_000;
/** How soon a call is sent to the other processes again. */
const AGAIN_MS = 10_000;
/** Limit for all sites together. */
const CALLS_MAX = 10_000;

/** An agent wants to write to a visitor whose pages haven't connected the chat. */
export interface CallNotice {
  call: { node: string; site: number; key: string };
}

interface Call {
  until: number;
  saidAt: number;
}

/** The visitors whose pages should connect the chat with their next report. Only in memory. */
export class Calls {
  readonly #calls = new Map<string, Call>();

  /** @returns whether the other processes must be notified */
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
