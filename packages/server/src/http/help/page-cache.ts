import type { StaticResponse } from '../static-response.ts';

interface PageCache {
  get(path: string, tag: string): StaticResponse | undefined;
  set(path: string, page: StaticResponse): void;
}

/**
 * Caches the most recently used pages. A page with an older tag counts as missing.
 * @param maxBytes size of all pages before compression; compressed copies add about a third
 */
export function createPageCache({ maxBytes }: { maxBytes: number }): PageCache {
  // A Map keeps the order of insertion, so its first key is the one used longest ago.
  const pages = new Map<string, StaticResponse>();
  let bytes = 0;
  const drop = (path: string): void => {
    bytes -= pages.get(path)?.bytes ?? 0;
    pages.delete(path);
  };
  return {
    get(path, tag) {
      const page = pages.get(path);
      if (!page) return undefined;
      pages.delete(path);
      pages.set(path, page);
      return page.tag === tag ? page : undefined;
    },
    set(path, page) {
      drop(path);
      pages.set(path, page);
      bytes += page.bytes;
      for (const oldest of pages.keys()) {
        if (bytes <= maxBytes) break;
        drop(oldest);
      }
    },
  };
}
