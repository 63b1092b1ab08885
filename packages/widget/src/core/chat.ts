import { createDrafts } from './chat/drafts.ts';
import { createFiles, type Files } from './chat/files.ts';
import { awaitToken, createHello, createIdentity, type Identity, pageOf } from './chat/identity.ts';
import { createLifecycle } from './chat/lifecycle.ts';
import { createMoves, type Moves } from './chat/moves.ts';
import { createNavigation } from './chat/navigation.ts';
import { createOtherTabs } from './chat/other-tabs.ts';
import { createOutgoing, type Outgoing } from './chat/outgoing.ts';
import type { ChatParts, Visitor } from './chat/parts.ts';
import { createReadMarks } from './chat/read-marks.ts';
import { createSessions, type Sessions } from './chat/sessions.ts';
import { createStore } from './chat/store.ts';
import { MOVED, MUTED, TOKEN } from './chat/stored.ts';
import { type Connection, createConnection } from './connection.ts';

export type Chat = ReturnType<typeof createChat>;

/** The widget's logic without its interface: one connection, one outbox, one state. */
export const createChat = (parts: ChatParts) => {
  const { storage } = parts;
  const store = createStore(parts.onState);
  const identity = createIdentity();
  const connection: Connection = createConnection({
    open: parts.open,
    openPoll: parts.openPoll,
    isOffline: parts.isOffline,
    solve: parts.solve,
    hello: () => createHello(identity, storage, !!parts.solve),
    onLine(line) {
      store.apply({ type: 'line', line });
      if (line !== 'online') return;
      outgoing.outbox.pump();
      files.loaded()?.again();
    },
    onRefused: () => storage.write(TOKEN, undefined),
    onFrame: (frame) => sessions.receive(frame),
  });
  const markRead = createReadMarks(store, connection);
  const sessions: Sessions = createSessions(parts, store, identity, connection, markRead);
  const drafts = createDrafts(storage, store);
  const { add: addMove, current } = createMoves();
  const files: Files = createFiles(
    parts,
    store,
    current,
    () => awaitToken(identity, storage, connection.start),
    (chat, file) => outgoing.enqueue(chat, 'message', '', [file]),
  );
  const showMove = (chat: string, to: string) => {
    addMove(chat, to);
    store.apply({ type: 'moved', chat, session_id: to });
    files.loaded()?.move(chat, to);
  };
  const onMove = (chat: string, to: string) => {
    storage.write(MOVED, { chat, session_id: to });
    drafts.moveDraft(chat, to);
    showMove(chat, to);
  };
  const outgoing = createOutgoing(parts, store, identity, connection, sessions, onMove);
  const { outbox } = outgoing;
  const lifecycle = createLifecycle(parts, store, identity, connection, outbox, files);
  return {
    ...store,
    call: sessions.call,
    callSession: sessions.callSession,
    markRead,
    ...drafts,
    ...lifecycle,
    ...createNavigation(store, connection, sessions, markRead),
    ...createMessages(outgoing, files, current),
    ...createSettings(parts, identity, connection),
    storageChanged: createOtherTabs(parts, store, outbox, lifecycle.tokenChanged, showMove),
    /** Removes what has expired. */
    tick: () => store.apply({ type: 'tick', now: Date.now() }),
  };
};

/** What the visitor writes and attaches. */
const createMessages = ({ outbox, enqueue }: Outgoing, files: Files, current: Moves['current']) => ({
  /** @returns false if the outbox is full: the text stays in the box */
  send(place: string, text: string, proactiveId?: number): boolean {
    if (outbox.isFull()) return false;
    const chat = current(place);
    const sent = files.loaded()?.send(chat) ?? [];
    // Each file that is still uploading is sent as a message of its own once it has arrived.
    if (text === '' && sent.length === 0) return true;
    return enqueue(chat, 'message', text, sent, proactiveId);
  },
  askForPerson: (chat: string) => enqueue(current(chat), 'person', ''),
  retry: outbox.retry,
  discard: outbox.remove,
  addFiles: files.add,
  retryFile: (chat: string, uploadId: string) => files.loaded()?.retry(current(chat), uploadId),
  removeFile: (chat: string, uploadId: string) => files.loaded()?.remove(current(chat), uploadId),
});

/** The page around the chat, the connection, and the visitor's sound setting. */
const createSettings = ({ storage }: ChatParts, identity: Identity, connection: Connection) => ({
  setPage(page: Pick<Visitor, 'page_url' | 'page_title'>) {
    Object.assign(identity.visitor, page);
    connection.send({ type: 'page', ...pageOf(identity) });
  },
  isMuted: () => storage.read(MUTED) === true,
  mute: (isMuted: boolean) => storage.write(MUTED, isMuted || undefined),
  /** Sends a frame that nobody waits for. */
  tell: connection.send,
  connect: connection.start,
  check: connection.check,
  lose: connection.lose,
  rest: connection.rest,
});
