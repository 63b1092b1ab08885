import type { Beat } from './beat.ts';
import { type CallNotice, Calls } from './calls.ts';
import { type LiveVisitors, visitorsOf } from './live-visitors.ts';
import { OtherNodes } from './other-nodes.ts';
import { OwnTabs } from './own-tabs.ts';
import { inParts, type TabsNotice } from './tabs-notice.ts';
import { type Followed, Watching, type WatchNotice } from './watching.ts';

/** Call `tick` this often. */
export const LIVE_TICK_MS = 1_000;
/** How many open pages a process keeps per site, and in all: about a kilobyte each. */
const SITE_TABS_MAX = 2_000;
const TABS_MAX = 20_000;
/** How many pages of a site are sent to other processes. */
const SENT_MAX = 500;
const LEFT_PER_NOTICE = 150;

/** Pages of one site that visitors left. Without sticky sessions, a page may have reported to another process before. */
interface LeftNotice {
  left: { node: string; tabs: [siteId: number, tab: string][] };
}
export type LiveNotice = TabsNotice | WatchNotice | LeftNotice | CallNotice;

export interface LiveBoard extends LiveVisitors {
  /** @param browser the same for one browser on one network */
  beat(siteId: number, beat: Beat, browser: string): void;
  leave(siteId: number, tab: string): void;
  /** Whether an agent waits for this visitor's chat, so that the page must connect it. */
  isCalled(siteId: number, key: string): boolean;
  /** Whether a desk connected to any process shows the live visitors. */
  isLookedAt(siteId: number): boolean;
  /** Merges what another process has sent. */
  learn(notice: LiveNotice): void;
  tick(): void;
  /** Notices may have been missed: requests the others' pages again. */
  forgetOthers(): void;
  /** From now on the pages report to another process. */
  stop(): void;
}

interface BoardOptions {
  node: string;
  now(): number;
  /** Whether there are other processes. */
  hasOthers(): boolean;
  /** Called when a site's visitors have changed. */
  onChange(siteId: number): void;
  /** The sites whose notices this process receives from others. */
  followed: Followed;
  /** The sites of which pages report to this process: it receives what others send to such processes. */
  pages: Followed;
  /** Sends a notice to the other processes. */
  publish(notice: LiveNotice): void;
}

/**
 * The visitors with open pages, of all sites. Each process keeps the pages that report to it in memory, and sends
 * them to another only while a desk there shows the site's live visitors.
 */
export function createLiveBoard(options: BoardOptions): LiveBoard {
  return new Board(options);
}

const idsOf = (tabs: OwnTabs | undefined): string[] => (tabs?.values() ?? []).map(({ tab }) => tab);

class Board implements LiveBoard {
  readonly #options: BoardOptions;
  readonly #own = new Map<number, OwnTabs>();
  readonly #others: OtherNodes;
  readonly #watching: Watching;
  readonly #calls = new Calls();
  /** Own tabs that have changed since the last tick. */
  readonly #changed = new Map<number, Set<string>>();
  readonly #left = new Map<number, string[]>();
  #size = 0;

  constructor(options: BoardOptions) {
    this.#options = options;
    this.#others = new OtherNodes(options);
    this.#watching = new Watching(options.followed);
  }

  of(siteId: number): ReturnType<LiveVisitors['of']> {
    const { node, now, publish } = this.#options;
    const looks = this.#watching.look(siteId, now());
    if (looks) publish({ watching: { node, site: siteId, ...looks } });
    const others = this.#others.of(siteId);
    const own = this.#own.get(siteId)?.values() ?? [];
    return { visitors: visitorsOf([...own, ...others.tabs]), beyond: others.beyond };
  }

  beat(siteId: number, beat: Beat, browser: string): void {
    const tabs = this.#own.get(siteId) ?? new OwnTabs();
    const hasRoom = tabs.size < SITE_TABS_MAX && this.#size < TABS_MAX;
    const before = tabs.size;
    this.#note(siteId, tabs.beat(beat, browser, this.#options.now(), hasRoom));
    this.#size += tabs.size - before;
    if (tabs.size === 0) return;
    if (!this.#own.has(siteId)) this.#options.pages.add(siteId);
    this.#own.set(siteId, tabs);
  }

  call(siteId: number, key: string): boolean {
    const { node, now, publish, hasOthers } = this.#options;
    const isHere = this.of(siteId).visitors.some((one) => one.key === key);
    if (!isHere && (!hasOthers() || this.#watching.hasHeard(siteId, now()))) return false;
    if (this.#calls.add(siteId, key, now())) publish({ call: { node, site: siteId, key } });
    return true;
  }

  isCalled(siteId: number, key: string): boolean {
    return this.#calls.has(siteId, key, this.#options.now());
  }

  isLookedAt(siteId: number): boolean {
    return this.#watching.isLookedAt(siteId, this.#options.now());
  }

  leave(siteId: number, tab: string): void {
    this.#own.get(siteId)?.leave(tab, this.#options.now());
    if (!this.#options.hasOthers()) return;
    const left = this.#left.get(siteId) ?? [];
    this.#left.set(siteId, left);
    left.push(tab);
  }

  learn(notice: LiveNotice): void {
    const { node, now } = this.#options;
    if ('tabs' in notice) this.#others.learn(notice);
    else if ('left' in notice) {
      if (notice.left.node === node) return;
      for (const [siteId, tab] of notice.left.tabs) this.#own.get(siteId)?.leave(tab, now());
    } else if ('call' in notice) {
      if (notice.call.node !== node) this.#calls.add(notice.call.site, notice.call.key, now());
    } else if (notice.watching.node !== node && this.#watching.heard(notice.watching, now())) {
      const { site } = notice.watching;
      this.#send(site, idsOf(this.#own.get(site)).slice(-SENT_MAX));
    }
  }

  tick(): void {
    const now = this.#options.now();
    for (const [siteId, tabs] of this.#own) {
      const gone = tabs.expire(now);
      this.#size -= gone.length;
      this.#note(siteId, gone);
      if (tabs.size === 0) this.#forget(siteId);
    }
    this.#calls.expire(now);
    const due = this.#watching.due(now);
    for (const [siteId, tabs] of this.#changed) {
      this.#send(siteId, [...tabs]);
      this.#options.onChange(siteId);
    }
    for (const siteId of due) if (!this.#changed.has(siteId)) this.#send(siteId, []);
    this.#changed.clear();
    this.#sendLeft();
    for (const siteId of this.#others.forgetSilent()) this.#options.onChange(siteId);
  }

  forgetOthers(): void {
    this.#watching.forgetOwn();
    this.#others.forget();
  }

  stop(): void {
    for (const [siteId, tabs] of this.#own) {
      this.#send(siteId, idsOf(tabs), new OwnTabs());
      this.#forget(siteId);
    }
  }

  #forget(siteId: number): void {
    if (this.#own.delete(siteId)) this.#options.pages.remove(siteId);
  }

  #note(siteId: number, tabs: readonly string[]): void {
    if (tabs.length === 0) return;
    const changed = this.#changed.get(siteId) ?? new Set();
    for (const tab of tabs) changed.add(tab);
    this.#changed.set(siteId, changed);
  }

  /** Sends the state of these tabs of a site, if another process needs it. */
  #send(siteId: number, ids: readonly string[], own = this.#own.get(siteId)): void {
    if (!this.#watching.isWatched(siteId)) return;
    const { node, now, publish } = this.#options;
    this.#watching.sent(siteId, now());
    for (const part of inParts(ids, (id) => own?.get(id)))
      publish({ tabs: { node, site: siteId, count: own?.size ?? 0, ...part } });
  }

  #sendLeft(): void {
    const { node, publish } = this.#options;
    for (const [siteId, left] of this.#left)
      for (let from = 0; from < left.length; from += LEFT_PER_NOTICE) {
        const tabs = left.slice(from, from + LEFT_PER_NOTICE);
        publish({ left: { node, tabs: tabs.map((tab) => [siteId, tab]) } });
      }
    this.#left.clear();
  }
}
