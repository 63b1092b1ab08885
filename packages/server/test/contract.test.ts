import { createHmac, randomUUID } from 'node:crypto';
import { contract } from '@foyer/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnyOperation, Method } from '../src/core/operation.ts';
import { fieldKinds } from '../src/http/rest/rest-input.ts';
import { operations, resources } from '../src/registry.ts';
import { createBrowserToken } from '../src/sites/tokens/api-tokens.ts';
import { makeAgent } from './accounts.ts';
import { type Answer, startTestApp, type TestApp, type TestSite } from './app.ts';
import { examples, makeRecord } from './examples.ts';
import { inputOf as makeInput, callRest as sendOverRest } from './rest-calls.ts';
import { TestSocket } from './sockets.ts';

// Derived from the registry: every operation, even one added later, refuses and responds as the contract says.

let app: TestApp;
let own: TestSite;
let other: TestSite;
let adminCookie: string;
let agentCookie: string;
let browserToken: string;

beforeAll(async () => {
  app = await startTestApp();
  [own, other] = await Promise.all([app.makeSite(), app.makeSite()]);
  const email = `agent-${randomUUID()}@example.com`;
  await makeAgent(own.operator, { email, name: 'Ben', role: 'agent' });
  [adminCookie, agentCookie] = await Promise.all([app.signIn(own.admin.email), app.signIn(email)]);
  browserToken = (await createBrowserToken(own.operator, { name: 'page', allowed_origins: [] })).token;
});
afterAll(() => app.close());

/** Each test makes some ten requests; a token may make 600 a minute. */
const TESTS_A_TOKEN = 40;
let tests = 0;
beforeEach(async () => {
  if (++tests % TESTS_A_TOKEN === 0) await Promise.all([own, other].map(app.renewTokens));
});

const METHODS: Method[] = ['GET', 'POST', 'PATCH', 'DELETE'];
const restOperations = operations.filter(({ rest }) => rest);
const deskOperations = operations.filter(({ who }) => who.includes('agent') || who.includes('admin'));
const visitorOperations = operations.filter(({ who }) => who.includes('visitor'));
const named = (list: readonly AnyOperation[]) =>
  list.map((operation) => [operation.name, operation] as const);

const inputOf = (operation: AnyOperation, owner: TestSite) => makeInput(app, operation, owner);
const callRest = (operation: AnyOperation, token: string | undefined, input: Record<string, unknown>) =>
  sendOverRest(app, operation, token, input);

function expectFailure(answer: Answer, status: number, code: string): void {
  expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ ok: false, error: { code } });
  expect(answer.status).toBe(status);
  expect(Object.keys(answer.body)).toEqual(['ok', 'error']);
  expect(answer.body.error.message).toEqual(expect.any(String));
  expect(answer.body.error.request_id).toBe(answer.headers.get('x-service-request-id'));
}

describe.each(named(restOperations))('REST %s', (_name, operation) => {
  it('responds with the envelope, in the shape of its contract, with the request id in the header', async () => {
    const answer = await callRest(
      operation,
      operation.scope === 'read' ? own.read : own.write,
      await inputOf(operation, own),
    );
    expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ ok: true });
    expect(answer.status).toBe(operation.rest?.creates || operation.rest?.createsWhen ? 201 : 200);
    expect(answer.body.request_id).toMatch(/^req_/);
    expect(answer.body.request_id).toBe(answer.headers.get('x-service-request-id'));
    const { data, page } = answer.body;
    const output = page ? { items: data, ...page } : data;
    expect(contract[operation.name].output.safeParse(output).error?.issues).toBeUndefined();
    expect(answer.headers.get('ratelimit-limit')).toBe('600');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('refuses a missing and an unknown token', async () => {
    const input = examples[operation.name]();
    expectFailure(await callRest(operation, undefined, input), 401, 'unauthorized');
    expectFailure(await callRest(operation, `foy_${'A'.repeat(43)}`, input), 401, 'unauthorized');
  });

  it('refuses unknown fields', async () => {
    const valid = await inputOf(operation, own);
    // Unknown fields of a visitor become attributes, so only a value that no attribute can have is invalid.
    const odd = operation.name === 'visitors.upsert' ? { odd: { deep: true } } : { odd: 'x' };
    const answer = await callRest(operation, own.write, { ...valid, ...odd });
    expectFailure(answer, 400, 'invalid_input');
    // Exactly these fields: the reasons that the desk translates are not public.
    expect(answer.body.error.issues).toEqual([{ path: 'odd', message: expect.any(String) }]);
  });
});

describe.each(named(restOperations.filter(({ scope }) => scope === 'write')))(
  'REST %s',
  (_name, operation) => {
    it('refuses a read token before it validates the input', async () => {
      expectFailure(
        await callRest(operation, own.read, await inputOf(operation, own)),
        403,
        'insufficient_scope',
      );
      expectFailure(await callRest(operation, own.read, { odd: 'x' }), 403, 'insufficient_scope');
    });
  },
);

describe.each(
  named(restOperations.filter(({ rest }) => rest?.method === 'POST' || rest?.method === 'PATCH')),
)('REST %s', (_name, operation) => {
  it.each([
    ['text that is no JSON', '{"a":', 400, 'invalid_json'],
    ['nothing', '', 400, 'invalid_json'],
    ['an array', '[]', 400, 'invalid_input'],
    ['text', '"x"', 400, 'invalid_input'],
    ['null', 'null', 400, 'invalid_input'],
    ['a prototype', '{"__proto__":{"a":1}}', 400, 'invalid_json'],
  ])('refuses a body of %s', async (_what, body, status, code) => {
    const { resource = '', method = 'POST', query = [] } = operation.rest ?? {};
    const path = `/v1/${resource}${query.includes('id') ? '?id=1' : ''}`;
    expectFailure(await app.rest(own.write, method, path, body), status, code);
  });

  it('refuses other types and bodies over 1 MiB', async () => {
    const { resource = '', method = 'POST' } = operation.rest ?? {};
    expectFailure(
      await app.rest(own.write, method, `/v1/${resource}`, '{}', { 'content-type': 'text/plain' }),
      415,
      'unsupported_media_type',
    );
    expectFailure(
      await app.rest(own.write, method, `/v1/${resource}`, `{"a":"${'x'.repeat(1024 * 1024)}"}`),
      413,
      'payload_too_large',
    );
  });
});

const withRecords = restOperations.filter(({ records }) => records);
describe.each(named(withRecords))('REST %s', (_name, operation) => {
  it('shows no difference between another site’s record and none, and leaves it as it is', async () => {
    const [field = '', kind = ''] = Object.entries(operation.records ?? {})[0] ?? [];
    const foreign = await inputOf(operation, other);
    const answer = await callRest(operation, own.write, foreign);
    expectFailure(answer, 404, 'not_found');
    const missing =
      kind === 'session' ? 'ses_AAAAAAAAAAAAAAAAAAAAAA' : kind === 'visitor' ? 'user_nobody' : 2 ** 53 - 1;
    const never = await callRest(operation, own.write, { ...foreign, [field]: missing });
    expectFailure(never, 404, 'not_found');
    expect(answer.body.error.message).toBe(never.body.error.message);
    const theirs = await callRest(operation, other.write, foreign);
    expect(theirs.status, 'its own site still has it').toBeLessThan(300);
  });

  it('refuses invalid ids', async () => {
    const [field = '', kind = ''] = Object.entries(operation.records ?? {})[0] ?? [];
    if (kind === 'visitor') return expect(fieldKinds(operation)[field]).toBe('text');
    const valid: Record<string, unknown> = { ...examples[operation.name]() };
    const inBody = operation.rest?.method === 'POST';
    const bad = inBody
      ? [true, [], {}, '1', 1.5, -1, 0, 2 ** 53, null]
      : ['true', '', 'x', '1 ', '1e0', '01', '+1', '-1', '0', '1.0', '9007199254740992', "1' or '1'='1"];
    for (const value of bad) {
      const answer = await callRest(operation, own.write, { ...valid, [field]: value });
      expect([answer.status, answer.body.error?.code], JSON.stringify(value)).toEqual([400, 'invalid_input']);
    }
  });
});

describe.each([...resources.keys()])('resource %s', (resource) => {
  it('answers an unsupported method with the list of its methods', async () => {
    const has = [...(resources.get(resource)?.keys() ?? [])];
    for (const method of METHODS.filter((one) => !has.includes(one))) {
      const answer = await app.rest(
        own.write,
        method,
        `/v1/api.ashx?resource=${resource}`,
        method === 'GET' ? undefined : {},
      );
      expectFailure(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe([...has, 'OPTIONS'].join(', '));
    }
    const put = await app.rest(own.write, 'PUT', `/v1/${resource}`, {});
    expectFailure(put, 405, 'method_not_allowed');
  });

  it('answers a preflight without a token', async () => {
    const answer = await app.rest(undefined, 'OPTIONS', `/v1/${resource}`);
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-headers')).toContain('Authorization');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });
});

describe('the REST door', () => {
  it('distinguishes a missing resource from an unknown one, after checking the token', async () => {
    expectFailure(await app.rest(undefined, 'GET', '/v1/api.ashx?resource=nope'), 401, 'unauthorized');
    expectFailure(await app.rest(own.read, 'GET', '/v1/api.ashx'), 400, 'invalid_input');
    expectFailure(await app.rest(own.read, 'GET', '/v1/api.ashx?resource=nope'), 404, 'unknown_resource');
    for (const path of ['/v1/nope', '/v1/Tags', '/v1/whoami2', '/v1/a&token=x']) {
      expectFailure(await app.rest(undefined, 'GET', path), 401, 'unauthorized');
      expectFailure(await app.rest(own.read, 'GET', path), 404, 'unknown_resource');
    }
    expectFailure(
      await app.rest(own.read, 'GET', '/v1/api.ashx?resource=tags&resource=tags'),
      400,
      'invalid_input',
    );
    expectFailure(await app.rest(own.read, 'GET', '/v1/tags?resource=tags'), 400, 'invalid_input');
    expectFailure(await app.rest(own.read, 'GET', '/v1/tags?limit=1&limit=2'), 400, 'invalid_input');
  });

  it('accepts the token in the query too; the header takes precedence', async () => {
    expect((await app.rest(undefined, 'GET', `/v1/whoami?token=${own.read}`)).status).toBe(200);
    expectFailure(await app.rest('wrong', 'GET', `/v1/whoami?token=${own.read}`), 401, 'unauthorized');
    expect((await app.rest(own.read, 'GET', '/v1/whoami?token=wrong')).status).toBe(200);
  });

  it.each(['limit=0', 'limit=201', 'limit=x', 'cursor=x', 'order=up'])(
    'refuses a list with %s',
    async (query) => {
      expectFailure(await app.rest(own.read, 'GET', `/v1/tags?${query}`), 400, 'invalid_input');
    },
  );
});

/** With several processes, one asks the others about a visitor's pages; until they answer, the desk has to retry. */
async function settledAnswer({ name }: AnyOperation, input: Record<string, unknown>): Promise<Answer> {
  let answer = await app.desk(adminCookie, name, input);
  const isConnecting = (): boolean => answer.body.error?.reason === 'visitor_connecting';
  await expect
    .poll(async () => {
      if (isConnecting()) answer = await app.desk(adminCookie, name, input);
      return isConnecting();
    })
    .toBe(false);
  return answer;
}

/** Their example's ticket has no message to act on. Tests of their domain cover them. */
const NEED_A_MESSAGE = new Set<string>(['tickets.undo_reply', 'tickets.split', 'tickets.mail_html']);
/** Their example's mailbox has a password instead of a sign-in. */
const NEED_A_PROVIDER = new Set<string>(['mailboxes.begin_sign_in', 'mailboxes.finish_sign_in']);
/** Refused because two sites share the installation's address here. */
const NEED_TO_BE_ALONE = new Set<string>(['public_address.set']);

describe.each(named(deskOperations))('the desk’s %s', (_name, operation) => {
  it('needs a signed-in agent and a page of Foyer’s origin', async () => {
    const unknown = await app.desk('', operation.name, examples[operation.name]());
    expectFailure(unknown, 401, 'unauthorized');
    const response = await fetch(`${app.url}/app/api/${operation.name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: adminCookie, origin: 'https://evil.example' },
      body: '{}',
    });
    expect(response.status).toBe(403);
  });

  it('is for the roles that it names', async () => {
    const answer = await app.desk(agentCookie, operation.name, { odd: 'x' });
    if (operation.who.includes('agent')) expect(answer.body.error?.code).not.toBe('insufficient_scope');
    else expectFailure(answer, 403, 'insufficient_scope');
  });

  it('answers in the shape of its contract and finds nothing of another site', async () => {
    if (operation.records) {
      expectFailure(await settledAnswer(operation, await inputOf(operation, other)), 404, 'not_found');
    }
    const answer = await app.desk(adminCookie, operation.name, await inputOf(operation, own));
    if (NEED_A_MESSAGE.has(operation.name)) return expectFailure(answer, 404, 'not_found');
    if (NEED_A_PROVIDER.has(operation.name) || NEED_TO_BE_ALONE.has(operation.name))
      return expectFailure(answer, 409, 'conflict');
    expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ ok: true });
    const { data, page } = answer.body;
    expect(
      contract[operation.name].output.safeParse(page ? { items: data, ...page } : data).error?.issues,
    ).toBeUndefined();
  });
});

describe.each(named(visitorOperations))('the visitor’s %s', (_name, operation) => {
  it('is not for tokens or agents', async () => {
    const input = examples[operation.name]();
    expectFailure(await app.desk(adminCookie, operation.name, input), 404, 'not_found');
    const agent = await TestSocket.agent(app.url, adminCookie);
    await expect(agent.call(operation.name, input)).rejects.toMatchObject({ code: 'not_found' });
    agent.cut();
  });
});

const chatOperations = visitorOperations.filter(({ records }) => records);
describe.each(named(chatOperations))('the visitor’s %s', (_name, operation) => {
  it('finds no chat of another site', async () => {
    const { socket } = await TestSocket.visitor(app.url, own.publicKey);
    const foreign = { ...examples[operation.name](), session_id: await makeRecord.session(app, other) };
    await expect(socket.call(operation.name, foreign)).rejects.toMatchObject({ code: 'not_found' });
    socket.cut();
  });
});

describe.each(named(restOperations))('a browser token and %s', (_name, operation) => {
  it('is refused everything but what its pages need, before the input is validated', async () => {
    const answer = await callRest(operation, browserToken, { odd: 'x' });
    if (operation.who.includes('browser')) expectFailure(answer, 400, 'invalid_input');
    else expectFailure(answer, 403, 'insufficient_scope');
  });
});

describe('a browser token', () => {
  const upsert = (body: object, headers: Record<string, string> = {}, token = browserToken) =>
    app.rest(token, 'POST', '/v1/visitors', body, headers);

  it('may write visitors and events, and nothing else', () => {
    const may = operations.filter(({ who }) => who.includes('browser')).map(({ name }) => name);
    expect(may).toEqual(['visitors.upsert', 'track.create']);
  });

  it('gets the same response for a new and a known visitor: the key alone', async () => {
    const key = await makeRecord.visitor(app, own);
    const [known, unknown] = [await upsert({ key }), await upsert({ key: `${key}_new` })];
    expect([known.status, known.body.data]).toEqual([200, { key }]);
    expect([unknown.status, unknown.body.data]).toEqual([200, { key: `${key}_new` }]);
    const again = { 'idempotency-key': randomUUID() };
    for (const _time of [1, 2]) expect((await upsert({ key }, again)).body.data).toEqual({ key });
  });

  it('changes no email address or name that the site itself has set', async () => {
    const key = `user_${randomUUID()}`;
    await app.rest(own.write, 'POST', '/v1/visitors', { key, email: 'ann@a.example' });
    await upsert({ key, email: 'eve@a.example', name: 'Eve', plan: 'pro' });
    const read = () => app.rest(own.read, 'GET', `/v1/visitors?key=${key}`);
    expect((await read()).body.data).toMatchObject({
      email: 'ann@a.example',
      name: 'Eve',
      attributes: { plan: 'pro' },
    });
    expectFailure(await upsert({ key, previous_key: 'user_2' }), 400, 'invalid_input');
  });

  it('works only on pages of its origins', async () => {
    const { token, id } = (
      await app.desk(adminCookie, 'browser_tokens.create', examples['browser_tokens.create']())
    ).body.data;
    const from = (origin?: string) => upsert({ key: 'anon_1' }, origin ? { origin } : {}, token);
    expect((await from('https://shop.example')).status).toBe(200);
    for (const origin of [undefined, 'null', 'http://shop.example', 'https://shop.example.evil.example']) {
      expectFailure(await from(origin), 403, 'insufficient_scope');
    }
    await app.desk(adminCookie, 'browser_tokens.update', { id, allowed_origins: [] });
    expect((await from()).status).toBe(200);
    await app.desk(adminCookie, 'api_tokens.revoke', { id });
    expectFailure(await from('https://shop.example'), 401, 'unauthorized');
  });

  it('needs the hash for known visitors if the site has an identity secret, and none for anonymous ones', async () => {
    const site = await app.makeSite();
    const cookie = await app.signIn(site.admin.email);
    const token = (await app.desk(cookie, 'browser_tokens.create', { name: 'page' })).body.data.token;
    const { secret } = (await app.desk(cookie, 'identity_secret.rotate')).body.data;
    const user_hash = createHmac('sha256', secret).update('user_1').digest('hex');
    const track = (body: object) => app.rest(token, 'POST', '/v1/track', { name: 'seen', ...body });
    expect((await upsert({ key: 'anon_1', plan: 'pro' }, {}, token)).status).toBe(200);
    for (const body of [
      { key: 'user_1' },
      { key: 'user_1', user_hash: 'f'.repeat(64) },
      { key: 'user_2', user_hash },
    ]) {
      expectFailure(await upsert(body, {}, token), 403, 'insufficient_scope');
      expectFailure(await track(body), 403, 'insufficient_scope');
    }
    const proven = { key: 'user_1', user_hash, email: 'ann@a.example', previous_key: 'anon_1' };
    expect((await upsert(proven, {}, token)).status).toBe(200);
    expect((await track({ key: 'user_1', user_hash })).status).toBe(201);
    expect((await app.rest(site.read, 'GET', '/v1/visitors?key=user_1')).body.data).toMatchObject({
      email: 'ann@a.example',
      attributes: { plan: 'pro' },
      event_count: 1,
    });
  });

  it('opens nothing over MCP', async () => {
    const response = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${browserToken}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(response.status).toBe(403);
  });
});
