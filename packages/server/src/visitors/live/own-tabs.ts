import type { Beat } from './beat.ts';

/** Visible pages report every minute: two reports may get lost. */
export const TAB_ALIVE_MS = 135_000;
/** How long a left page is still shown, so that its visitor stays in the list while the next page loads. */
export const LEFT_SHOWN_MS = 10_000;

/** An open page of the site. Times are in milliseconds. */
export interface OpenTab extends Beat {
  /** When the visit began, and when this page was opened. */
  cameAt: number;
  openedAt: number;
  /** The number of pages in the visit. */
  pages: number;
}

interface OwnTab {
  open: OpenTab;
  aliveAt: number;
  leftAt: number | undefined;
  /** Identifies the browser while one page follows another. Has no meaning outside this process. */
  browser: string;
}

/** The open pages of one site that report to this process, the most recently opened last. */
export class OwnTabs {
  readonly #tabs = new Map<string, OwnTab>();
  /** The page that each browser left last. */
  readonly #left = new Map<string, string>();

  get size(): number {
    return this.#tabs.size;
  }

  get(tab: string): OpenTab | undefined {
    return this.#tabs.get(tab)?.open;
  }

  values(): OpenTab[] {
    return [...this.#tabs.values()].map(({ open }) => open);
  }

  /**
   * A page reports that it is open.
   * @param hasRoom false: pages that aren't known yet are ignored
   * @returns the tabs that changed
   */
  beat(beat: Beat, browser: string, now: number, hasRoom: boolean): string[] {
    const known = this.#tabs.get(beat.tab);
    if (known) return this.#again(known, beat, now);
    const before = this.#continued(beat, browser);
    if (!before && !hasRoom) return [];
    if (before) this.#tabs.delete(before.tab);
    const open = {
      ...beat,
      referrer: before ? before.referrer : beat.referrer,
      cameAt: before?.cameAt ?? now,
      openedAt: now,
      pages: (before?.pages ?? 0) + 1,
    };
    this.#tabs.set(beat.tab, { open, aliveAt: now, leftAt: undefined, browser });
    return before ? [before.tab, beat.tab] : [beat.tab];
  }

  leave(tab: string, now: number): void {
    const known = this.#tabs.get(tab);
    if (!known) return;
    known.leftAt ??= now;
    this.#left.set(known.browser, tab);
  }

  /** Drops pages that were left or have been silent for too long. @returns their ids */
  expire(now: number): string[] {
    const gone: string[] = [];
    for (const [tab, { aliveAt, leftAt, browser }] of this.#tabs) {
      const isOver = leftAt === undefined ? now - aliveAt > TAB_ALIVE_MS : now - leftAt > LEFT_SHOWN_MS;
      if (!isOver) continue;
      this.#tabs.delete(tab);
      if (this.#left.get(browser) === tab) this.#left.delete(browser);
      gone.push(tab);
    }
    return gone;
  }

  #again(known: OwnTab, { tab, key, url, title }: Beat, now: number): string[] {
    known.aliveAt = now;
    known.leftAt = undefined;
    const { open } = known;
    if (open.url === url && open.key === key && open.title === title) return [];
    const hasMoved = open.url !== url;
    known.open = {
      ...open,
      key,
      url,
      title,
      openedAt: hasMoved ? now : open.openedAt,
      pages: open.pages + (hasMoved ? 1 : 0),
    };
    if (hasMoved) {
      this.#tabs.delete(tab);
      this.#tabs.set(tab, known);
    }
    return [tab];
  }

  /** The page that this browser just left for the new one, by a link or a reload. */
  #continued({ key, url, referrer }: Beat, browser: string): OpenTab | undefined {
    const left = this.#tabs.get(this.#left.get(browser) ?? '');
    if (left?.leftAt === undefined) return undefined;
    const { open } = left;
    if (open.key !== key && open.url !== referrer && open.url !== url) return undefined;
    this.#left.delete(browser);
    return open;
  }
}
