import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from './child.ts';

/** The receivers of `webhooks.ts`: `/ok` is quick, `/hang`, `/drip` and `/stream` are what their names say. */
type Question = { listen: true } | { take: true };

/** When a request came after its event was made, in milliseconds, of each path. */
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

answerParent<Question>(async (question) => {
  if ('take' in question) {
    const taken = late;
    late = {};
    return taken;
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
