import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { SOCKET_PING_MS } from '@foyer/protocol';
import WebSocket from 'ws';
import { answerParent } from './child.ts';

/** The client of `fan-out.ts`, for both servers: one socket that sends and a thousand that receive. */
type Question =
  | { begin: { url: string; publicKey?: string } }
  | { open: { url: string; path: string; cookie: string; sessionId: string; count: number } }
  | { run: { messages: number } };

/** The number of messages in flight. */
const WINDOW = 4;
const MESSAGE = Buffer.from('{"type":"message"');
const ERROR = Buffer.from('{"type":"error"');
const CHANGE = Buffer.from('{"type":"session_changed"');
const AT_ONCE = 50;

let speaker: WebSocket | undefined;
let chat = '';
let listeners = 0;
let heard: (kind: Buffer) => void = () => undefined;
let failed: (error: Error) => void = (error) => {
  throw error;
};

/** The last frame of each kind that one socket received, for the bare server to send. */
const kinds = new Map<string, string>();

const socketTo = (url: string, path: string, headers = {}): WebSocket =>
  new WebSocket(url.replace(/^http/, 'ws') + path, {
    headers,
    perMessageDeflate: false,
    skipUTF8Validation: true,
  });

function next(socket: WebSocket, type: string): Promise<ReturnType<typeof JSON.parse>> {
  return new Promise((resolve) => {
    const read = (data: Buffer): void => {
      const frame = JSON.parse(String(data));
      if (frame.type !== type) return;
      socket.off('message', read);
      resolve(frame);
    };
    socket.on('message', read);
  });
}

/** Like every Foyer client. */
function keepOpen(socket: WebSocket): void {
  setInterval(() => socket.send('{"type":"ping"}'), SOCKET_PING_MS);
  socket.on('close', (code, reason) => failed(new Error(`closed: ${code} ${reason}`)));
}

function speak(): void {
  const input = { session_id: chat || null, client_id: randomUUID(), text: 'Hello, is anybody there?' };
  speaker?.send(JSON.stringify({ type: 'call', id: 1, op: 'chat.send', input }));
}

/** @returns the chat that the sender has begun. */
async function begin(url: string, publicKey: string | undefined): Promise<string> {
  speaker = socketTo(url, publicKey === undefined ? '/' : `/widget/socket?site=${publicKey}`);
  await once(speaker, 'open');
  if (publicKey === undefined) return '';
  keepOpen(speaker);
  const welcome = next(speaker, 'welcome');
  speaker.send(JSON.stringify({ type: 'hello', key: `anon_${randomUUID()}` }));
  await welcome;
  const result = next(speaker, 'result');
  speak();
  chat = (await result).data.session.session_id;
  speaker.on('message', (data: Buffer) => {
    if (ERROR.equals(data.subarray(0, ERROR.length))) failed(new Error(String(data)));
  });
  return chat;
}

async function listen(
  url: string,
  path: string,
  headers: Record<string, string>,
  sessionId: string,
): Promise<void> {
  const socket = socketTo(url, path, headers);
  if (sessionId) {
    await next(socket, 'ready');
    const subscribed = next(socket, 'result');
    // The chat has just begun, so there is little to load.
    socket.send(JSON.stringify({ type: 'subscribe', id: 1, session_id: sessionId, after_seq: 0 }));
    await subscribed;
  } else await once(socket, 'open');
  if (sessionId) keepOpen(socket);
  const first = listeners++ === 0;
  socket.on('message', (data: Buffer) => {
    for (const kind of [MESSAGE, CHANGE]) {
      if (!kind.equals(data.subarray(0, kind.length))) continue;
      if (first) kinds.set(String(kind), String(data));
      heard(kind);
    }
  });
}

/** @returns frames of both kinds received a second by all sockets together, until the last has the last message. */
function run(messages: number): Promise<number> {
  return new Promise((resolve, reject) => {
    failed = reject;
    let [frames, count, sent] = [0, 0, 0];
    const from = performance.now();
    const send = (): void => {
      sent++;
      speak();
    };
    heard = (kind) => {
      frames++;
      if (kind !== MESSAGE) return;
      count++;
      if (count === messages * listeners) resolve((frames / (performance.now() - from)) * 1000);
      else if (count % listeners === 0 && sent < messages) send();
    };
    for (let at = 0; at < WINDOW; at++) send();
  });
}

answerParent<Question>(async (question) => {
  if ('begin' in question) return begin(question.begin.url, question.begin.publicKey);
  if ('run' in question) return run(question.run.messages);
  const { url, path, cookie, sessionId, count } = question.open;
  for (let opened = 0; opened < count; opened += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, () => listen(url, path, { cookie, origin: url }, sessionId)),
    );
  await run(WINDOW);
  while (sessionId && kinds.size < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  return [...kinds.values()];
});
