import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { answerParent } from './child.ts';

/** The client of `whoami.ts` and `track.ts`: as little as HTTP allows, so that only the server is measured. */
type Question =
  | {
      /** If there are bodies, they are posted in turn, like the tokens. */
      open: { url: string; path: string; tokens: string[]; bodies?: string[]; connections: number };
    }
  | { run: { requests: number } };

/** 200 or 201. */
const OK = Buffer.from('HTTP/1.1 20');
const END = '}'.charCodeAt(0);

const sockets: Socket[] = [];
let requests: string[] = [];
let asked = 0;
let answered: (socket: Socket) => void = () => undefined;
let failed: (error: Error) => void = () => undefined;

const ask = (socket: Socket): void => {
  socket.write(requests[asked++ % requests.length] ?? '');
};

async function open(url: string): Promise<void> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay();
  await once(socket, 'connect');
  let begun = false;
  socket.on('data', (data) => {
    if (!begun && !OK.equals(data.subarray(0, OK.length))) failed(new Error(String(data)));
    // A response is one JSON object, and at this size only its last byte can end a chunk with a brace.
    begun = data[data.length - 1] !== END;
    if (!begun) answered(socket);
  });
  socket.on('error', (error) => failed(error));
  sockets.push(socket);
}

/**
 * The client never sleeps during the measurement: a response that has to wake a sleeping processor costs its server
 * more than producing it, which isn't a property of the server.
 * @returns responses a second.
 */
function run(wanted: number): Promise<number> {
  let measuring = true;
  const stayAwake = (): void => {
    if (measuring) setImmediate(stayAwake);
  };
  stayAwake();
  return new Promise<number>((resolve, reject) => {
    let [count, sent] = [0, 0];
    const from = performance.now();
    const next = (socket: Socket): void => {
      sent++;
      ask(socket);
    };
    failed = reject;
    answered = (socket) => {
      if (++count === wanted) resolve((count / (performance.now() - from)) * 1000);
      else if (sent < wanted) next(socket);
    };
    for (const socket of sockets) next(socket);
  }).finally(() => {
    measuring = false;
  });
}

answerParent<Question>(async (question) => {
  if ('run' in question) return run(question.run.requests);
  const { url, path, tokens, bodies, connections } = question.open;
  const { host } = new URL(url);
  const about = (token = ''): string => `host: ${host}\r\nauthorization: Bearer ${token}\r\n`;
  requests = bodies
    ? bodies.map(
        (body, at) =>
          `POST ${path} HTTP/1.1\r\n${about(tokens[at % tokens.length])}content-type: application/json\r\n` +
          `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
    : tokens.map((token) => `GET ${path} HTTP/1.1\r\n${about(token)}\r\n`);
  for (let at = 0; at < connections; at++) await open(url);
  return sockets.length;
});
