import type { OpenTab } from './own-tabs.ts';
import type { TabsNotice } from './tabs-notice.ts';

/** After this long without a report on a site, a process has died, or no desk shows the site any longer. */
const SILENT_MS = 50_000;
/** Limit per site and process. A process sends fewer at a time, but they may change. */
const TABS_MAX = 1_000;

interface Node {
  tabs: Map<string, OpenTab>;
  count: number;
  heardAt: number;
}

/** The open pages that report to other processes. */
export class OtherNodes {
  readonly #node: string;
  readonly #now: () => number;
  readonly #onChange: (siteId: number) => void;
  /** By site, then by process name. */
  readonly #sites = new Map<number, Map<string, Node>>();

  constructor(options: { node: string; now(): number; onChange(siteId: number): void }) {
    this.#node = options.node;
    this.#now = options.now;
    this.#onChange = options.onChange;
  }

  of(siteId: number): { tabs: OpenTab[]; beyond: number } {
    const nodes = [...(this.#sites.get(siteId)?.values() ?? [])];
    return {
      tabs: nodes.flatMap(({ tabs }) => [...tabs.values()]),
      beyond: nodes.reduce((sum, { tabs, count }) => sum + Math.max(0, count - tabs.size), 0),
    };
  }

  learn({ tabs: { node, site, count, open, gone } }: TabsNotice): void {
    if (node === this.#node) return;
    const nodes = this.#sites.get(site) ?? new Map<string, Node>();
    const known = nodes.get(node) ?? { tabs: new Map(), count, heardAt: 0 };
    nodes.set(node, { ...known, count, heardAt: this.#now() });
    this.#sites.set(site, nodes);
    for (const tab of gone) known.tabs.delete(tab);
    for (const tab of open) {
      // Moves it to the end, so that the oldest is dropped first.
      known.tabs.delete(tab.tab);
      known.tabs.set(tab.tab, tab);
      const oldest = known.tabs.size > TABS_MAX ? known.tabs.keys().next().value : undefined;
      if (oldest !== undefined) known.tabs.delete(oldest);
    }
    if (open.length + gone.length > 0) this.#onChange(site);
  }

  /** @returns the sites that lost visitors */
  forgetSilent(): number[] {
    const changed: number[] = [];
    for (const [siteId, nodes] of this.#sites) {
      for (const [name, { heardAt, tabs }] of nodes) {
        if (this.#now() - heardAt <= SILENT_MS) continue;
        nodes.delete(name);
        if (tabs.size > 0) changed.push(siteId);
      }
      if (nodes.size === 0) this.#sites.delete(siteId);
    }
    return changed;
  }

  forget(): void {
    this.#sites.clear();
  }
}
