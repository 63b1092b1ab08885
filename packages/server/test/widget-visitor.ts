import type { Message, VisitorSession } from '@foyer/protocol';
import WebSocket from 'ws';

/** What is read of the widget's state. */
interface WidgetState {
  line: string;
  sessions: Record<string, VisitorSession>;
  messages: Record<string, Message[]>;
  pending: { client_id: string; text: string; refused?: string }[];
}

/** The methods of the widget's chat that are used. */
interface WidgetChat {
  state(): WidgetState;
  begin(visitor: object): void;
  connect(): void;
  send(chat: string, text: string): boolean;
  show(view: { name: 'chat'; chat: string }): void;
  newChat(): string;
  rest(): void;
}

/** A visitor: the widget's own logic (connection, outbox, state) in this process, without its interface. */
export interface WidgetVisitor {
  state(): WidgetState;
  /** The session of its chat, once it has one. */
  session(): string | undefined;
  /** @returns false if the outbox is full */
  send(text: string): boolean;
  /** What is not acknowledged. */
  waiting(): string[];
  /** The texts of its chat in the order in which they are shown. */
  texts(sender?: Message['sender']): string[];
  /** Resolves when the state fulfils the condition. */
  until(holds: (state: WidgetState) => boolean): Promise<void>;
  leave(): void;
}

const CORE = new URL('../../widget/src/core/', import.meta.url);

/** A browser's storage in memory. */
function memory() {
  const values = new Map<string, unknown>();
  return {
    read: (name: string) => values.get(name) ?? null,
    write: (name: string, value: unknown) =>
      value === undefined ? void values.delete(name) : void values.set(name, structuredClone(value)),
    names: (beginning: string) => [...values.keys()].filter((name) => name.startsWith(beginning)),
    isFleeting: () => false,
    restore: () => undefined,
  };
}

/** Node's own WebSocket takes several times the CPU, which thousands of visitors would take from the server. */
function openSocket(url: URL): WebSocket {
  const socket = new WebSocket(url);
  // Like the browser's, it may end without somebody who listens to `error`.
  socket.on('error', () => undefined);
  return socket;
}

/** Opens the widget of a site, and its chat. */
export async function openWidgetVisitor(url: string, publicKey: string): Promise<WidgetVisitor> {
  // Not by a plain import: the widget is compiled for browsers, with their types.
  const { createChat } = await import(new URL('chat.ts', CORE).href);
  const listeners = new Set<() => void>();
  const door = (path: string): URL => new URL(`/widget/${path}?site=${publicKey}`, url);
  const chat: WidgetChat = createChat({
    storage: memory(),
    open: () => openSocket(Object.assign(door('socket'), { protocol: 'ws:' })),
    openPoll: async () => (await import(new URL('poll.ts', CORE).href)).openPoll(door('poll')),
    isOffline: () => false,
    uploadUrl: (id: string) => door(`uploads/${id}`).href,
    filesName: '',
    alone: (run: () => Promise<void>) => run(),
    onIncoming: () => undefined,
    onState: () => {
      for (const listener of listeners) listener();
    },
  });
  chat.begin({ page_url: 'https://shop.example/' });
  chat.connect();
  const place = chat.newChat();
  chat.show({ name: 'chat', chat: place });
  const session = (): string | undefined => Object.keys(chat.state().sessions)[0];
  const texts = (sender?: Message['sender']): string[] =>
    (chat.state().messages[session() ?? ''] ?? [])
      .filter((message) => sender === undefined || message.sender === sender)
      .map(({ text }) => text);
  return {
    state: () => chat.state(),
    session,
    send: (text) => chat.send(session() ?? place, text),
    waiting: () => chat.state().pending.map(({ text }) => text),
    texts,
    async until(holds) {
      while (!holds(chat.state()))
        await new Promise<void>((resolve) => {
          const heard = (): void => {
            listeners.delete(heard);
            resolve();
          };
          listeners.add(heard);
        });
    },
    leave: () => chat.rest(),
  };
}
