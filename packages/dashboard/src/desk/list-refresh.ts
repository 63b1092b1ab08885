import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';

const PAGE_MS = 1_000;
const COUNT_MS = 1_000;

/**
 * The server knows the order of a list: asks for it anew, once for many changes. All loaded pages are asked for, one
 * after the other, so a list that is loaded far waits for so many seconds: a busy site makes one request a second of it.
 */
export class ListRefresh {
  readonly #client: QueryClient;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** What has changed since it was asked for. */
  readonly #again = new Set<string>();

  constructor(client: QueryClient) {
    this.#client = client;
  }

  /** @param queryKey of all lists of a kind */
  soon(queryKey: QueryKey): void {
    const kind = JSON.stringify(queryKey);
    if (this.#timers.has(kind)) return;
    const pages = this.#client
      .getQueriesData<InfiniteData<unknown>>({ queryKey, type: 'active' })
      .map(([, data]) => data?.pages.length ?? 0);
    const refresh = (): void => {
      this.#timers.delete(kind);
      void this.#client.invalidateQueries({ queryKey });
    };
    this.#timers.set(kind, setTimeout(refresh, PAGE_MS * Math.max(1, ...pages)));
  }

  /**
   * Asks at once for what is small, such as counts, and once more for all that has changed within the second after it.
   */
  now(queryKey: QueryKey): void {
    const kind = JSON.stringify(['now', queryKey]);
    if (this.#timers.has(kind)) {
      this.#again.add(kind);
      return;
    }
    void this.#client.invalidateQueries({ queryKey });
    const end = (): void => {
      this.#timers.delete(kind);
      if (this.#again.delete(kind)) this.now(queryKey);
    };
    this.#timers.set(kind, setTimeout(end, COUNT_MS));
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
