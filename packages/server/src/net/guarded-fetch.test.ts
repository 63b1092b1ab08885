import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createGuardedFetch } from './guarded-fetch.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
const open = createGuardedFetch({ allowPrivate: true });

test('sends method, headers and body, and returns status, headers and body', async () => {
  const url = await served((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () =>
      response
        .writeHead(201, { 'x-answer': '42' })
        .end(`${request.method} ${request.headers['x-key']} ${body}`),
    );
  });
  const response = await open(url, { method: 'POST', headers: { 'x-key': 'one' }, body: 'wörd' });
  expect([response.status, response.headers.get('x-answer')]).toEqual([201, '42']);
  expect(await response.text()).toBe('POST one wörd');
});

test('connects neither to a private address nor to a name that resolves to one', async () => {
  let requests = 0;
  const url = await served((_, response) => {
    requests += 1;
    response.end();
  });
  const port = new URL(url).port;
  const guarded = createGuardedFetch({
    allowPrivate: false,
    resolve: (_name, _options, answer) => answer(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  for (const address of [url, `http://[::1]:${port}/`, `http://shop.example:${port}/`])
    await expect(guarded(address)).rejects.toMatchObject({ code: 'FOYER_ADDRESS_REFUSED' });
  expect(requests).toBe(0);
});

test('a redirect is a response like any other', async () => {
  let requests = 0;
  const url = await served((_, response) => {
    requests += 1;
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  const response = await open(url);
  expect([response.status, response.headers.get('location')]).toEqual([307, '/elsewhere']);
  expect(requests).toBe(1);
});

test('an endless response is cut off', async () => {
  const url = await served((_, response) => {
    const piece = Buffer.alloc(1_048_576);
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
      response.once('drain', more);
    };
    more();
  });
  const response = await open(url);
  await expect(response.arrayBuffer()).rejects.toThrow('too large');
});

test('aborting ends the request', async () => {
  const gone = Promise.withResolvers<void>();
  const url = await served((_, response) => {
    response.write('begun');
    response.once('close', gone.resolve);
  });
  const given = new AbortController();
  const response = await open(url, { signal: given.signal });
  given.abort();
  await expect(response.text()).rejects.toThrow();
  await gone.promise;
});
