import type { Mention, TicketStatus } from '@foyer/protocol';
import { uuidV7 } from '@foyer/protocol/browser/ids';
import { hasTexts } from '@foyer/protocol/browser/stored';
import { ApiError } from '../api.ts';
import { readJson, type Store } from '../storage.ts';
import type { SentFile } from './chat-files.ts';

export interface Outgoing {
  client_id: string;
  /** The chat or ticket, as drafts call it. */
  place: string;
  kind: 'reply' | 'note';
  text: string;
  /** Files that the server has already. */
  files?: SentFile[];
  /** What the same act makes of a ticket. */
  status?: TicketStatus;
  /** The chat is closed behind it. */
  closes?: boolean;
  /** False: the mail of a ticket's reply has no signature. */
  signed?: boolean;
  /** Of a note: whom it names. */
  mentions?: Mention[];
  /** Of a reply: the last of the place that its writer had seen. A colleague's answer after it stops this one once. */
  seen?: number | undefined;
  created_utc: string;
  /** `sent`: committed, and only waited for until it shows among the messages. */
  state: 'pending' | 'sent' | 'failed';
  error: string | null;
  request_id: string | null;
}

type NewOutgoing = Pick<
  Outgoing,
  'place' | 'kind' | 'text' | 'files' | 'status' | 'closes' | 'signed' | 'mentions' | 'seen'
>;

interface OutboxOptions {
  store: Store;
  agentId: number;
  /** Resolves once the server has committed it. Sending one twice must be harmless. */
  send: (item: Outgoing) => Promise<void>;
}

const RETRY_MS = 3000;

const isList = (value: unknown): value is Outgoing[] =>
  Array.isArray(value) && value.every((item) => hasTexts(item, 'client_id', 'place', 'text'));

/**
 * Messages and replies that the server has not acknowledged yet. They survive reloads and are sent again under the same
 * id, in order within a chat or ticket.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #key: string;
  readonly #listeners = new Set<() => void>();
  readonly #busy = new Set<string>();
  /** Where something has called for another go while one was under way. */
  readonly #again = new Set<string>();
  /** All that this tab has ever had; what else is stored is another tab's. */
  readonly #own: Set<string>;
  #isStopped = false;
  #items: readonly Outgoing[];
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#key = `foyer.${options.agentId}.outbox`;
    this.#items = this.#stored();
    this.#own = new Set(this.#items.map((item) => item.client_id));
  }

  get items(): readonly Outgoing[] {
    return this.#items;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  add({ files = [], ...said }: NewOutgoing): Outgoing {
    const item: Outgoing = {
      client_id: uuidV7(),
      ...said,
      ...(files.length > 0 ? { files } : {}),
      created_utc: new Date().toISOString(),
      state: 'pending',
      error: null,
      request_id: null,
    };
    this.#own.add(item.client_id);
    this.#put([...this.#items, item]);
    void this.#drain(said.place);
    return item;
  }

  /** Sends all that is pending; after a reconnect. */
  flush(): void {
    this.#isStopped = false;
    clearTimeout(this.#retry);
    for (const id of new Set(this.#items.map((item) => item.place))) void this.#drain(id);
  }

  /** Whoever was told why it was not sent, and wants it sent, has seen what there is. */
  tryAgain(clientId: string): void {
    this.#change(clientId, { state: 'pending', error: null, request_id: null, seen: undefined });
    const item = this.#items.find((one) => one.client_id === clientId);
    if (item) void this.#drain(item.place);
  }

  discard(clientId: string): void {
    this.#put(this.#items.filter((item) => item.client_id !== clientId));
  }

  /** Sends nothing more until the next `flush`; what is kept stays kept. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#retry);
  }

  async #drain(place: string): Promise<void> {
    if (this.#busy.has(place)) {
      this.#again.add(place);
      return;
    }
    this.#busy.add(place);
    do {
      this.#again.delete(place);
      let item = this.#next(place);
      while (item && (await this.#sendOne(item))) item = this.#next(place);
      // What failed may have been sent before the line or the agent was back.
    } while (this.#again.has(place) && !this.#isStopped);
    this.#busy.delete(place);
  }

  #next(place: string): Outgoing | undefined {
    if (this.#isStopped) return undefined;
    return this.#items.find((item) => item.place === place && item.state === 'pending');
  }

  async #sendOne(item: Outgoing): Promise<boolean> {
    try {
      await this.#options.send(item);
      this.#change(item.client_id, { state: 'sent' });
      return true;
    } catch (error) {
      const known = error instanceof ApiError ? error : new ApiError('internal', String(error));
      // Signed out: it goes once somebody has signed in again.
      if (known.code === 'unauthorized') return false;
      if (known.passes) {
        this.#later();
        return false;
      }
      this.#change(item.client_id, {
        state: 'failed',
        error: known.message,
        request_id: known.requestId || null,
      });
      return true;
    }
  }

  #later(): void {
    if (this.#isStopped) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.flush(), RETRY_MS);
  }

  #change(clientId: string, change: Partial<Outgoing>): void {
    this.#put(this.#items.map((item) => (item.client_id === clientId ? { ...item, ...change } : item)));
  }

  #stored(): Outgoing[] {
    return readJson(this.#options.store, this.#key, isList) ?? [];
  }

  #put(items: readonly Outgoing[]): void {
    this.#items = items;
    const others = this.#stored().filter((item) => !this.#own.has(item.client_id));
    const kept = [...others, ...items.filter((item) => item.state !== 'sent')];
    if (kept.length === 0) this.#options.store.removeItem(this.#key);
    else this.#options.store.setItem(this.#key, JSON.stringify(kept));
    for (const listener of this.#listeners) listener();
  }
}
