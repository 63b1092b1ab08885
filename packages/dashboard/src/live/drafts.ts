import type { DraftPlace, OutputOf, SavedDraft } from '@foyer/protocol';
import { ApiError } from '../api.ts';
import { readJson, type Store } from '../storage.ts';
import {
  type Draft,
  type Held,
  isHeld,
  mentionsIn,
  NOTHING,
  type Standing,
  TABS,
  type Tab,
  type Written,
} from './kept-draft.ts';

/** What another browser of the same agent has saved while this one has a different unsaved text. */
export interface Elsewhere extends Written {
  version: number;
}

export type Saved = OutputOf<'drafts.save'>;

interface DraftsOptions {
  store: Store;
  agentId: number;
  /** The conversations for which the server has drafts of this agent. */
  list: () => Promise<readonly DraftPlace[]>;
  load: (place: string, signal: AbortSignal) => Promise<readonly SavedDraft[]>;
  save: (
    place: string,
    kind: Tab,
    written: Written,
    base_version: number | null,
    signal: AbortSignal,
  ) => Promise<Saved>;
}

/**
 * Saves this long after the first unsaved key press, so no more than this is unsaved, however long somebody writes.
 */
const SAVE_AFTER_MS = 1000;
const RETRY_MS = 3000;

const TICKET = 'ticket-';

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** The name of a chat or ticket for drafts, files and the outbox. */
export const placeOf = (named: { session_id: string | null; ticket_id: number | null }): string =>
  named.session_id ?? TICKET + named.ticket_id;

/** The reverse of `placeOf`. */
export const namedBy = (place: string): { session_id: string } | { ticket_id: number } =>
  place.startsWith(TICKET) ? { ticket_id: Number(place.slice(TICKET.length)) } : { session_id: place };

/**
 * What an agent has begun to write in each chat and ticket. The server stores it for all browsers of the agent;
 * unsaved text is in this browser's storage, and is saved once the connection, the server or the agent is back. If
 * another browser has saved a different text meanwhile, neither is lost: the agent chooses.
 */
export class Drafts {
  readonly #options: DraftsOptions;
  readonly #prefix: string;
  readonly #held = new Map<string, Held>();
  readonly #elsewhere = new Map<string, Elsewhere>();
  /** Where the server has drafts, by place and kind. */
  readonly #marked = new Set<string>();
  readonly #listeners = new Map<string, Set<() => void>>();
  #written: ReadonlySet<string>;
  readonly #watchers = new Set<() => void>();
  readonly #open = new Map<string, number>();
  readonly #again = new Set<string>();
  /** Places for which the server's state is unknown. */
  readonly #unknown = new Set<string>();
  /** Versions reported by the server since it was last asked, by place and kind. */
  readonly #heard = new Map<string, Set<number | null>>();
  /** Running requests, by place. */
  readonly #calls = new Map<string, AbortController>();
  /** Marks reported since they were last requested, by place and kind. */
  #marks = new Map<string, boolean>();
  #isStopped = false;
  readonly #unsaved: Set<string>;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(options: DraftsOptions) {
    this.#options = options;
    this.#prefix = `foyer.${options.agentId}.draft.`;
    this.#unsaved = new Set(readJson(options.store, `${this.#prefix}unsaved`, isTexts));
    this.#written = new Set([...this.#unsaved].filter((place) => this.#has(place)));
  }

  get(place: string): Draft {
    return this.#heldIn(place).draft;
  }

  /** Places with unsent text. The same set until that changes. */
  get written(): ReadonlySet<string> {
    return this.#written;
  }

  /** Calls back when a place gets its first text or loses it. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  #has(place: string): boolean {
    const { draft } = this.#heldIn(place);
    return (
      draft.reply.trim() !== '' ||
      draft.note.trim() !== '' ||
      (!this.#open.has(place) && TABS.some((tab) => this.#marked.has(keyOf(place, tab))))
    );
  }

  /** The other version, if another browser has saved a different text. */
  elsewhere(place: string, tab: Tab): Elsewhere | undefined {
    return this.#elsewhere.get(keyOf(place, tab));
  }

  change(place: string, part: Partial<Draft>): void {
    const held = this.#heldIn(place);
    const next: Held = { ...held, draft: { ...held.draft, ...part } };
    for (const tab of TABS) {
      if (next.draft[tab] === held.draft[tab]) continue;
      next[tab] = { ...held[tab], isUnsaved: true };
      this.#saveSoon(place, SAVE_AFTER_MS);
    }
    this.#put(place, next);
  }

  /** Continues with the other browser's text instead of this one's. It may have been deleted by now. */
  takeOther(place: string, tab: Tab): void {
    const other = this.#elsewhere.get(keyOf(place, tab));
    if (!other) return;
    this.#settle(place, tab, other);
    this.#goOnFrom(place, tab, other.version);
  }

  /** Continues with this text, which replaces the other browser's. */
  keepOwn(place: string, tab: Tab): void {
    const other = this.#elsewhere.get(keyOf(place, tab));
    if (other) this.#goOnFrom(place, tab, other.version);
  }

  #goOnFrom(place: string, tab: Tab, version: number | null): void {
    this.#elsewhere.delete(keyOf(place, tab));
    this.#stand(place, tab, { version, isUnsaved: true });
    this.#saveSoon(place, 0);
  }

  subscribe(place: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(place) ?? new Set();
    this.#listeners.set(place, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(place) === listeners) this.#listeners.delete(place);
    };
  }

  /** Keeps the text of a place in sync with the server until the returned function is called. */
  open(place: string): () => void {
    this.#open.set(place, (this.#open.get(place) ?? 0) + 1);
    this.#ask(place);
    return () => {
      const left = (this.#open.get(place) ?? 1) - 1;
      if (left > 0) this.#open.set(place, left);
      else this.#open.delete(place);
      this.#noteWritten(place);
    };
  }

  /**
   * The connection is up (again): asks where drafts are, and syncs open and unsaved texts. Running requests aren't
   * awaited: they may have been lost with the old connection, or answered before a change that was missed.
   */
  online(): void {
    this.#isStopped = false;
    this.#abort();
    for (const place of new Set([...this.#open.keys(), ...this.#unsaved])) this.#ask(place);
    const marks = new Map<string, boolean>();
    this.#marks = marks;
    this.#options.list().then(
      (places) => {
        if (this.#marks === marks) this.#markAll(places);
      },
      // They will be requested again with the next connection.
      () => undefined,
    );
  }

  #markAll(places: readonly DraftPlace[]): void {
    const before = [...this.#marked];
    this.#marked.clear();
    for (const one of places) this.#marked.add(keyOf(placeOf(one), one.kind));
    for (const [key, isThere] of this.#marks) set(this.#marked, key, isThere);
    for (const key of new Set([...before, ...this.#marked])) this.#tell(key.slice(key.indexOf(' ') + 1));
  }

  /** The server reports that one of the agent's browsers has saved or deleted a draft. */
  heard(place: string, tab: Tab, version: number | null): void {
    const key = keyOf(place, tab);
    this.#marks.set(key, version !== null);
    set(this.#marked, key, version !== null);
    this.#tell(place);
    // While a request is running, this browser's version isn't known yet.
    if (!this.#open.has(place) || (!this.#calls.has(place) && this.#seenVersion(place, tab) === version))
      return;
    this.#heard.set(key, (this.#heard.get(key) ?? new Set()).add(version));
    void this.#sync(place);
  }

  /** Saves all unsaved text now: the page is closing, or the connection is back. */
  flush(): void {
    for (const place of this.#timers.keys()) this.#saveSoon(place, 0);
  }

  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#abort();
  }

  #abort(): void {
    for (const call of this.#calls.values()) call.abort();
  }

  #heldIn(place: string): Held {
    const known = this.#held.get(place);
    if (known) return known;
    const held = readJson(this.#options.store, this.#prefix + place, isHeld) ?? NOTHING;
    this.#held.set(place, held);
    return held;
  }

  /** The version of the server's draft last seen here, even if only offered as a choice. */
  #seenVersion(place: string, tab: Tab): number | null {
    return (this.#elsewhere.get(keyOf(place, tab)) ?? this.#heldIn(place)[tab]).version;
  }

  #put(place: string, held: Held): void {
    const { store } = this.#options;
    this.#held.set(place, held);
    this.#noteUnsaved(place, held.reply.isUnsaved || held.note.isUnsaved);
    const isOver = TABS.every((tab) => held.draft[tab].trim() === '' && !held[tab].isUnsaved);
    if (isOver) store.removeItem(this.#prefix + place);
    else store.setItem(this.#prefix + place, JSON.stringify(held));
    this.#tell(place);
  }

  /** Lets a reloaded page know what the previous one couldn't save. */
  #noteUnsaved(place: string, isUnsaved: boolean): void {
    if (this.#unsaved.has(place) === isUnsaved) return;
    set(this.#unsaved, place, isUnsaved);
    // Other tabs' entries are in it too.
    const { store } = this.#options;
    const name = `${this.#prefix}unsaved`;
    const all = new Set(readJson(store, name, isTexts));
    set(all, place, isUnsaved);
    store.setItem(name, JSON.stringify([...all]));
  }

  #tell(place: string): void {
    for (const listener of this.#listeners.get(place) ?? []) listener();
    this.#noteWritten(place);
  }

  #noteWritten(place: string): void {
    const has = this.#has(place);
    if (this.#written.has(place) === has) return;
    const written = new Set(this.#written);
    set(written, place, has);
    this.#written = written;
    for (const watcher of this.#watchers) watcher();
  }

  #saveSoon(place: string, inMs: number): void {
    if (inMs > 0 && this.#timers.has(place)) return;
    this.#saveIn(place, inMs);
  }

  #saveIn(place: string, ms: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timers.get(place));
    const save = (): void => {
      this.#timers.delete(place);
      void this.#sync(place);
    };
    this.#timers.set(place, setTimeout(save, ms));
  }

  #ask(place: string): void {
    this.#unknown.add(place);
    void this.#sync(place);
  }

  /** One request at a time per place, so that a response never meets a newer state. */
  async #sync(place: string): Promise<void> {
    if (this.#calls.has(place)) {
      this.#again.add(place);
      return;
    }
    do {
      this.#again.delete(place);
      const call = new AbortController();
      this.#calls.set(place, call);
      try {
        await this.#saveAll(place, call.signal);
        if (this.#mustLoad(place)) await this.#load(place, call.signal);
      } catch (error) {
        if (!this.#again.has(place)) this.#failed(place, error);
      }
    } while (this.#again.has(place));
    this.#calls.delete(place);
  }

  /** The report may concern the save that has just been answered. */
  #mustLoad(place: string): boolean {
    for (const tab of TABS) {
      const heard = this.#heard.get(keyOf(place, tab)) ?? [];
      this.#heard.delete(keyOf(place, tab));
      const seen = this.#seenVersion(place, tab);
      if ([...heard].some((version) => version !== seen)) this.#unknown.add(place);
    }
    return this.#open.has(place) && this.#unknown.has(place);
  }

  async #load(place: string, signal: AbortSignal): Promise<void> {
    // Later requests must not be answered by something read before.
    this.#unknown.delete(place);
    try {
      this.#meet(place, await this.#options.load(place, signal));
    } catch (error) {
      this.#unknown.add(place);
      throw error;
    }
  }

  async #saveAll(place: string, signal: AbortSignal): Promise<void> {
    for (const tab of TABS)
      if (this.#heldIn(place)[tab].isUnsaved && !this.#elsewhere.has(keyOf(place, tab)))
        await this.#save(place, tab, signal);
  }

  async #save(place: string, tab: Tab, signal: AbortSignal): Promise<void> {
    const { draft, [tab]: standing } = this.#heldIn(place);
    const own = { text: draft[tab], mentions: mentionsIn(draft, tab) };
    // Text that may already be stored is sent again: the server recognises it, and later changes are based on it.
    // Not if nothing is left of it: that would briefly show sent or discarded text elsewhere.
    const { sent = own } = standing;
    const next = own.text.trim() === '' ? own : sent;
    this.#stand(place, tab, { ...standing, sent });
    const answer = await this.#options
      .save(place, tab, next, standing.version, signal)
      .catch((error: unknown) => {
        if (mayPass(error) || isSignedOut(error)) throw error;
        return null;
      });
    const { sent: _, ...known } = this.#heldIn(place)[tab];
    // Too long, for example. It blocks neither the other text nor changes from elsewhere, and is sent once it has
    // changed.
    if (!answer) this.#stand(place, tab, known);
    else if (answer.saved) {
      // What was typed meanwhile is still unsaved, and based on this version.
      const isUnsaved = this.get(place)[tab] !== next.text;
      this.#stand(place, tab, { version: answer.draft?.version ?? null, isUnsaved });
      if (isUnsaved) this.#saveSoon(place, SAVE_AFTER_MS);
    } else if (answer.draft?.text === sent.text.trim()) this.#goOnFrom(place, tab, answer.draft.version);
    else {
      this.#stand(place, tab, known);
      this.#differ(place, tab, answer.draft);
    }
  }

  #stand(place: string, tab: Tab, standing: Standing): void {
    this.#put(place, { ...this.#heldIn(place), [tab]: standing });
  }

  /** Reconciles the server's drafts with the local ones. */
  #meet(place: string, drafts: readonly SavedDraft[]): void {
    for (const tab of TABS) {
      const there = drafts.find(({ kind }) => kind === tab) ?? null;
      if ((there?.version ?? null) !== this.#seenVersion(place, tab)) this.#differ(place, tab, there);
    }
  }

  #differ(place: string, tab: Tab, there: SavedDraft | null): void {
    const held = this.#heldIn(place);
    const own = held.draft[tab];
    const { text = '', mentions = [], version = null } = there ?? {};
    const other = { text, mentions, version };
    // Unsaved text is somebody's own: an empty draft elsewhere doesn't delete it.
    if (!held[tab].isUnsaved || own.trim() === other.text.trim()) this.#settle(place, tab, other);
    else if (other.version === null) this.#goOnFrom(place, tab, null);
    else {
      this.#elsewhere.set(keyOf(place, tab), { ...other, version: other.version });
      this.#tell(place);
    }
  }

  #settle(place: string, tab: Tab, { text, mentions, version }: Written & { version: number | null }): void {
    const held = this.#heldIn(place);
    this.#elsewhere.delete(keyOf(place, tab));
    // A difference only in white space isn't applied under the caret.
    const kept = held.draft[tab].trim() === text.trim() ? held.draft[tab] : text;
    this.#put(place, {
      ...held,
      draft: { ...held.draft, [tab]: kept, ...(tab === 'note' ? { mentions } : {}) },
      [tab]: { version, isUnsaved: false },
    });
  }

  #failed(place: string, error: unknown): void {
    // Signed out: it is saved after the next sign-in, once the connection is back.
    if (mayPass(error)) this.#saveIn(place, RETRY_MS);
  }
}

const mayPass = (error: unknown): boolean => !(error instanceof ApiError) || error.passes;
const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.code === 'unauthorized';

/** Adds or removes the element. */
function set(all: Set<string>, one: string, isIn: boolean): void {
  if (isIn) all.add(one);
  else all.delete(one);
}

const keyOf = (place: string, tab: Tab): string => `${tab} ${place}`;
