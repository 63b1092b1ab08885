import type { OpenTab } from './own-tabs.ts';

/** A visitor with open pages, as the pages report them. */
export interface LiveVisitor extends Omit<OpenTab, 'key'> {
  key: string;
  tabs: number;
}

/** The visitors on a site now. */
export interface LiveVisitors {
  /** Of all processes. `beyond`: how many pages exceed the limit. */
  of(siteId: number): { visitors: LiveVisitor[]; beyond: number };
  /**
   * Asks the visitor's pages, on all processes, to connect the chat. Valid for half a minute; repeat it as long as
   * needed.
   * @returns false if the visitor has no open page
   */
  call(siteId: number, key: string): boolean;
}

/** One page may have reported to several processes: its latest report counts, and its earliest start. */
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

/** The visitors of these pages, each with the page opened last. */
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
    /** The visitors with open pages, as far as pages report them. Never stored. */
    readonly liveVisitors: LiveVisitors;
  }
}
