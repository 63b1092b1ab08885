import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MCP_INSTRUCTIONS } from '../src/http/mcp/instructions.ts';
import { type Answer, startTestApp, type TestApp, type TestSite } from './app.ts';
import { connectMcp, ERAS } from './mcp-client.ts';

let app: TestApp;
let own: TestSite;

beforeAll(async () => {
  app = await startTestApp({ FOYER_MCP_ORIGINS: 'https://inspector.example.com' });
  own = await app.makeSite();
});
afterAll(() => app.close());

const ACCEPT = { accept: 'application/json, text/event-stream' };
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** Posts one message, valid or not. */
const post = (
  token: string | undefined,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> => app.rest(token, 'POST', '/mcp', body, { ...ACCEPT, ...headers });

const callOf = (name: string, input: unknown = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: input },
});

/** Sends a request with any `Host`, which `fetch` can't. */
function sendFrom(
  headers: Record<string, string>,
  method = 'POST',
  to = app,
): Promise<{ status: number; headers: http.IncomingHttpHeaders; body: string }> {
  const { port } = to.app.server.server.address() as AddressInfo;
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    headers: http.IncomingHttpHeaders;
    body: string;
  }>();
  const request = http.request({ port, host: '127.0.0.1', path: '/mcp', method, headers }, (response) => {
    let body = '';
    response.setEncoding('utf8').on('data', (part) => {
      body += part;
    });
    response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
  });
  request.on('error', reject).end(method === 'POST' ? JSON.stringify(LIST) : undefined);
  return promise;
}

function expectRefusal(answer: Answer, status: number, code: string, rpcCode = -32_000): void {
  expect(answer.body, JSON.stringify(answer.body)).toMatchObject({
    jsonrpc: '2.0',
    id: null,
    error: {
      code: rpcCode,
      message: expect.any(String),
      data: { code, request_id: answer.headers.get('x-service-request-id') },
    },
  });
  expect(answer.status).toBe(status);
}

describe.each(ERAS)('a client (%s)', (era) => {
  it('gets the server’s name and instructions, and needs no session', async () => {
    const desk = await connectMcp(app.url, own.read, era);
    expect(desk.client.getServerVersion()).toMatchObject({ name: 'foyer', title: 'Foyer' });
    expect(desk.client.getServerCapabilities()).toEqual({ tools: {} });
    expect(desk.client.getInstructions()).toBe(MCP_INSTRUCTIONS);
    expect((await desk.call('whoami')).data).toMatchObject({ site_id: own.site.id, scopes: ['read'] });
    await desk.close();
  });

  it('gets a protocol error for an unknown tool', async () => {
    const desk = await connectMcp(app.url, own.write, era);
    for (const name of ['nope', 'tags.create', '__proto__', 'constructor', 'x'.repeat(10_000)])
      await expect(desk.client.callTool({ name, arguments: {} })).rejects.toMatchObject({ code: -32_602 });
    await desk.close();
  });

  it('is refused without a valid token', async () => {
    for (const token of ['', `foy_${'A'.repeat(43)}`])
      await expect(connectMcp(app.url, token, era)).rejects.toThrow();
  });

  it('may call many tools at once, each with its own response and request id', async () => {
    const desk = await connectMcp(app.url, own.write, era);
    const name = `parallel ${randomUUID()}`;
    const answers = await Promise.all(Array.from({ length: 12 }, () => desk.call('create_tag', { name })));
    expect(answers.filter(({ isError }) => !isError)).toHaveLength(1);
    const codes = answers.filter(({ isError }) => isError).map(({ data }) => data.code);
    expect(new Set(codes)).toEqual(new Set(['conflict']));
    expect(new Set(answers.map(({ requestId }) => requestId)).size).toBe(answers.length);
    await desk.close();
  });
});

describe('the MCP door', () => {
  it('checks the token first, whatever is sent', async () => {
    for (const method of ['GET', 'POST', 'DELETE', 'PUT']) {
      const answer = await app.rest(undefined, method, '/mcp', method === 'GET' ? undefined : '[');
      expectRefusal(answer, 401, 'unauthorized');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('has neither streams nor sessions', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
      const answer = await app.rest(own.read, method, '/mcp', undefined, ACCEPT);
      expectRefusal(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
    }
    const listed = await post(own.read, LIST);
    expect(listed.headers.get('mcp-session-id')).toBeNull();
    expect(listed.headers.get('content-type')).toContain('application/json');
    const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { notifications: {} } };
    expect((await post(own.read, listen)).body.error).toBeDefined();
  });

  it('has the same headers as REST', async () => {
    const answer = await post(own.read, LIST);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-service-request-id')).toMatch(/^req_/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('ratelimit-limit')).toBe('600');
    const called = await post(own.read, callOf('whoami'));
    expect(called.body.result.structuredContent.request_id).toBe(called.headers.get('x-service-request-id'));
  });

  it.each([
    ['text that is no JSON', '{"jsonrpc":', 400, 'invalid_json', -32_700],
    ['nothing', '', 400, 'invalid_json', -32_700],
    [
      'a prototype',
      '{"jsonrpc":"2.0","id":1,"method":"tools/list","__proto__":{}}',
      400,
      'invalid_json',
      -32_700,
    ],
    ['brackets without end', '['.repeat(500_000), 400, 'invalid_json', -32_700],
    ['a batch', JSON.stringify([LIST, LIST]), 400, 'invalid_input', -32_600],
    ['no object', '"tools/list"', 400, 'invalid_input', -32_600],
    ['more than 1 MiB', `{"a":"${'x'.repeat(1024 * 1024)}"}`, 413, 'payload_too_large', -32_000],
  ])('refuses a body of %s', async (_what, body, status, code, rpcCode) => {
    expectRefusal(await post(own.write, body), status, code, rpcCode);
  });

  it('refuses other types, and parameters in the address', async () => {
    expectRefusal(
      await post(own.write, '{}', { 'content-type': 'text/plain' }),
      415,
      'unsupported_media_type',
    );
    const odd = await app.rest(own.write, 'POST', '/mcp?odd=1', LIST, ACCEPT);
    expectRefusal(odd, 400, 'invalid_input', -32_600);
  });

  it('accepts a token in the address as REST does, unless that is turned off', async () => {
    expect((await app.rest(undefined, 'POST', `/mcp?token=${own.read}`, LIST, ACCEPT)).status).toBe(200);
    const strict = await startTestApp({ FOYER_QUERY_TOKEN: 'false' });
    const { read } = await strict.makeSite();
    expectRefusal(
      await strict.rest(undefined, 'POST', `/mcp?token=${read}`, LIST, ACCEPT),
      401,
      'unauthorized',
    );
    await strict.close();
  });

  it('answers anything that is no call with a protocol error, never an internal one', async () => {
    for (const message of [
      {},
      { jsonrpc: '1.0', id: 1, method: 'tools/list' },
      { jsonrpc: '2.0', id: 1, method: 'nope' },
      { jsonrpc: '2.0', id: {}, method: 'tools/list' },
      { jsonrpc: '2.0', id: 1, method: 'tools/call' },
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 7 } },
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'create_tag', arguments: [] } },
      { jsonrpc: '2.0', id: 1, result: {} },
    ]) {
      const answer = await post(own.write, message);
      expect(answer.status, JSON.stringify(message)).toBeLessThan(500);
      if (answer.status !== 202) expect(answer.body.error.code, JSON.stringify(answer.body)).toBeLessThan(0);
    }
  });

  it('reports an internal error only by its request id', async () => {
    const broken = await startTestApp();
    const { read } = await broken.makeSite();
    await sql`alter table tags rename to gone`.execute(broken.app.database.db);
    const answer = await broken.rest(read, 'POST', '/mcp', callOf('list_tags'), ACCEPT);
    const { isError, content } = answer.body.result;
    expect(isError).toBe(true);
    expect(JSON.parse(content[0].text).error).toEqual({
      code: 'internal',
      message: expect.not.stringContaining('tags'),
      request_id: answer.headers.get('x-service-request-id'),
    });
    await broken.close();
  });
});

describe('a token’s bucket', () => {
  it('is shared by both entry points, and so is its count', async () => {
    const { read } = await app.makeSite('free');
    for (let asked = 0; asked < 30; asked += 1) await app.rest(read, 'GET', '/v1/whoami');
    for (let asked = 0; asked < 29; asked += 1) await post(read, LIST);
    const last = await post(read, callOf('whoami'));
    expect(last.headers.get('ratelimit-remaining')).toBe('0');
    expect(last.body.result.structuredContent.data.request_count).toBe(60);
    const over = await post(read, LIST);
    expectRefusal(over, 429, 'rate_limited');
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await app.rest(read, 'GET', '/v1/whoami')).status).toBe(429);
    // The bucket is checked before the method and the body.
    expectRefusal(await app.rest(read, 'GET', '/mcp'), 429, 'rate_limited');
    await expect(connectMcp(app.url, read)).rejects.toThrow();
  });

  it('refuses the official client with its status', async () => {
    const { read } = await app.makeSite('free');
    const client = new Client({ name: 'tests', version: '1.0.0' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), {
        authProvider: { token: async () => read },
      }),
    );
    for (let asked = 0; asked < 60; asked += 1) await app.rest(read, 'GET', '/v1/whoami');
    const refused = await client.callTool({ name: 'whoami' }).catch((error) => error);
    expect(refused).toBeInstanceOf(SdkHttpError);
    expect(String(refused.message)).toContain('rate_limited');
    await client.close();
  });
});

describe('the check of Host and Origin', () => {
  const authorized = () => ({
    ...ACCEPT,
    authorization: `Bearer ${own.read}`,
    'content-type': 'application/json',
  });

  it.each(['localhost:3000', '127.0.0.1', '[::1]:80', 'LOCALHOST'])('accepts the host %s', async (host) => {
    expect((await sendFrom({ ...authorized(), host })).status).toBe(200);
  });

  it.each([
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'a@localhost',
    '169.254.169.254',
  ])('refuses the host "%s", even with a token', async (host) => {
    const { status, body } = await sendFrom({ ...authorized(), host });
    expect([status, JSON.parse(body).error?.data?.code]).toEqual([403, 'insufficient_scope']);
  });

  it('accepts the host of the base URL', async () => {
    const shop = await startTestApp({ FOYER_BASE_URL: 'https://help.example.com/desk' });
    const { read } = await shop.makeSite();
    const headers = { ...authorized(), authorization: `Bearer ${read}` };
    expect((await sendFrom({ ...headers, host: 'help.example.com' }, 'POST', shop)).status).toBe(200);
    expect((await sendFrom({ ...headers, host: 'other.example.com' }, 'POST', shop)).status).toBe(403);
    const origin = 'https://help.example.com';
    expect((await sendFrom({ ...headers, host: 'help.example.com', origin }, 'POST', shop)).status).toBe(200);
    await shop.close();
  });

  it.each([
    'https://evil.example',
    'null',
    'http://localhost:1',
    'https://inspector.example.com.evil.example',
    'x',
  ])('refuses the origin %s before it looks at the token', async (origin) => {
    for (const method of ['POST', 'GET', 'OPTIONS']) {
      const { status, headers } = await sendFrom({ host: 'localhost', origin }, method);
      expect(status).toBe(403);
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('accepts Foyer’s own and listed origins, and lets them read the response', async () => {
    for (const origin of [app.url, 'https://inspector.example.com']) {
      const answer = await post(own.read, LIST, { origin });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      expect(answer.headers.get('access-control-expose-headers')).toContain('X-Service-Request-Id');
      const preflight = await app.rest(undefined, 'OPTIONS', '/mcp', undefined, { origin });
      expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
        204,
        'POST',
      ]);
      expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization');
    }
  });
});
