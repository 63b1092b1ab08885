import { uuidV7 } from '@foyer/protocol/browser/ids';

/** As long as the server keeps a file that no message came for. */
const KEPT_MS = 24 * 3_600_000;
/** As many as may wait there. */
const KEPT_MAX = 20;
const STORE = 'files';

/** A file that is chosen and not sent, as it outlives its tab. */
interface KeptFile {
  upload_id: string;
  chat: string;
  /** Send was pressed. */
  goes: boolean;
  blob: File;
}

type Stored = KeptFile & { tab: string; kept_at: number };

export interface KeptFiles {
  put(file: KeptFile): void;
  remove(uploadId: string): void;
  /** Those whose tab is gone; from now on they are this one's. */
  adopt(): Promise<KeptFile[]>;
  isEmpty(): Promise<boolean>;
  /** The database itself goes. */
  clear(): Promise<void>;
}

const answerOf = <Answer>(request: IDBRequest<Answer>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** The one store of the database `name`. Where the browser refuses it, every run has its other answer. */
const createFileStore = (name: string, tab: string) => {
  let opened: Promise<IDBDatabase> | undefined;
  let isHeld = false;
  let last: Promise<unknown> = Promise.resolve();

  const open = async (): Promise<IDBDatabase> => {
    // Held as long as this tab lives: so others know whose files are nobody's any more.
    if (!isHeld) void navigator.locks.request(`${name}.${tab}`, () => new Promise(() => {})).catch(() => {});
    isHeld = true;
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'upload_id' });
    const database = await answerOf(request);
    // Another tab takes it away.
    database.onversionchange = close;
    return database;
  };
  const close = async (): Promise<void> => {
    const database = opened;
    opened = undefined;
    (await database)?.close();
  };
  /** One after the other, in the order in which they were asked for. */
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
    /** The database itself goes. */
    delete: () =>
      inTurn(async () => {
        await close();
        await answerOf(indexedDB.deleteDatabase(name));
      }, undefined),
  };
};

/**
 * Files in the browser's database, until they are sent. Where it lets nothing be stored, or no tab know of another, they
 * are only where they were chosen, and nothing is said of it.
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
