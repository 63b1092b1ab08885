/** A process says this often which sites its desks look at. */
const AGAIN_MS = 20_000;
/** Desks ask every half minute while they show who is there. */
const WATCHED_MS = 75_000;
/** Of a site that others look at, a process says this often that it still reports. */
const REPEAT_MS = 20_000;
const SITES_MAX = 10_000;
/** Within this time the other processes have sent what they have of a site. */
const ANSWER_MS = 3_000;

/** Desks of this node look at a site; `all`: they don't know yet what the others have. */
export interface WatchNotice {
  watching: { node: string; site: number; all: boolean };
}

interface Watched {
  /** The other processes whose desks look at the site, and until when. */
  by: Map<string, number>;
  sentAt: number;
}

/** Which sites the desks of which processes look at: only of those anything is sent. */
export class Watching {
  /** Sites that desks of this process look at, and when that was said last. */
  readonly #own = new Map<number, { saidAt: number; since: number }>();
  readonly #others = new Map<number, Watched>();

  /** A desk of this process asks. @returns what the others have to be told now, if anything */
  look(siteId: number, now: number): { all: boolean } | undefined {
    const own = this.#own.get(siteId);
    if (own && now - own.saidAt < AGAIN_MS) return undefined;
    const all = !own || now - own.saidAt > WATCHED_MS;
    this.#own.delete(siteId);
    this.#own.set(siteId, { saidAt: now, since: all ? now : own.since });
    const oldest = this.#own.size > SITES_MAX ? this.#own.keys().next().value : undefined;
    if (oldest !== undefined) this.#own.delete(oldest);
    return { all };
  }

  /** Another process looks. @returns whether it needs everything */
  heard({ node, site, all }: WatchNotice['watching'], now: number): boolean {
    const watched = this.#others.get(site) ?? { by: new Map<string, number>(), sentAt: now };
    const isNew = !watched.by.has(node);
    watched.by.set(node, now + WATCHED_MS);
    this.#others.set(site, watched);
    return all || isNew;
  }

  /** By desks of other processes. */
  isWatched(siteId: number): boolean {
    return this.#others.has(siteId);
  }

  /** By desks of any process. */
  isLookedAt(siteId: number, now: number): boolean {
    const own = this.#own.get(siteId);
    return this.isWatched(siteId) || (own !== undefined && now - own.saidAt <= WATCHED_MS);
  }

  /** Whether the others have had the time to say what they have of a site that this process looks at. */
  hasHeard(siteId: number, now: number): boolean {
    const own = this.#own.get(siteId);
    return own !== undefined && now - own.since > ANSWER_MS;
  }

  sent(siteId: number, now: number): void {
    const watched = this.#others.get(siteId);
    if (watched) watched.sentAt = now;
  }

  /** Forgets who no longer looks. @returns the sites of which nothing was sent for a while */
  due(now: number): number[] {
    for (const [siteId, { by }] of this.#others) {
      for (const [node, until] of by) if (until < now) by.delete(node);
      if (by.size === 0) this.#others.delete(siteId);
    }
    return [...this.#others].filter(([, { sentAt }]) => now - sentAt > REPEAT_MS).map(([siteId]) => siteId);
  }

  /** The next who looks needs everything. */
  forgetOwn(): void {
    this.#own.clear();
  }
}
