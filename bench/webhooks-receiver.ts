import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createPlainServer, type Server } from 'node:net';
import { answerParent } from './child.ts';

/** The receivers of `webhooks.ts`: `/ok` is fast, `/hang`, `/drip` and `/stream` do what their names say. */
type Question = { listen: true } | { plain: true } | { take: true };

/** How long after its event's creation a request arrived, in milliseconds, by path. */
let late: Record<string, number[]> = {};

const answers: Record<string, (response: ServerResponse) => void> = {
  hang: () => undefined,
  drip(response) {
    const drip = setInterval(() => response.write('.'), 100);
    response.once('close', () => clearInterval(drip));
  },
  stream(response) {
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
    };
    response.on('drain', more);
    more();
  },
};

const CREATED = /"created_utc":"([^"]+)"\}$/;

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text) => {
    body += text;
  });
  request.on('end', () => {
    const made = CREATED.exec(body)?.[1];
    const path = request.url ?? '';
    const seen = late[path] ?? [];
    late[path] = seen;
    seen.push(made === undefined ? Number.NaN : Date.now() - Date.parse(made));
    const answer = answers[path.split('/')[1] ?? ''];
    if (answer) answer(response);
    else response.writeHead(204).end();
  });
  response.on('error', () => undefined);
});

const HEAD_END = Buffer.from('\r\n\r\n');
const ANSWER = 'HTTP/1.1 204 No Content\r\n\r\n';
const LENGTH = /\r\ncontent-length: (\d+)\r\n/i;

/** For rates, on two cores that sender, receiver and PostgreSQL share: it only reads each request and responds. */
const plain = createPlainServer({ noDelay: true }, (socket) => {
  let unread = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
    const end = unread.indexOf(HEAD_END);
    if (end === -1) return;
    const length = Number(LENGTH.exec(unread.toString('latin1', 0, end + 2))?.[1]);
    if (unread.length < end + HEAD_END.length + length) return;
    unread = unread.subarray(end + HEAD_END.length + length);
    socket.write(ANSWER);
  });
  socket.on('error', () => undefined);
});

const listen = async (one: Server): Promise<string> => {
  await new Promise<void>((done) => one.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(one.address() as AddressInfo).port}`;
};

answerParent<Question>(async (question) => {
  if ('take' in question) {
    const taken = late;
    late = {};
    return taken;
  }
  return listen('plain' in question ? plain : server);
});
