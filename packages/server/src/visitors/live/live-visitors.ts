import type { OpenTab } from './own-tabs.ts';

/** Somebody who has pages of the site open, as the pages report it. */
export interface LiveVisitor extends Omit<OpenTab, 'key'> {
  key: string;
  tabs: number;
}

/** Who is on a site now. */
export interface LiveVisitors {
  /** In all processes. `beyond`: how many more pages there are than anybody lists. */
  of(siteId: number): { visitors: LiveVisitor[]; beyond: number };
  /**
   * Asks the pages of a visitor, in all processes, to connect the chat. It lasts for half a minute: repeat it while it
   * is wanted.
   * @returns false when the visitor has no page open
   */
  call(siteId: number, key: string): boolean;
}

/** One page may have reported to several processes: what it said last counts, and the visit since it began. */
function onceEach(tabs: Iterable<OpenTab>): Iterable<OpenTab> {
  const byId = new Map<string, OpenTab>();
  for (const tab of tabs) {
    const known = byId.get(tab.tab);
    const newer = known && known.openedAt > tab.openedAt ? known : tab;
    byId.set(tab.tab, {
      ...newer,
      cameAt: Math.min(tab.cameAt, known?.cameAt ?? tab.cameAt),
      pages: Math.max(tab.pages, known?.pages ?? 0),
    });
  }
  return byId.values();
}

/** The visitors who have these pages open, each with the page that was opened last. */
export function visitorsOf(tabs: Iterable<OpenTab>): LiveVisitor[] {
  const visitors = new Map<string, LiveVisitor>();
  for (const tab of onceEach(tabs)) {
    const known = visitors.get(tab.key);
    if (!known) {
      visitors.set(tab.key, { ...tab, tabs: 1 });
      continue;
    }
    const [newer, older] = tab.openedAt >= known.openedAt ? [tab, known] : [known, tab];
    visitors.set(tab.key, {
      ...newer,
      referrer: known.cameAt <= tab.cameAt ? known.referrer : tab.referrer,
      cameAt: Math.min(known.cameAt, tab.cameAt),
      pages: newer.pages + older.pages,
      tabs: known.tabs + 1,
    });
  }
  return [...visitors.values()];
}

declare module '../../core/context.ts' {
  interface Services {
    /** Who has a page of a site open, as far as pages report it. Never stored. */
    readonly liveVisitors: LiveVisitors;
  }
}
