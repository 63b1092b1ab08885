import type {
  HelloFrame,
  InputOf,
  Message,
  OperationName,
  OutputOf,
  ServerFrame,
  VisitorSession,
} from '@foyer/protocol';
import { TYPING_PREVIEW_MAX, URL_MAX } from '@foyer/protocol/bounds';
import { CallError, createConnection, type SocketLike } from './connection.ts';
import {
  type ConversationEvent,
  type ConversationState,
  initialState,
  isSession,
  lastSeq,
  type Place,
  reduce,
  unreadOf,
} from './conversation.ts';
import type { KeptFiles } from './kept-files.ts';
import { createOutbox, type OutboxEntry, type SentFile } from './outbox.ts';
import type { Storage } from './storage.ts';
import type { Uploads } from './uploads.ts';
import { uuid } from './uuid.ts';

const TOKEN = 'token';
const KEY = 'key';
const DRAFTS = 'drafts';
const MUTED = 'muted';
/** Files were chosen here: some may not be sent. */
const FILES = 'files';
/** The last chat that became a session, for the other tabs. */
const MOVED = 'moved';
export const NEW_CHAT = 'new:';
/** How often what the visitor writes is told. */
const TYPING_EVERY_MS = 1_000;
/** Between two looks at the clock, which are 3 s apart: the page was asleep. */
const SLEPT_MS = 12_000;
/** What another tab writes in one go is looked at once. */
const REFRESH_MS = 20;

export interface Visitor {
  key?: string;
  user_hash?: string;
  locale?: string;
  page_url?: string;
  page_title?: string | undefined;
  referrer?: string | undefined;
}

type Page = Pick<Visitor, 'page_url' | 'page_title'>;

export interface ChatParts {
  storage: Storage;
  open: () => SocketLike;
  openPoll: () => Promise<SocketLike>;
  isOffline: () => boolean;
  /** Where a visitor's file of this id is put. */
  uploadUrl: (uploadId: string, name: string) => string;
  /** The name of what the browser keeps of files. */
  filesName: string;
  alone: (run: () => Promise<void>) => Promise<unknown>;
  /** A message of bot or agent that the visitor has not seen came in. */
  onIncoming: (sender: 'bot' | 'agent', text: string) => void;
  onState: (state: ConversationState) => void;
}

/** Output of `chat.send`. */
interface SendAnswer {
  session: VisitorSession | null;
  message: Message;
}

export type Chat = ReturnType<typeof createChat>;

/** What the widget does, without its face: one socket, one outbox, one state. */
export const createChat = (parts: ChatParts) => {
  const { storage } = parts;
  let state = initialState;
  let visitor: Visitor = {};
  /** What is being written, and as much of it as was told. */
  let written = '';
  let told = '';
  let typingTimer: ReturnType<typeof setTimeout> | undefined;
  let refreshTimer: ReturnType<typeof setTimeout> | undefined;
  /** The token that this tab is known by, or has greeted with; other tabs may have got another since. */
  let tickedAt = Date.now();
  let ownToken: unknown = null;
  let uploads: Uploads | undefined;
  let keptFiles: KeptFiles | undefined;
  const tokenWaiters: ((token: string) => void)[] = [];

  const apply = (event: ConversationEvent) => {
    const next = reduce(state, event);
    if (next === state) return;
    state = next;
    parts.onState(state);
  };

  const cut = (text: string | undefined) => text?.slice(0, URL_MAX);
  const shownPage = () => ({
    page_url: cut(visitor.page_url),
    page_title: cut(visitor.page_title),
    referrer: cut(visitor.referrer),
  });

  const connection = createConnection({
    open: parts.open,
    openPoll: parts.openPoll,
    isOffline: parts.isOffline,
    hello: () => {
      const token = storage.read(TOKEN);
      ownToken = token;
      const frame: HelloFrame = { type: 'hello' };
      if (typeof token === 'string') frame.token = token;
      if (visitor.key) frame.key = visitor.key;
      if (visitor.user_hash) frame.user_hash = visitor.user_hash;
      Object.assign(frame, shownPage());
      if (visitor.locale) frame.locale = visitor.locale.slice(0, 35);
      frame.time_zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
      return frame;
    },
    onLine(line) {
      apply({ type: 'line', line });
      if (line !== 'online') return;
      outbox.pump();
      uploads?.again();
    },
    onRefused: () => storage.write(TOKEN, undefined),
    onFrame: (frame) => receive(frame),
  });

  const outbox = createOutbox({
    storage,
    alone: parts.alone,
    async send(entry) {
      const { client_id, session_id, text, files, page_url } = entry;
      if (entry.kind === 'person') {
        const session = await callSession('chat.request_person', { session_id, client_id, page_url });
        return session.session_id;
      }
      const answer = await connection.call('chat.send', {
        session_id,
        client_id,
        text,
        ...(files && { attachments: files.map(({ upload_id }) => upload_id) }),
        page_url,
      });
      const { session, message } = answer as SendAnswer;
      if (session) adopt(session);
      // Without a session the message went into the one that was named.
      const sessionId = session?.session_id ?? session_id ?? '';
      // Ahead of it there may be others that were not seen yet; the subscription brings all in order.
      if (message.seq === lastSeq(state, sessionId) + 1) {
        apply({ type: 'message', session_id: sessionId, message });
      }
      return sessionId;
    },
    onChange: (entries) => apply({ type: 'pending', entries, isFleeting: outbox.isFleeting() }),
    onSession(chat, sessionId) {
      storage.write(MOVED, { chat, session_id: sessionId });
      moveDraft(chat, sessionId);
      movedTo(chat, sessionId);
    },
  });

  const movedTo = (chat: string, sessionId: string) => {
    apply({ type: 'moved', chat, session_id: sessionId });
    uploads?.move(chat, sessionId);
  };

  const callSession = async (op: string, input: unknown): Promise<VisitorSession> => {
    const session = (await connection.call(op, input)) as VisitorSession;
    adopt(session);
    return session;
  };

  /** A session that was not known is followed from now on. */
  const adopt = (session: VisitorSession) => {
    const isNew = !(session.session_id in state.sessions);
    apply({ type: 'session', session });
    if (isNew) connection.subscribe(session.session_id, lastSeq(state, session.session_id));
  };

  const receive = (frame: ServerFrame) => {
    switch (frame.type) {
      case 'welcome':
        if (isOthersToken(frame.token)) {
          connection.restart();
          break;
        }
        storage.write(TOKEN, frame.token);
        ownToken = frame.token;
        for (const resolve of tokenWaiters.splice(0)) resolve(frame.token);
        storage.write(KEY, frame.visitor.key);
        apply(frame);
        for (const session of Object.values(state.sessions)) if (isFollowed(session)) follow(session);
        break;
      case 'session':
        adopt(frame.session);
        break;
      case 'message':
        incoming(frame);
        break;
      case 'availability':
        apply(frame);
        break;
      case 'typing':
      case 'answering':
        apply({ ...frame, now: Date.now() });
        break;
    }
  };

  /** Two tabs that came to know the visitor at once: both go on as the one whose token was stored first. */
  const isOthersToken = (token: string): boolean => {
    const stored = storage.read(TOKEN);
    return typeof stored === 'string' && stored !== ownToken && stored !== token;
  };

  const isFollowed = (session: VisitorSession) =>
    session.status !== 'closed' ||
    session.last_seq > session.visitor_read_seq ||
    (state.view.name === 'chat' && state.view.chat === session.session_id);
  const follow = ({ session_id }: VisitorSession) =>
    connection.subscribe(session_id, lastSeq(state, session_id));

  const incoming = (frame: Extract<ServerFrame, { type: 'message' }>) => {
    const before = state.messages[frame.session_id]?.length ?? 0;
    apply(frame);
    const { sender, seq, text } = frame.message;
    if ((state.messages[frame.session_id]?.length ?? 0) === before) return;
    markRead();
    const readSeq = state.sessions[frame.session_id]?.visitor_read_seq ?? 0;
    if ((sender === 'bot' || sender === 'agent') && seq > readSeq) parts.onIncoming(sender, text);
  };

  /** What is on the screen has been read. */
  const markRead = () => {
    const { view } = state;
    if (!state.isOpen || view.name !== 'chat' || !isSession(view.chat)) return;
    if (typeof document !== 'undefined' && document.visibilityState === 'hidden') return;
    if (unreadOf(state, view.chat) === 0) return;
    const seq = lastSeq(state, view.chat);
    apply({ type: 'read', session_id: view.chat, seq });
    // Lost with the line: the next one that is read says it again.
    connection.call('chat.mark_read', { session_id: view.chat, seq }).catch(() => {});
  };

  const drafts = (): Record<string, unknown> => {
    const stored = storage.read(DRAFTS);
    return typeof stored === 'object' && stored !== null ? { ...stored } : {};
  };
  const draft = (chat: string): string => {
    const text = drafts()[chat];
    return typeof text === 'string' ? text : '';
  };
  const saveDraft = (chat: string, text: string) => {
    const { [chat]: _, ...others } = drafts();
    const next = text ? { ...others, [chat]: text } : others;
    storage.write(DRAFTS, Object.keys(next).length > 0 ? next : undefined);
  };

  const moveDraft = (from: string, to: string) => {
    const text = draft(from);
    if (!text) return;
    saveDraft(from, '');
    saveDraft(to, text);
  };

  /** A chat that is not made yet: the one in which something stands, which can be found nowhere else, or a new one. */
  const newChat = (): string => {
    const withFiles = Object.keys(state.files).filter((chat) => state.files[chat]?.length);
    return [...Object.keys(drafts()), ...withFiles].find((chat) => !isSession(chat)) ?? NEW_CHAT + uuid();
  };

  const tellTyping = (chat: string) => {
    typingTimer = undefined;
    if (written === told) return;
    told = written;
    connection.send({
      type: 'typing',
      session_id: chat,
      typing: told !== '',
      // A character is not cut in two.
      ...(state.site?.typing_preview &&
        told && { text: told.slice(-TYPING_PREVIEW_MAX).replace(/^[\udc00-\udfff]/, '') }),
    });
    if (told) typingTimer = setTimeout(tellTyping, TYPING_EVERY_MS, chat);
  };
  const stopTelling = () => {
    clearTimeout(typingTimer);
    typingTimer = undefined;
    written = '';
  };

  const enqueue = (chat: string, kind: OutboxEntry['kind'], text: string, files: SentFile[] = []): boolean =>
    outbox.add({
      client_id: uuid(),
      chat,
      session_id: isSession(chat) ? chat : null,
      kind,
      text,
      ...(files.length > 0 && { files }),
      page_url: cut(visitor.page_url) ?? '',
      created_utc: new Date().toISOString(),
    });

  const wake = () => connection.start();
  const arrive = () => {
    const session = state.view.name === 'chat' ? state.sessions[state.view.chat] : undefined;
    if (session) follow(session);
    markRead();
  };

  /** What files need is loaded with the first of them. */
  const withUploads = async (): Promise<Uploads> => {
    const [{ createUploads }, { createKeptFiles }] = await Promise.all([
      import('./uploads.ts'),
      import('./kept-files.ts'),
    ]);
    keptFiles ??= createKeptFiles(parts.filesName);
    uploads ??= createUploads({
      kept: keptFiles,
      urlOf: parts.uploadUrl,
      token() {
        const token = storage.read(TOKEN);
        if (typeof token === 'string') return Promise.resolve(token);
        wake();
        return new Promise((resolve) => tokenWaiters.push(resolve));
      },
      limits: () => state.site?.uploads,
      onChange: (chat, files) => apply({ type: 'files', chat, files }),
      onReady: (chat, file) => enqueue(chat, 'message', '', [file]),
    });
    return uploads;
  };

  /** What a tab that is gone had not sent. A chat that is not made yet can be found nowhere else. */
  const restoreFiles = async () => {
    const chats = await (await withUploads()).restore();
    if (await keptFiles?.isEmpty()) {
      storage.write(FILES, undefined);
      await keptFiles?.clear();
    }
    const fresh = chats.find((chat) => !isSession(chat));
    if (fresh && state.view.name === 'home') apply({ type: 'view', view: { name: 'chat', chat: fresh } });
  };

  return {
    state: () => state,
    draft,
    saveDraft,
    moveDraft,
    newChat,
    markRead,
    unsubscribe: connection.stop,
    check: connection.check,
    lose: connection.lose,
    rest: connection.rest,
    /** Another tab changed what is stored; null when all of it went. */
    storageChanged(name: string | null) {
      if (name === null || name.startsWith('outbox.')) {
        clearTimeout(refreshTimer);
        refreshTimer = setTimeout(() => {
          outbox.refresh();
          // Whoever wrote it may be gone before it was sent.
          if (state.line === 'online') outbox.pump();
        }, REFRESH_MS);
      }
      if (name === null || name === TOKEN) tokenChanged();
      if (name === DRAFTS) apply({ type: 'drafts' });
      // Another tab has sent what this one wrote.
      const moved = name === MOVED ? storage.read(MOVED) : null;
      if (isMove(moved)) movedTo(moved.chat, moved.session_id);
    },
    /** Looks after what has grown old, and whether the page has slept since the last time. */
    tick() {
      const now = Date.now();
      apply({ type: 'tick', now });
      if (now - tickedAt > SLEPT_MS) connection.check();
      tickedAt = now;
    },

    /** Who sits there. Connects at once only if there is something to come back to. */
    begin(next: Visitor) {
      const known = storage.read(KEY);
      const isOther = typeof known === 'string' && next.key !== undefined && known !== next.key;
      // Nothing of a person who signed out may be shown to the next; an anonymous visitor becomes known.
      if (isOther && !known.startsWith('anon_')) forgetStored();
      visitor = next;
      outbox.refresh();
      // What was written into a chat that is not made yet can be found nowhere else.
      const unsent = outbox.entries().find((entry) => !isSession(entry.chat));
      if (unsent) apply({ type: 'view', view: { name: 'chat', chat: unsent.chat } });
      if (storage.read(TOKEN) !== null || outbox.entries().length > 0) wake();
      // Without a network they stay where they are.
      if (storage.read(FILES) !== null) restoreFiles().catch(() => {});
    },
    identify(next: Visitor) {
      const isOther = next.key !== visitor.key || next.user_hash !== visitor.user_hash;
      visitor = { ...visitor, ...next };
      if (isOther) connection.restart();
    },
    setPage(page: Page) {
      Object.assign(visitor, page);
      connection.send({ type: 'page', ...shownPage() });
    },
    reset(key: string) {
      // A line would bring a token of its own: nothing is kept until the chat is opened again.
      connection.stop();
      forgetStored();
      visitor = { ...visitor, key };
      delete visitor.user_hash;
      apply({ type: 'forget' });
    },
    panel(isOpen: boolean) {
      if (isOpen) wake();
      apply({ type: 'panel', isOpen });
      markRead();
    },
    show(view: Place, replaces = false) {
      apply({ type: 'view', view, replaces });
      arrive();
    },
    back() {
      apply({ type: 'back' });
      arrive();
    },
    /** Runs an operation that changes no chat; rejects at once without a line. */
    call: <N extends OperationName>(op: N, input: InputOf<N>) =>
      connection.call(op, input) as Promise<OutputOf<N>>,
    async introduce(answers: InputOf<'chat.introduce'>) {
      await connection.call('chat.introduce', answers);
      apply({ type: 'introduced' });
      if (answers.email && !state.ownEmail) apply({ type: 'email', email: answers.email });
    },
    /** @returns the address that it goes to */
    async mailTranscript(sessionId: string, given: string | undefined): Promise<string> {
      const input = { session_id: sessionId, ...(given && { email: given }) };
      const { email } = (await connection.call(
        'chat.mail_transcript',
        input,
      )) as OutputOf<'chat.mail_transcript'>;
      apply({ type: 'email', email });
      return email;
    },
    isMuted: () => storage.read(MUTED) === true,
    mute: (isMuted: boolean) => storage.write(MUTED, isMuted || undefined),
    /** False when it can't be kept: then the text stays where it was written. */
    send(chat: string, text: string): boolean {
      if (outbox.isFull()) return false;
      const files = uploads?.send(chat) ?? [];
      // Files that are still on their way go by themselves once they are there.
      if (text === '' && files.length === 0) return true;
      // The message itself ends it.
      stopTelling();
      told = '';
      return enqueue(chat, 'message', text, files);
    },
    async addFiles(chat: string, files: readonly File[]) {
      const all = await withUploads();
      storage.write(FILES, true);
      all.add(chat, files);
    },
    retryFile: (chat: string, uploadId: string) => uploads?.retry(chat, uploadId),
    removeFile: (chat: string, uploadId: string) => uploads?.remove(chat, uploadId),
    askForPerson: (chat: string) => enqueue(chat, 'person', ''),
    retry: outbox.retry,
    discard: outbox.remove,
    /** The text that is in the box; empty when nobody writes there any more. */
    typing(chat: string, text: string) {
      if (!isSession(chat)) return;
      if (text === '') stopTelling();
      written = text;
      if (!typingTimer) tellTyping(chat);
    },
    leaveEmail: (sessionId: string, email: string) =>
      callSession('chat.leave_email', { session_id: sessionId, email }),
    end: (sessionId: string) => callSession('chat.end', { session_id: sessionId }),
    rate: (sessionId: string, rating: number, comment: string) =>
      callSession('chat.rate', { session_id: sessionId, rating, ...(comment && { comment }) }),
  };

  /** Another tab signed the visitor out, or came to know them first. */
  function tokenChanged() {
    const token = storage.read(TOKEN);
    if (token === null && ownToken !== null) {
      connection.stop();
      void uploads?.forget();
      ownToken = null;
      apply({ type: 'forget' });
    } else if (typeof token === 'string' && token !== ownToken && state.line !== 'connecting') {
      wake();
      if (ownToken !== null) connection.restart();
    }
  }

  function forgetStored() {
    const hasFiles = storage.read(FILES) !== null;
    for (const name of [TOKEN, KEY, MOVED, DRAFTS, MUTED, FILES]) storage.write(name, undefined);
    outbox.clear();
    if (!hasFiles) return;
    // Without a network it can't be loaded: then it goes with the database, which no other tab may hold open.
    withUploads()
      .then(
        (all) => all.forget(),
        () => indexedDB.deleteDatabase(parts.filesName),
      )
      .catch(() => {});
  }
};

/** Whether the visitor can do something about it: an address that the server refused, say. */
export const isInputError = (error: unknown): boolean => isRefusal(error, 'invalid_input');

export const isRefusal = (error: unknown, code: CallError['code']): boolean =>
  error instanceof CallError && error.code === code;
const isMove = (value: unknown): value is { chat: string; session_id: string } =>
  typeof value === 'object' &&
  value !== null &&
  'chat' in value &&
  typeof value.chat === 'string' &&
  'session_id' in value &&
  typeof value.session_id === 'string';
