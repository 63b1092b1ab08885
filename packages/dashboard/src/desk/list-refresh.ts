import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';

const PAGE_MS = 1_000;

/**
 * The server knows the order of a list: asks for it anew, once for many changes. All loaded pages are asked for, one
 * after the other, so a list that is loaded far waits for so many seconds: a busy site makes one request a second of it.
 */
export class ListRefresh {
  readonly #client: QueryClient;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

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

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
