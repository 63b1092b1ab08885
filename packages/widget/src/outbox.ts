import { CallError } from './connection.ts';
import type { Storage } from './storage.ts';

const OUTBOX = 'outbox';
const OUTBOX_MAX = 200;
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 30_000;
/** Errors that pass by themselves; with any other the same message would fail again. */
const PASSING = ['unavailable', 'internal', 'rate_limited'];

/** Something the visitor did that the server has not acknowledged. */
export interface OutboxEntry {
  client_id: string;
  /** The chat it shows in: a session id, or a name of our own while the session is not yet made. */
  chat: string;
  /** Null begins a session. */
  session_id: string | null;
  kind: 'message' | 'person';
  text: string;
  page_url: string;
  created_utc: string;
  /** Why the server refused it; it waits for the visitor to decide. */
  refused?: string;
}

export interface OutboxParts {
  storage: Storage;
  /** Sends one entry; answers the session in which it was stored. Fails with CallError. */
  send: (entry: OutboxEntry) => Promise<string>;
  /** Runs when no other tab does (`navigator.locks`). */
  alone: (run: () => Promise<void>) => Promise<unknown>;
  onChange: (entries: OutboxEntry[]) => void;
  /** An entry's chat turned out to be this session. */
  onSession: (chat: string, sessionId: string) => void;
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

  const entries = (): OutboxEntry[] => {
    const stored = parts.storage.read(OUTBOX);
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  };
  const save = (next: OutboxEntry[]) => {
    parts.storage.write(OUTBOX, next.length > 0 ? next : undefined);
    parts.onChange(next);
  };
  const remove = (clientId: string) => save(entries().filter((entry) => entry.client_id !== clientId));

  const settle = (sent: OutboxEntry, sessionId: string) => {
    // What was written after it into the same new chat belongs to the session that it made.
    const rest = entries()
      .filter((entry) => entry.client_id !== sent.client_id)
      .map((entry) =>
        entry.chat === sent.chat ? { ...entry, chat: sessionId, session_id: sessionId } : entry,
      );
    save(rest);
    if (sent.chat !== sessionId) parts.onSession(sent.chat, sessionId);
  };

  const refuse = (clientId: string, reason: string) =>
    save(entries().map((entry) => (entry.client_id === clientId ? { ...entry, refused: reason } : entry)));

  const drain = async () => {
    for (;;) {
      const entry = entries().find((other) => other.refused === undefined);
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
        // There is nothing to show of a request for a person, and nothing to try again by hand.
        if (entry.kind === 'person') remove(entry.client_id);
        else refuse(entry.client_id, error.message);
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
      const waiting = entries();
      if (waiting.length >= OUTBOX_MAX) return false;
      save([...waiting, entry]);
      pump();
      return true;
    },
    retry(clientId) {
      save(
        entries().map((entry) => {
          if (entry.client_id !== clientId) return entry;
          const { refused: _, ...again } = entry;
          return again;
        }),
      );
      pump();
    },
    clear: () => save([]),
    refresh: () => parts.onChange(entries()),
  };
};
