import { backoffMs } from '@foyer/protocol/browser/backoff';
import { uuidV7 } from '@foyer/protocol/browser/ids';
import { hasTexts } from '@foyer/protocol/browser/stored';
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
  refused?: string | undefined;
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

const isEntry = (value: unknown): value is OutboxEntry => hasTexts(value, 'client_id', 'chat', 'text');

/** In the order in which they were written, in whichever tab: the ids begin with the time. */
const namesIn = (storage: Storage) => storage.names(OUTBOX).sort();
const entriesIn = (storage: Storage) => namesIn(storage).map(storage.read).filter(isEntry);
const tell = ({ storage, onChange }: OutboxParts) => onChange(entriesIn(storage));
/** Without an entry it removes. */
const put = (parts: OutboxParts, clientId: string, entry?: OutboxEntry) => {
  parts.storage.write(OUTBOX + clientId, entry);
  tell(parts);
};
const move = (parts: OutboxParts, from: string, chat: string, session_id: string | null) => {
  if (from === chat) return;
  for (const entry of entriesIn(parts.storage))
    if (entry.chat === from) put(parts, entry.client_id, { ...entry, chat, session_id });
  parts.onMove(from, chat);
};

/** Returns what sends the entries, one after the other, until none waits or the line breaks. */
const createPump = (parts: OutboxParts) => {
  const { storage } = parts;
  let isPumping = false;
  let isAskedAgain = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Whether the next entry may be sent now. */
  const fail = (entry: OutboxEntry, { code, message }: CallError): boolean => {
    const { client_id, chat } = entry;
    // The next `online` goes on from here.
    if (code === 'disconnected') return false;
    if (PASSING.includes(code)) {
      clearTimeout(timer);
      timer = setTimeout(pump, backoffMs(failures++, RETRY_FIRST_MS, RETRY_MAX_MS));
      return false;
    }
    // The chat was deleted, or is another visitor's now. Nobody would see a message that waits in it.
    if (code === 'not_found' && entry.session_id !== null) move(parts, chat, newChatName(), null);
    // There is nothing to show of a request for a person, and nothing to try again by hand.
    else if (entry.kind === 'person') put(parts, client_id);
    // It may have been taken back meanwhile.
    else if (storage.read(OUTBOX + client_id) !== null) put(parts, client_id, { ...entry, refused: message });
    return true;
  };
  const drain = async () => {
    for (;;) {
      const entry = entriesIn(storage).find(({ refused }) => refused === undefined);
      if (!entry) return;
      try {
        const sessionId = await parts.send(entry);
        put(parts, entry.client_id);
        // What was written after it into the same new chat belongs to the session that it made.
        move(parts, entry.chat, sessionId, sessionId);
        failures = 0;
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        if (!fail(entry, error)) return;
      }
    }
  };
  const pump = () => {
    isAskedAgain = isPumping;
    if (isPumping) return;
    isPumping = true;
    const done = () => {
      isPumping = false;
      if (isAskedAgain) pump();
    };
    parts.alone(drain).then(done, done);
  };
  return pump;
};

/**
 * The visitor's messages until they are acknowledged, kept in storage: a reload, a crash or ten minutes
 * without a network lose none, and the client id keeps a repeated one from being stored twice.
 */
export const createOutbox = (parts: OutboxParts): Outbox => {
  const { storage } = parts;
  const pump = createPump(parts);
  const names = () => namesIn(storage);
  const entries = () => entriesIn(storage);
  const isFull = () => names().length >= OUTBOX_MAX;
  const enter = (entry: OutboxEntry) => {
    put(parts, entry.client_id, entry);
    pump();
  };
  return {
    entries,
    remove: (clientId) => put(parts, clientId),
    pump,
    add(entry) {
      if (isFull()) return false;
      enter(entry);
      return true;
    },
    retry(clientId) {
      const entry = entries().find(({ client_id }) => client_id === clientId);
      if (entry) enter({ ...entry, refused: undefined });
    },
    clear() {
      for (const name of names()) storage.write(name, undefined);
      tell(parts);
    },
    refresh: () => tell(parts),
    isFull,
    isFleeting: () => names().some(storage.isFleeting),
  };
};
