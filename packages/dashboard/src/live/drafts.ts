import type { DraftPlace, Mention, OutputOf, SavedDraft } from '@foyer/protocol';
import { ApiError } from '../api.ts';
import { readJson, type Store } from '../storage.ts';

export type Tab = 'reply' | 'note';

export interface Draft {
  reply: string;
  note: string;
  /** Of the team, whom the note names. */
  mentions: readonly Mention[];
  tab: Tab;
}

/** What another browser of the same agent has saved, while this one has something else that is not saved. */
export interface Elsewhere {
  text: string;
  mentions: readonly Mention[];
  version: number;
}

/** How one text of a place stands to the server's. */
interface Standing {
  /** The server's draft that the text was written on; null: there was none. */
  version: number | null;
  /** It was changed here, and the server does not have it yet. */
  isUnsaved: boolean;
}

interface Held {
  draft: Draft;
  reply: Standing;
  note: Standing;
}

/** A text with those whom it names. */
export type Written = Pick<Elsewhere, 'text' | 'mentions'>;

export type Saved = OutputOf<'drafts.save'>;

export interface DraftsOptions {
  store: Store;
  agentId: number;
  /** Where the server has drafts of this agent. */
  list: () => Promise<readonly DraftPlace[]>;
  load: (place: string) => Promise<readonly SavedDraft[]>;
  save: (place: string, kind: Tab, written: Written, base_version: number | null) => Promise<Saved>;
}

/** A text is saved so long after the first key that is not: however long somebody writes, no more than this is unsaved. */
const SAVE_AFTER_MS = 1000;
const RETRY_MS = 3000;

const TICKET = 'ticket-';
const TABS = ['reply', 'note'] as const;
const EMPTY: Draft = { reply: '', note: '', mentions: [], tab: 'reply' };
const NEW: Standing = { version: null, isUnsaved: false };
const NOTHING: Held = { draft: EMPTY, reply: NEW, note: NEW };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isStanding = (value: unknown): value is Standing =>
  isObject(value) &&
  (value.version === null || typeof value.version === 'number') &&
  typeof value.isUnsaved === 'boolean';
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
const isMention = (value: unknown): value is Mention =>
  isObject(value) && typeof value.id === 'number' && typeof value.name === 'string';
const isDraft = (value: unknown): value is Draft =>
  isObject(value) &&
  typeof value.reply === 'string' &&
  typeof value.note === 'string' &&
  Array.isArray(value.mentions) &&
  value.mentions.every(isMention) &&
  (value.tab === 'reply' || value.tab === 'note');
const isHeld = (value: unknown): value is Held =>
  isObject(value) && isDraft(value.draft) && isStanding(value.reply) && isStanding(value.note);

/** How drafts, files and the outbox call a chat or a ticket. */
export const placeOf = (named: { session_id: string | null; ticket_id: number | null }): string =>
  named.session_id ?? TICKET + named.ticket_id;

/** What `placeOf` was made of. */
export const namedBy = (place: string): { session_id: string } | { ticket_id: number } =>
  place.startsWith(TICKET) ? { ticket_id: Number(place.slice(TICKET.length)) } : { session_id: place };

/**
 * What an agent has begun to write in each chat and ticket. It is kept by the server, for all browsers of the agent; what
 * is not saved yet lies in this one's storage, and is saved when the line, the server or the agent is back. Where
 * another browser has saved something else meanwhile, neither is lost: the agent chooses.
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
  readonly #busy = new Set<string>();
  readonly #again = new Set<string>();
  /** Where it is not known what the server has. */
  readonly #unknown = new Set<string>();
  /** What the server has said of versions since it was asked last, by place and kind. */
  readonly #heard = new Map<string, number | null>();
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

  /** Where something is written and not sent; the same set until that changes. */
  get written(): ReadonlySet<string> {
    return this.#written;
  }

  /** Calls back when something is written where nothing was, or nothing any more. */
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

  /** What there is to choose from, if another browser has saved something else. */
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

  /** Takes what the other browser has saved, instead of what is here. */
  takeOther(place: string, tab: Tab): void {
    const other = this.#elsewhere.get(keyOf(place, tab));
    if (other) this.#settle(place, tab, other);
  }

  /** Goes on with what is here; it replaces what the other browser has saved. */
  keepOwn(place: string, tab: Tab): void {
    const other = this.#elsewhere.get(keyOf(place, tab));
    if (!other) return;
    this.#elsewhere.delete(keyOf(place, tab));
    this.#put(place, { ...this.#heldIn(place), [tab]: { version: other.version, isUnsaved: true } });
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

  /** Keeps what is written there in step with the server until the answer is called. */
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

  /** The line is there (again): asks where drafts are, and brings what is open and unsaved into step. */
  online(): void {
    for (const place of new Set([...this.#open.keys(), ...this.#unsaved])) this.#ask(place);
    this.#options.list().then(
      (places) => {
        const before = [...this.#marked];
        this.#marked.clear();
        for (const one of places) this.#marked.add(keyOf(placeOf(one), one.kind));
        for (const key of new Set([...before, ...this.#marked])) this.#tell(key.slice(key.indexOf(' ') + 1));
      },
      // They are asked for again with the next line.
      () => undefined,
    );
  }

  /** The server says that one of the agent's browsers has saved or emptied a draft. */
  heard(place: string, tab: Tab, version: number | null): void {
    if (version === null) this.#marked.delete(keyOf(place, tab));
    else this.#marked.add(keyOf(place, tab));
    this.#tell(place);
    if (!this.#open.has(place) || this.#heldIn(place)[tab].version === version) return;
    this.#heard.set(keyOf(place, tab), version);
    void this.#sync(place);
  }

  /** Saves at once what is not saved: the page goes away, or there is a line again. */
  flush(): void {
    for (const place of this.#timers.keys()) this.#saveSoon(place, 0);
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #heldIn(place: string): Held {
    const known = this.#held.get(place);
    if (known) return known;
    const held = readJson(this.#options.store, this.#prefix + place, isHeld) ?? NOTHING;
    this.#held.set(place, held);
    return held;
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

  /** A page that is opened anew knows what the one before could not save. */
  #noteUnsaved(place: string, isUnsaved: boolean): void {
    if (this.#unsaved.has(place) === isUnsaved) return;
    if (isUnsaved) this.#unsaved.add(place);
    else this.#unsaved.delete(place);
    this.#options.store.setItem(`${this.#prefix}unsaved`, JSON.stringify([...this.#unsaved]));
  }

  #tell(place: string): void {
    for (const listener of this.#listeners.get(place) ?? []) listener();
    this.#noteWritten(place);
  }

  #noteWritten(place: string): void {
    const has = this.#has(place);
    if (this.#written.has(place) === has) return;
    const written = new Set(this.#written);
    if (has) written.add(place);
    else written.delete(place);
    this.#written = written;
    for (const watcher of this.#watchers) watcher();
  }

  #saveSoon(place: string, inMs: number): void {
    if (inMs > 0 && this.#timers.has(place)) return;
    this.#saveIn(place, inMs);
  }

  #saveIn(place: string, ms: number): void {
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

  /** One after the other for each place, so that an answer never meets a newer one. */
  async #sync(place: string): Promise<void> {
    if (this.#busy.has(place)) {
      this.#again.add(place);
      return;
    }
    this.#busy.add(place);
    try {
      do {
        this.#again.delete(place);
        await this.#saveAll(place);
        if (this.#mustLoad(place)) {
          this.#meet(place, await this.#options.load(place));
          this.#unknown.delete(place);
        }
      } while (this.#again.has(place));
    } catch (error) {
      this.#failed(place, error);
    } finally {
      this.#busy.delete(place);
    }
  }

  /** What was heard may be of the save that has just been answered. */
  #mustLoad(place: string): boolean {
    const news = TABS.filter((tab) => {
      const heard = this.#heard.get(keyOf(place, tab));
      this.#heard.delete(keyOf(place, tab));
      return heard !== undefined && heard !== this.#heldIn(place)[tab].version;
    });
    if (news.length > 0) this.#unknown.add(place);
    return this.#open.has(place) && this.#unknown.has(place);
  }

  async #saveAll(place: string): Promise<void> {
    for (const tab of TABS) {
      const { draft, [tab]: standing } = this.#heldIn(place);
      if (!standing.isUnsaved || this.#elsewhere.has(keyOf(place, tab))) continue;
      const { saved, draft: there } = await this.#options.save(
        place,
        tab,
        { text: draft[tab], mentions: mentionsIn(draft, tab) },
        standing.version,
      );
      if (saved) {
        // What was typed while it was on its way is still unsaved, and written on this.
        const isUnsaved = this.get(place)[tab] !== draft[tab];
        const version = there?.version ?? null;
        this.#put(place, { ...this.#heldIn(place), [tab]: { version, isUnsaved } });
        if (isUnsaved) this.#saveSoon(place, SAVE_AFTER_MS);
      } else this.#differ(place, tab, there);
    }
  }

  /** Brings what the server has beside what is here. */
  #meet(place: string, drafts: readonly SavedDraft[]): void {
    for (const tab of TABS) {
      const there = drafts.find(({ kind }) => kind === tab) ?? null;
      const { version } = this.#heldIn(place)[tab];
      if ((there?.version ?? null) !== version) this.#differ(place, tab, there);
    }
  }

  #differ(place: string, tab: Tab, there: SavedDraft | null): void {
    const held = this.#heldIn(place);
    const own = held.draft[tab];
    const { text = '', mentions = [], version = null } = there ?? {};
    const other = { text, mentions, version };
    // What is unsaved here is somebody's own words: an empty draft elsewhere takes none of them away.
    if (!held[tab].isUnsaved || own.trim() === other.text.trim()) this.#settle(place, tab, other);
    else if (other.version === null) {
      this.#elsewhere.delete(keyOf(place, tab));
      this.#put(place, { ...held, [tab]: { version: null, isUnsaved: true } });
      this.#saveSoon(place, SAVE_AFTER_MS);
    } else {
      this.#elsewhere.set(keyOf(place, tab), { ...other, version: other.version });
      this.#tell(place);
    }
  }

  #settle(place: string, tab: Tab, { text, mentions, version }: Written & { version: number | null }): void {
    const held = this.#heldIn(place);
    this.#elsewhere.delete(keyOf(place, tab));
    // What differs in blanks alone is not changed under the caret.
    const kept = held.draft[tab].trim() === text.trim() ? held.draft[tab] : text;
    this.#put(place, {
      ...held,
      draft: { ...held.draft, [tab]: kept, ...(tab === 'note' ? { mentions } : {}) },
      [tab]: { version, isUnsaved: false },
    });
  }

  #failed(place: string, error: unknown): void {
    // Signed out: it is saved once somebody has signed in again, when the line is back.
    if (error instanceof ApiError && error.passes) this.#saveIn(place, RETRY_MS);
  }
}

/** Those whose names still stand in the text. */
export const mentionsIn = (draft: Draft, tab: Tab): Mention[] =>
  tab === 'note' ? draft.mentions.filter(({ name }) => draft.note.includes(`@${name}`)) : [];

const keyOf = (place: string, tab: Tab): string => `${tab} ${place}`;
