import type { Bus } from './bus/bus.ts';

/**
 * The sites of which this process needs a channel, counted by use: an open socket, a displayed list, a reporting page.
 */
export class FollowedSites {
  readonly #counts = new Map<number, number>();
  readonly #channelOf: (siteId: number) => number;
  readonly #bus: () => Pick<Bus, 'follow' | 'unfollow'> | undefined;

  /** @param bus is open before the first site is followed */
  constructor(
    channelOf: (siteId: number) => number,
    bus: () => Pick<Bus, 'follow' | 'unfollow'> | undefined,
  ) {
    this.#channelOf = channelOf;
    this.#bus = bus;
  }

  get ids(): number[] {
    return [...this.#counts.keys()];
  }

  /** Follows a site until `remove` was called as often. */
  add(siteId: number): void {
    const count = this.#counts.get(siteId) ?? 0;
    this.#counts.set(siteId, count + 1);
    if (count === 0) this.#bus()?.follow(this.#channelOf(siteId));
  }

  remove(siteId: number): void {
    const count = this.#counts.get(siteId) ?? 0;
    if (count > 1) {
      this.#counts.set(siteId, count - 1);
      return;
    }
    if (this.#counts.delete(siteId)) this.#bus()?.unfollow(this.#channelOf(siteId));
  }
}
