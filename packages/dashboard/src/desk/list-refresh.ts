import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';

const PAGE_MS = 1_000;
const COUNT_MS = 1_000;

/**
 * Reloads lists whose order only the server knows, once for many changes. All loaded pages are reloaded one after
 * another, so a long list waits for as many seconds: a busy site causes one request per second.
 */
export class ListRefresh {
  readonly #client: QueryClient;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** What has changed since the last request. */
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
   * Reloads something small, such as counts, immediately, and once more for all changes within the following
   * second.
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
