/** How often a process announces which sites its desks show. */
const AGAIN_MS = 20_000;
/** How long processes consider a site shown. Desks ask every half minute while they show live visitors. */
export const WATCHED_MS = 75_000;
/** How often a process confirms that it reports on a site that others show. */
const REPEAT_MS = 20_000;
const SITES_MAX = 10_000;
/** Within this time the other processes have sent what they have about a site. */
const ANSWER_MS = 3_000;

/** Desks of this node show a site. `all`: it has nothing of the other nodes yet. */
export interface WatchNotice {
  watching: { node: string; site: number; all: boolean };
}

/** Sites whose notices this process receives from others. */
export interface Followed {
  add(siteId: number): void;
  remove(siteId: number): void;
}

interface Watched {
  /** The other processes whose desks show the site, and until when. */
  by: Map<string, number>;
  sentAt: number;
}

/** Which processes' desks show which sites: only for those anything is sent. */
export class Watching {
  /** Sites shown by desks of this process, and when that was last announced. */
  readonly #own = new Map<number, { saidAt: number; since: number }>();
  readonly #others = new Map<number, Watched>();
  readonly #followed: Followed;

  /** @param followed gets the sites that this process shows */
  constructor(followed: Followed) {
    this.#followed = followed;
  }

  /** A desk of this process asks. @returns what to announce to the others now, if anything */
  look(siteId: number, now: number): { all: boolean } | undefined {
    const own = this.#own.get(siteId);
    if (own && now - own.saidAt < AGAIN_MS) return undefined;
    const all = !own || now - own.saidAt > WATCHED_MS;
    if (!this.#own.delete(siteId)) this.#followed.add(siteId);
    this.#own.set(siteId, { saidAt: now, since: all ? now : own.since });
    const oldest = this.#own.size > SITES_MAX ? this.#own.keys().next().value : undefined;
    if (oldest !== undefined) this.#forget(oldest);
    return { all };
  }

  /** Another process shows the site. @returns whether it needs everything */
  heard({ node, site, all }: WatchNotice['watching'], now: number): boolean {
    const watched = this.#others.get(site) ?? { by: new Map<string, number>(), sentAt: now };
    const isNew = !watched.by.has(node);
    watched.by.set(node, now + WATCHED_MS);
    this.#others.set(site, watched);
    return all || isNew;
  }

  /** Whether desks of other processes show the site. */
  isWatched(siteId: number): boolean {
    return this.#others.has(siteId);
  }

  /** Whether desks of any process show the site. */
  isLookedAt(siteId: number, now: number): boolean {
    const own = this.#own.get(siteId);
    return this.isWatched(siteId) || (own !== undefined && now - own.saidAt <= WATCHED_MS);
  }

  /** Whether the others have had time to send what they have about a site that this process shows. */
  hasHeard(siteId: number, now: number): boolean {
    const own = this.#own.get(siteId);
    return own !== undefined && now - own.since > ANSWER_MS;
  }

  sent(siteId: number, now: number): void {
    const watched = this.#others.get(siteId);
    if (watched) watched.sentAt = now;
  }

  /** Removes what is no longer shown, here or elsewhere. @returns the sites that are due for a confirmation */
  due(now: number): number[] {
    for (const [siteId, { saidAt }] of this.#own) if (now - saidAt > WATCHED_MS) this.#forget(siteId);
    for (const [siteId, { by }] of this.#others) {
      for (const [node, until] of by) if (until < now) by.delete(node);
      if (by.size === 0) this.#others.delete(siteId);
    }
    return [...this.#others].filter(([, { sentAt }]) => now - sentAt > REPEAT_MS).map(([siteId]) => siteId);
  }

  /** The next desk to ask needs everything. */
  forgetOwn(): void {
    for (const siteId of this.#own.keys()) this.#forget(siteId);
  }

  #forget(siteId: number): void {
    if (this.#own.delete(siteId)) this.#followed.remove(siteId);
  }
}
