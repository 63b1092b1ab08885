import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { SOCKET_PING_MS } from '@foyer/protocol';
import WebSocket from 'ws';
import { answerParent } from './child.ts';

/** The client of `messages.ts`: sockets like a widget's, each subscribed to its chat. */
type Question =
  | { open: { url: string; publicKey: string; count: number; text: string } }
  | { run: { underWay: number; ms: number } };

interface Visitor {
  socket: WebSocket;
  send(): void;
}

const RESULT = Buffer.from('{"type":"result"');
const ERROR = Buffer.from('{"type":"error"');

const visitors: Visitor[] = [];
let answered: () => void = () => undefined;
let failed: (error: Error) => void = () => undefined;
/** The number of the next message, of all visitors. */
let next = 0;

const startsWith = (data: Buffer, start: Buffer): boolean => start.equals(data.subarray(0, start.length));

function nextFrame(socket: WebSocket, type: string): Promise<ReturnType<typeof JSON.parse>> {
  return new Promise((resolve, reject) => {
    const read = (data: Buffer): void => {
      const frame = JSON.parse(String(data));
      if (frame.type !== type && frame.type !== 'error') return;
      socket.off('message', read);
      if (frame.type === type) resolve(frame);
      else reject(new Error(String(data)));
    };
    socket.on('message', read);
  });
}

async function open(url: string, publicKey: string, text: string, at: number): Promise<Visitor> {
  // Each has its own address: one address may begin sixty chats a minute.
  const headers = { 'x-forwarded-for': `10.0.${at >> 8}.${at & 255}` };
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/widget/socket?site=${publicKey}`, { headers });
  await once(socket, 'open');
  setInterval(
    () => socket.readyState === WebSocket.OPEN && socket.send('{"type":"ping"}'),
    SOCKET_PING_MS,
  ).unref();
  const welcome = nextFrame(socket, 'welcome');
  socket.send(JSON.stringify({ type: 'hello', key: `anon_${randomUUID()}` }));
  await welcome;
  const first = nextFrame(socket, 'result');
  socket.send(call(0, null, text));
  const sessionId: string = (await first).data.session.session_id;
  const subscribed = nextFrame(socket, 'result');
  socket.send(JSON.stringify({ type: 'subscribe', id: 1, session_id: sessionId, after_seq: 0 }));
  await subscribed;
  let calls = 1;
  const visitor = { socket, send: () => socket.send(call(++calls, sessionId, text)) };
  socket.on('message', (data: Buffer) => {
    if (startsWith(data, RESULT)) answered();
    else if (startsWith(data, ERROR)) failed(new Error(String(data)));
  });
  return visitor;
}

const call = (id: number, session_id: string | null, text: string): string =>
  JSON.stringify({ type: 'call', id, op: 'chat.send', input: { session_id, client_id: randomUUID(), text } });

/**
 * Keeps so many messages under way, from one visitor after the other.
 * @returns acknowledged messages a second
 */
function run(atOnce: number, ms: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let [count, underWay] = [0, 0];
    const from = performance.now();
    const sendNext = (): void => {
      underWay++;
      visitors[next++ % visitors.length]?.send();
    };
    failed = reject;
    answered = () => {
      count++;
      underWay--;
      const elapsed = performance.now() - from;
      if (elapsed < ms) sendNext();
      else if (underWay === 0) resolve((count / elapsed) * 1000);
    };
    for (let at = 0; at < atOnce; at++) sendNext();
  });
}

answerParent<Question>(async (question) => {
  if ('run' in question) return run(question.run.underWay, question.run.ms);
  const { url, publicKey, count, text } = question.open;
  for (let at = 0; at < count; at++) visitors.push(await open(url, publicKey, text, at));
  return visitors.length;
});
