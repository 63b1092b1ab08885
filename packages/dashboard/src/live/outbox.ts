import type { MailPerson, Mention, TicketStatus } from '@foyer/protocol';
import { uuidV7 } from '@foyer/protocol/browser/ids';
import { hasTexts } from '@foyer/protocol/browser/stored';
import { ApiError } from '../api.ts';
import { readJson, type Store } from '../storage.ts';
import type { SentFile } from './chat-files.ts';

export interface Outgoing {
  client_id: string;
  /** The chat or ticket, named as for drafts. */
  place: string;
  kind: 'reply' | 'note';
  text: string;
  /** Files that the server already has. */
  files?: SentFile[];
  /** The ticket's new status, set by the same call. */
  status?: TicketStatus;
  /** The chat is closed afterwards. */
  closes?: boolean;
  /** False: the mail of a ticket's reply has no signature. */
  signed?: boolean;
  /** For a ticket's reply: who gets a copy of its mail, if not those who got the last one. */
  cc?: MailPerson[] | undefined;
  bcc?: MailPerson[] | undefined;
  /** For a note: the mentioned agents and teams. */
  mentions?: Mention[];
  /** For a reply: the last message that its author had seen. A later answer by a colleague stops this one once. */
  seen?: number | undefined;
  created_utc: string;
  /** `sent`: committed, and only waiting to appear among the messages. */
  state: 'pending' | 'sent' | 'failed';
  error: string | null;
}

type NewOutgoing = Pick<
  Outgoing,
  'place' | 'kind' | 'text' | 'files' | 'status' | 'closes' | 'signed' | 'cc' | 'bcc' | 'mentions' | 'seen'
>;

interface OutboxOptions {
  store: Store;
  agentId: number;
  /** Resolves once the server has committed it. Must be safe to call twice. */
  send: (item: Outgoing) => Promise<void>;
}

const RETRY_MS = 3000;

const isList = (value: unknown): value is Outgoing[] =>
  Array.isArray(value) && value.every((item) => hasTexts(item, 'client_id', 'place', 'text'));

/**
 * Messages and replies that the server hasn't acknowledged. They survive reloads and are resent under the same id,
 * in order within a chat or ticket.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #key: string;
  readonly #listeners = new Set<() => void>();
  readonly #busy = new Set<string>();
  /** Places for which sending was requested again during a run. */
  readonly #again = new Set<string>();
  /** Everything that this tab ever had. Other stored items belong to other tabs. */
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
    };
    this.#own.add(item.client_id);
    this.#put([...this.#items, item]);
    void this.#drain(said.place);
    return item;
  }

  /** Sends everything pending, after a reconnect. */
  flush(): void {
    this.#isStopped = false;
    clearTimeout(this.#retry);
    for (const id of new Set(this.#items.map((item) => item.place))) void this.#drain(id);
  }

  /** The agent has seen why it wasn't sent, and sends it anyway. */
  tryAgain(clientId: string): void {
    this.#change(clientId, { state: 'pending', error: null, seen: undefined });
    const item = this.#items.find((one) => one.client_id === clientId);
    if (item) void this.#drain(item.place);
  }

  discard(clientId: string): void {
    this.#put(this.#items.filter((item) => item.client_id !== clientId));
  }

  /** Sends nothing more until the next `flush`. Pending items stay stored. */
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
      // A failed item may have been sent before the connection or the agent was back.
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
      // Signed out: it is sent after the next sign-in.
      if (known.code === 'unauthorized') return false;
      if (known.passes) {
        this.#later();
        return false;
      }
      this.#change(item.client_id, { state: 'failed', error: known.message });
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
