/** A page as it is sent; `tag` changes with everything that it is made of. */
export interface CachedPage {
  readonly tag: string;
  readonly status: number;
  readonly text: string;
}

export interface PageCache {
  get(path: string, tag: string): CachedPage | undefined;
  set(path: string, page: CachedPage): void;
}

/** Keeps the pages that were asked for last, up to a number of characters. One of an older tag is none. */
export function createPageCache({ maxChars }: { maxChars: number }): PageCache {
  // A Map keeps the order of insertion, so its first key is the one used longest ago.
  const pages = new Map<string, CachedPage>();
  let chars = 0;
  const drop = (path: string): void => {
    chars -= pages.get(path)?.text.length ?? 0;
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
      chars += page.text.length;
      for (const oldest of pages.keys()) {
        if (chars <= maxChars) break;
        drop(oldest);
      }
    },
  };
}
