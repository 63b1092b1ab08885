import { backoffMs } from '@foyer/protocol/browser/backoff';
import { uuidV7 } from '@foyer/protocol/browser/ids';
import { hasTexts } from '@foyer/protocol/browser/stored';
import { CallError } from './connection/calls.ts';
import type { Storage } from './storage.ts';

/** The prefix of chats that have no session yet. */
export const NEW_CHAT = 'new:';

export const newChatName = (): string => NEW_CHAT + uuidV7();

/** Each entry has its own name: two tabs that write at once never overwrite each other. */
const OUTBOX = 'outbox.';
const OUTBOX_MAX = 200;
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 30_000;
/** Temporary errors. With any other, the same message would fail again. */
const PASSING = ['unavailable', 'internal', 'rate_limited'];

export interface SentFile {
  upload_id: string;
  name: string;
  size: number;
}

/** Something that the visitor sent and the server hasn't acknowledged. */
export interface OutboxEntry {
  client_id: string;
  /** The chat that shows it: a session id, or our own id until the session is created. */
  chat: string;
  /** Null starts a session. */
  session_id: string | null;
  kind: 'message' | 'person';
  text: string;
  /** Files that the server already has. */
  files?: SentFile[];
  page_url: string;
  /** The proactive message that it answers. */
  proactive_id?: number | undefined;
  created_utc: string;
  /** Why the server refused it. It waits for the visitor's decision. */
  refused?: string | undefined;
}

interface OutboxParts {
  storage: Storage;
  /** Sends one entry; returns the session that stored it. Fails with CallError. */
  send: (entry: OutboxEntry) => Promise<string>;
  /** Runs while no other tab does (`navigator.locks`). */
  alone: (run: () => Promise<void>) => Promise<unknown>;
  onChange: (entries: OutboxEntry[]) => void;
  /**
   * What was written into a chat continues in another: the session it became, or a new chat because it was deleted.
   */
  onMove: (chat: string, to: string) => void;
}

export interface Outbox {
  entries(): OutboxEntry[];
  /** False if it is full: the text stays in the box. */
  add(entry: OutboxEntry): boolean;
  retry(clientId: string): void;
  remove(clientId: string): void;
  clear(): void;
  /** Sends the waiting entries one after another, until none is left or the connection breaks. */
  pump(): void;
  /** Another tab has changed the storage. */
  refresh(): void;
  isFull(): boolean;
  /** Whether waiting entries would be lost with this page. */
  isFleeting(): boolean;
}

const isEntry = (value: unknown): value is OutboxEntry => hasTexts(value, 'client_id', 'chat', 'text');

/** In the order of writing across tabs: ids begin with the time. */
const namesIn = (storage: Storage) => storage.names(OUTBOX).sort();
const entriesIn = (storage: Storage) => namesIn(storage).map(storage.read).filter(isEntry);
const tell = ({ storage, onChange }: OutboxParts) => onChange(entriesIn(storage));
/** Without an entry, removes it. */
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

/** Returns a function that sends the entries one after another, until none is left or the connection breaks. */
const createPump = (parts: OutboxParts) => {
  const { storage } = parts;
  let isPumping = false;
  let isAskedAgain = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Whether the next entry may be sent now. */
  const fail = (entry: OutboxEntry, { code, message }: CallError): boolean => {
    const { client_id, chat } = entry;
    // Sending continues at the next `online`.
    if (code === 'disconnected') return false;
    if (PASSING.includes(code)) {
      clearTimeout(timer);
      timer = setTimeout(pump, backoffMs(failures++, RETRY_FIRST_MS, RETRY_MAX_MS));
      return false;
    }
    // The chat was deleted, or belongs to another visitor now. Nobody would see a message waiting in it.
    if (code === 'not_found' && entry.session_id !== null) move(parts, chat, newChatName(), null);
    // A request for a person has nothing to show and can't be retried by hand.
    else if (entry.kind === 'person') put(parts, client_id);
    // It may have been removed meanwhile.
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
        // Later messages in the same new chat belong to the session that it became.
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
 * Stores the visitor's messages until they are acknowledged: a reload, a crash or ten minutes without a network
 * lose none, and the client id keeps repeated sends from being stored twice.
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
