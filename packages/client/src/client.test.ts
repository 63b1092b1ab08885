import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { FoyerError } from './errors.ts';
import type { FoyerClient } from './types.ts';

const TOKEN = 'foy_a-secret-that-nobody-may-see';

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Reply = (response: ServerResponse) => void;

let server: Server;
let foyer: FoyerClient;
let baseUrl: string;
let seen: Seen[];
/** The replies to the next requests, one each; the last one also answers all later requests. */
let replies: Reply[];

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify(body));
const success = (data: unknown, page?: object): Reply =>
  json(200, { ok: true, data, request_id: 'req_1', ...(page ? { page } : {}) });
const refusal = (status: number, code: string, headers: Record<string, string> = {}): Reply =>
  json(status, { ok: false, error: { code, message: 'No.', request_id: 'req_2' } }, headers);
const cut: Reply = (response) => void response.socket?.destroy();

beforeEach(async () => {
  seen = [];
  replies = [success({})];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    reply?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  foyer = createClient({ baseUrl: `${baseUrl}/`, token: TOKEN });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const errorOf = async (call: Promise<unknown>): Promise<FoyerError> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof FoyerError)) throw new Error(`not a FoyerError: ${inspect(error)}`);
  return error;
};

describe('a call', () => {
  it('puts the input where the operation wants it, and the token in the header alone', async () => {
    replies = [success({ id: 7 })];
    await foyer.tags.update({ id: 7, name: 'returns', color: null });
    await foyer.tags.delete({ id: 7 });
    await foyer.handoffs.list({ since: '2026-03-01T09:30:00+01:00' });
    expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['PATCH', '/v1/tags?id=7', '{"name":"returns","color":null}'],
      ['DELETE', '/v1/tags?id=7', ''],
      ['GET', '/v1/handoffs?since=2026-03-01T09%3A30%3A00%2B01%3A00', ''],
    ]);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(`Bearer ${TOKEN}`));
    expect(seen[0]?.headers['content-type']).toBe('application/json');
    expect(seen[1]?.headers['content-type']).toBeUndefined();
  });

  it('returns the data, and a list as a page', async () => {
    replies = [success({ site_id: 3 }), success([{ id: 1 }], { limit: 50, next_cursor: 'x' })];
    expect(await foyer.whoami.get()).toEqual({ site_id: 3 });
    expect(await foyer.tags.list()).toEqual({ items: [{ id: 1 }], nextCursor: 'x' });
  });

  it('reads a list to its end, page after page', async () => {
    replies = [
      success([{ id: 3 }, { id: 2 }], { limit: 200, next_cursor: 'a b' }),
      success([{ id: 1 }], { limit: 200, next_cursor: null }),
    ];
    const ids: number[] = [];
    for await (const { id } of foyer.tags.all({ order: 'desc' })) ids.push(id);
    expect(ids).toEqual([3, 2, 1]);
    expect(seen.map(({ url }) => url)).toEqual([
      '/v1/tags?limit=200&order=desc',
      '/v1/tags?limit=200&order=desc&cursor=a+b',
    ]);
  });

  it('leaves out what is undefined', async () => {
    const since: string | undefined = undefined;
    await foyer.feedback.list({ limit: 2, ...(since ? { since } : {}) });
    expect(seen[0]?.url).toBe('/v1/feedback?limit=2');
  });
});

describe('a failure', () => {
  it('has the code, message and details of the server’s error', async () => {
    const issues = [{ path: 'name', message: 'must not be empty' }];
    const error = { code: 'invalid_input', message: 'name: must not be empty', request_id: 'req_9', issues };
    replies = [json(400, { ok: false, error })];
    expect(await errorOf(foyer.tags.create({ name: '' }))).toMatchObject({
      name: 'FoyerError',
      code: 'invalid_input',
      status: 400,
      requestId: 'req_9',
      issues,
      message: 'name: must not be empty',
    });
    expect(seen).toHaveLength(1);
  });

  it.each(['<html>Hello</html>', '"text"', '[]', '{"ok":false}', ''])(
    'is unreadable when the response is %j',
    async (text) => {
      replies = [(response) => void response.writeHead(200, { 'X-Service-Request-Id': 'req_7' }).end(text)];
      expect(await errorOf(foyer.whoami.get())).toMatchObject({
        code: 'unreadable',
        status: 200,
        requestId: 'req_7',
      });
    },
  );

  it('does not follow a redirect with the token', async () => {
    replies = [(response) => void response.writeHead(302, { Location: `${baseUrl}/elsewhere` }).end()];
    expect((await errorOf(foyer.whoami.get({}, { retries: 0 }))).code).toBe('network');
    expect(seen).toHaveLength(1);
  });

  it('shows the token nowhere', async () => {
    replies = [cut];
    const error = await errorOf(foyer.whoami.get({}, { retries: 0 }));
    const shown = [
      inspect(error, { depth: 9 }),
      JSON.stringify(error),
      error.stack,
      inspect(foyer, { depth: 9 }),
    ];
    expect(shown.join('\n')).not.toContain(TOKEN);
  });

  it.each(['', 'chat.example.com', 'ftp://chat.example.com'])('refuses the address %j at once', (address) => {
    expect(() => createClient({ baseUrl: address, token: TOKEN })).toThrow(TypeError);
  });

  it.each(['', 'two\nlines', 'with space'])('refuses the token %j at once, without repeating it', (token) => {
    expect(() => createClient({ baseUrl, token })).toThrow('token must be an API token (foy_…)');
  });
});

describe('a retry', () => {
  it('waits as long as a rate limit asks for, whatever the method', async () => {
    replies = [refusal(429, 'rate_limited', { 'Retry-After': '1' }), success({ id: 7, deleted: true })];
    const from = performance.now();
    await foyer.tags.delete({ id: 7 });
    expect(performance.now() - from).toBeGreaterThanOrEqual(990);
    expect(seen).toHaveLength(2);
  });

  it('repeats a POST under the key of the first try', async () => {
    replies = [cut, refusal(503, 'unavailable'), success({ id: 1 })];
    await foyer.tags.create({ name: 'returns' });
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    await foyer.tags.create({ name: 'returns' });
    expect(seen[3]?.headers['idempotency-key']).not.toBe(keys[0]);
    await foyer.tags.create({ name: 'returns' }, { idempotencyKey: 'mine' });
    expect(seen[4]?.headers['idempotency-key']).toBe('mine');
  });

  it('follows an error page of a proxy whose server is down', async () => {
    replies = [
      (response) => void response.writeHead(502).end('<h1>Bad Gateway</h1>'),
      success({ site_id: 3 }),
    ];
    expect(await foyer.whoami.get()).toEqual({ site_id: 3 });
  });

  it.each([
    ['a PATCH that was cut off', cut, 'network', () => foyer.tags.update({ id: 1, name: 'x' })],
    ['a DELETE that was cut off', cut, 'network', () => foyer.tags.delete({ id: 1 })],
    ['a fault of the server', refusal(500, 'internal'), 'internal', () => foyer.whoami.get()],
    ['a conflict', refusal(409, 'conflict'), 'conflict', () => foyer.tags.create({ name: 'x' })],
    [
      'a server that wants hours',
      refusal(503, 'unavailable', { 'Retry-After': '7200' }),
      'unavailable',
      () => foyer.whoami.get(),
    ],
  ])('does not follow %s', async (_what, reply, code, call) => {
    replies = [reply];
    expect((await errorOf(call())).code).toBe(code);
    expect(seen).toHaveLength(1);
  });

  it('is not repeated beyond the allowed number, and the call fails with the last error', async () => {
    replies = [refusal(503, 'unavailable', { 'Retry-After': '0' })];
    const error = await errorOf(foyer.whoami.get({}, { retries: 1 }));
    expect(error).toMatchObject({ code: 'unavailable', status: 503, retryAfter: 0 });
    expect(seen).toHaveLength(2);
  });
});

describe('the end of a call', () => {
  it('is a timeout if a try takes too long', async () => {
    replies = [() => undefined];
    const error = await errorOf(foyer.whoami.get({}, { timeoutMs: 50, retries: 0 }));
    expect(error).toMatchObject({ code: 'timeout', status: 0 });
  });

  it('is the reason of the caller’s signal, during a try and between two', async () => {
    const stop = new AbortController();
    replies = [() => stop.abort(new Error('gone'))];
    await expect(foyer.whoami.get({}, { signal: stop.signal })).rejects.toThrow('gone');
    await expect(foyer.whoami.get({}, { signal: stop.signal })).rejects.toThrow('gone');
    expect(seen).toHaveLength(1);

    const pause = new AbortController();
    replies = [
      (response) => {
        response.on('finish', () => setImmediate(() => pause.abort(new Error('enough'))));
        refusal(429, 'rate_limited', { 'Retry-After': '60' })(response);
      },
    ];
    await expect(foyer.whoami.get({}, { signal: pause.signal })).rejects.toThrow('enough');
  });
});

describe('the package', () => {
  it('imports nothing at run time but its own files', () => {
    const folder = new URL('./', import.meta.url);
    const sources = readdirSync(folder).filter((file) => !file.endsWith('.test.ts'));
    for (const file of sources) {
      const text = readFileSync(new URL(file, folder), 'utf8');
      const imports = [...text.matchAll(/^(?:import|export) .*from '([^']+)'/gm)];
      for (const [line, from = ''] of imports) {
        if (!from.startsWith('./')) expect(line, file).toMatch(/^import type /);
      }
    }
  });
});
