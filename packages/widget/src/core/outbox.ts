import { uuidV7 } from '@foyer/protocol/browser/ids';
import { CallError } from './connection/calls.ts';
import type { Storage } from './storage.ts';

/** How the names of chats begin that have no session yet. */
export const NEW_CHAT = 'new:';

export const newChatName = (): string => NEW_CHAT + uuidV7();

/** Each entry has a name of its own: two tabs that write at once never write over each other. */
const OUTBOX = 'outbox.';
const OUTBOX_MAX = 200;
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 30_000;
/** Errors that pass by themselves; with any other the same message would fail again. */
const PASSING = ['unavailable', 'internal', 'rate_limited'];

export interface SentFile {
  upload_id: string;
  name: string;
  size: number;
}

/** Something the visitor did that the server has not acknowledged. */
export interface OutboxEntry {
  client_id: string;
  /** The chat it shows in: a session id, or a name of our own while the session is not yet made. */
  chat: string;
  /** Null begins a session. */
  session_id: string | null;
  kind: 'message' | 'person';
  text: string;
  /** Files that the server has already. */
  files?: SentFile[];
  page_url: string;
  created_utc: string;
  /** Why the server refused it; it waits for the visitor to decide. */
  refused?: string;
}

interface OutboxParts {
  storage: Storage;
  /** Sends one entry; answers the session in which it was stored. Fails with CallError. */
  send: (entry: OutboxEntry) => Promise<string>;
  /** Runs when no other tab does (`navigator.locks`). */
  alone: (run: () => Promise<void>) => Promise<unknown>;
  onChange: (entries: OutboxEntry[]) => void;
  /** What was written into a chat continues in another: the session that it made, or a new chat because it is gone. */
  onMove: (chat: string, to: string) => void;
}

export interface Outbox {
  entries(): OutboxEntry[];
  /** False when it is full: the text stays where it was written. */
  add(entry: OutboxEntry): boolean;
  retry(clientId: string): void;
  remove(clientId: string): void;
  clear(): void;
  /** Sends what waits, one after the other, until it is empty or the line breaks. */
  pump(): void;
  /** Another tab changed the storage. */
  refresh(): void;
  isFull(): boolean;
  /** Whether something that waits would be lost with this page. */
  isFleeting(): boolean;
}

const isEntry = (value: unknown): value is OutboxEntry =>
  typeof value === 'object' &&
  value !== null &&
  'client_id' in value &&
  typeof value.client_id === 'string' &&
  'text' in value &&
  typeof value.text === 'string' &&
  'chat' in value &&
  typeof value.chat === 'string' &&
  'session_id' in value;

/**
 * The visitor's messages until they are acknowledged, kept in storage: a reload, a crash or ten minutes
 * without a network lose none, and the client id keeps a repeated one from being stored twice.
 */
export const createOutbox = (parts: OutboxParts): Outbox => {
  let isPumping = false;
  let isAskedAgain = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isFull = () => parts.storage.names(OUTBOX).length >= OUTBOX_MAX;

  /** As they were written, in whichever tab: the ids begin with the time. */
  const entries = (): OutboxEntry[] =>
    parts.storage
      .names(OUTBOX)
      .sort()
      .map((name) => parts.storage.read(name))
      .filter(isEntry);
  const firstToSend = (): OutboxEntry | undefined => {
    for (const name of parts.storage.names(OUTBOX).sort()) {
      const entry = parts.storage.read(name);
      if (isEntry(entry) && entry.refused === undefined) return entry;
    }
    return undefined;
  };
  const write = (entry: OutboxEntry) => parts.storage.write(OUTBOX + entry.client_id, entry);
  const tell = () => parts.onChange(entries());
  const remove = (clientId: string) => {
    parts.storage.write(OUTBOX + clientId, undefined);
    tell();
  };

  const move = (from: string, chat: string, session_id: string | null) => {
    if (from === chat) return;
    for (const entry of entries()) if (entry.chat === from) write({ ...entry, chat, session_id });
    tell();
    parts.onMove(from, chat);
  };

  const settle = (sent: OutboxEntry, sessionId: string) => {
    remove(sent.client_id);
    // What was written after it into the same new chat belongs to the session that it made.
    move(sent.chat, sessionId, sessionId);
  };

  const refuse = (entry: OutboxEntry, reason: string) => {
    // It may have been taken back meanwhile.
    if (parts.storage.read(OUTBOX + entry.client_id) !== null) write({ ...entry, refused: reason });
    tell();
  };

  const drain = async () => {
    for (;;) {
      const entry = firstToSend();
      if (!entry) return;
      try {
        settle(entry, await parts.send(entry));
        failures = 0;
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        // The next `online` goes on from here.
        if (error.code === 'disconnected') return;
        if (PASSING.includes(error.code)) {
          clearTimeout(timer);
          timer = setTimeout(pump, Math.min(RETRY_FIRST_MS * 2 ** failures++, RETRY_MAX_MS));
          return;
        }
        // The chat was deleted, or is another visitor's now. Nobody would see a message that waits in it.
        if (error.code === 'not_found' && entry.session_id !== null) {
          move(entry.chat, newChatName(), null);
          continue;
        }
        // There is nothing to show of a request for a person, and nothing to try again by hand.
        if (entry.kind === 'person') remove(entry.client_id);
        else refuse(entry, error.message);
      }
    }
  };

  const pump = () => {
    if (isPumping) {
      isAskedAgain = true;
      return;
    }
    isPumping = true;
    const done = () => {
      isPumping = false;
      if (isAskedAgain) {
        isAskedAgain = false;
        pump();
      }
    };
    parts.alone(drain).then(done, done);
  };

  return {
    entries,
    remove,
    pump,
    add(entry) {
      if (isFull()) return false;
      write(entry);
      tell();
      pump();
      return true;
    },
    retry(clientId) {
      const entry = entries().find((one) => one.client_id === clientId);
      if (!entry) return;
      const { refused: _, ...again } = entry;
      write(again);
      tell();
      pump();
    },
    clear() {
      for (const name of parts.storage.names(OUTBOX)) parts.storage.write(name, undefined);
      tell();
    },
    refresh: tell,
    isFull,
    isFleeting: () => parts.storage.names(OUTBOX).some((name) => parts.storage.isFleeting(name)),
  };
};
