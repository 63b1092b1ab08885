import type { Message } from '@foyer/protocol';

/** `gap`: messages are missing before this one, so it was not taken. */
export type Received = 'added' | 'known' | 'gap';

export interface ChatLog {
  readonly messages: readonly Message[];
  /** Whether everything up to now has come; false until the first backlog is through. */
  readonly complete: boolean;
}

const EMPTY: ChatLog = { messages: [], complete: false };
const KEPT_CHATS = 60;

/**
 * The messages of the chats that were opened, each once and in the order of `seq`.
 * It decides what to ask for after a lost connection: all after `lastSeq`.
 */
export class MessageLog {
  readonly #chats = new Map<string, ChatLog>();
  readonly #listeners = new Map<string, Set<() => void>>();

  get(sessionId: string): ChatLog {
    return this.#chats.get(sessionId) ?? EMPTY;
  }

  lastSeq(sessionId: string): number {
    return this.get(sessionId).messages.at(-1)?.seq ?? 0;
  }

  receive(sessionId: string, message: Message): Received {
    const last = this.lastSeq(sessionId);
    if (message.seq <= last) return 'known';
    if (message.seq > last + 1) return 'gap';
    const chat = this.get(sessionId);
    this.#put(sessionId, { ...chat, messages: [...chat.messages, message] });
    return 'added';
  }

  /** All that existed when the chat was subscribed to is here now. */
  complete(sessionId: string): void {
    const chat = this.get(sessionId);
    if (!chat.complete) this.#put(sessionId, { ...chat, complete: true });
  }

  has(sessionId: string, clientId: string): boolean {
    return this.get(sessionId).messages.some((message) => message.client_id === clientId);
  }

  subscribe(sessionId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(sessionId) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(sessionId, listeners);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(sessionId);
    };
  }

  clear(): void {
    this.#chats.clear();
  }

  #put(sessionId: string, chat: ChatLog): void {
    this.#chats.delete(sessionId);
    this.#chats.set(sessionId, chat);
    for (const id of this.#chats.keys()) {
      if (this.#chats.size <= KEPT_CHATS) break;
      if (!this.#listeners.has(id)) this.#chats.delete(id);
    }
    for (const listener of this.#listeners.get(sessionId) ?? []) listener();
  }
}
