import { uuidV7 } from '@foyer/protocol/browser/ids';

/** As long as the server keeps an unsent file. */
const KEPT_MS = 24 * 3_600_000;
/** As many files as the server keeps unsent. */
const KEPT_MAX = 20;
const STORE = 'files';

/** A chosen, unsent file that outlives its tab. */
interface KeptFile {
  upload_id: string;
  chat: string;
  /** The visitor has pressed Send. */
  goes: boolean;
  blob: File;
}

type Stored = KeptFile & { tab: string; kept_at: number };

export interface KeptFiles {
  put(file: KeptFile): void;
  remove(uploadId: string): void;
  /** Files whose tab is closed. From now on they belong to this tab. */
  adopt(): Promise<KeptFile[]>;
  isEmpty(): Promise<boolean>;
  /** Deletes the database itself. */
  clear(): Promise<void>;
}

const answerOf = <Answer>(request: IDBRequest<Answer>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** The one store of the database `name`. If the browser refuses it, every run returns its fallback. */
const createFileStore = (name: string, tab: string) => {
  let opened: Promise<IDBDatabase> | undefined;
  let isHeld = false;
  let last: Promise<unknown> = Promise.resolve();

  const open = async (): Promise<IDBDatabase> => {
    // Held as long as this tab lives, so that other tabs can tell whose files are abandoned.
    if (!isHeld) void navigator.locks.request(`${name}.${tab}`, () => new Promise(() => {})).catch(() => {});
    isHeld = true;
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'upload_id' });
    const database = await answerOf(request);
    // Another tab is deleting it.
    database.onversionchange = close;
    return database;
  };
  const close = async (): Promise<void> => {
    const database = opened;
    opened = undefined;
    (await database)?.close();
  };
  /** One at a time, in the order of the calls. */
  const inTurn = <Answer>(run: () => Promise<Answer>, otherwise: Answer): Promise<Answer> => {
    const done = last.then(run).catch(() => otherwise);
    last = done;
    return done;
  };

  return {
    run: <Answer>(work: (store: IDBObjectStore) => Promise<Answer>, otherwise: Answer): Promise<Answer> =>
      inTurn(async () => {
        opened ??= open();
        return work((await opened).transaction(STORE, 'readwrite').objectStore(STORE));
      }, otherwise),
    /** Deletes the database itself. */
    delete: () =>
      inTurn(async () => {
        await close();
        await answerOf(indexedDB.deleteDatabase(name));
      }, undefined),
  };
};

/**
 * Stores files in the browser's database until they are sent. If storage is blocked, or tabs can't detect each
 * other, files exist only in their own tab, without an error.
 */
export const createKeptFiles = (name: string): KeptFiles => {
  const tab = uuidV7();
  const files = createFileStore(name, tab);

  const adoptIn = async (store: IDBObjectStore, living: ReadonlySet<string | undefined>) => {
    const all: Stored[] = await answerOf(store.getAll());
    const orphans = all.filter((file) => !living.has(`${name}.${file.tab}`));
    const isOld = (file: Stored) => file.kept_at < Date.now() - KEPT_MS;
    for (const file of orphans)
      if (isOld(file)) store.delete(file.upload_id);
      else store.put({ ...file, tab });
    return orphans.filter((file) => !isOld(file));
  };

  return {
    put: (file) =>
      void files.run(async (store) => {
        const isThere = (await answerOf(store.getKey(file.upload_id))) !== undefined;
        if (!isThere && (await answerOf(store.count())) >= KEPT_MAX) return;
        store.put({ ...file, tab, kept_at: Date.now() });
      }, undefined),
    remove: (uploadId) => void files.run(async (store) => void store.delete(uploadId), undefined),
    async adopt() {
      try {
        // Two tabs that open at once must not both take them.
        return await navigator.locks.request(name, async () => {
          const { held = [] } = await navigator.locks.query();
          return files.run((store) => adoptIn(store, new Set(held.map((lock) => lock.name))), []);
        });
      } catch {
        return [];
      }
    },
    isEmpty: () => files.run(async (store) => (await answerOf(store.count())) === 0, true),
    clear: files.delete,
  };
};
