import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeAgent } from '../../../test/accounts.ts';
import { type Answer, type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { type ModelStub, startModelStub } from '../../../test/model-stub.ts';
import { SELF_SIGNED } from '../../../test/self-signed.ts';

const KEY = 'sk-of-the-site-0123456789';

let operators: ModelStub;
let own: ModelStub;
let app: TestApp;
/** A second process on the same database. */
let beside: TestApp;
let site: TestSite;
let cookie: string;

beforeAll(async () => {
  [operators, own] = await Promise.all([startModelStub(), startModelStub()]);
  const environment = {
    FOYER_AI_BASE_URL: operators.url,
    FOYER_AI_MODEL: 'big',
    FOYER_AI_KEY: 'operators-key',
  };
  app = await startTestApp(environment);
  beside = await startTestApp(environment, {}, { url: app.databaseUrl, close: async () => undefined });
});
afterAll(async () => {
  await beside.close();
  await app.close();
  await Promise.all([operators.close(), own.close()]);
});
beforeEach(async () => {
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  const body = 'You can send anything back within 30 days.';
  await app.rest(site.write, 'POST', '/v1/articles', { title: 'Returns', body, status: 'Published' });
  for (const stub of [operators, own])
    stub.behave({
      kind: 'writes',
      pieces: ['ANSWER\nQUOTE 1: anything back within 30 days\n\nYou have 30 days.'],
      tokens: { input: 5, output: 2 },
    });
});

const call = (operation: string, input: object = {}, at = app): Promise<Answer> =>
  at.desk(cookie, operation, input);
const settings = (more: object = {}) => ({
  provider: 'openai',
  base_url: own.url,
  model: 'small',
  key: KEY,
  ...more,
});
const setup = async (): Promise<Json> => (await call('language_model.get')).body.data;
const tested = async (): Promise<Json> => (await call('language_model.test')).body.data;
/** Which of the models answers now; null for none. */
async function wordedBy(at = app): Promise<string | null> {
  const before = [operators.asked.length, own.asked.length];
  const { body } = await call('bot.try', { question: 'Can I send a lamp back?' }, at);
  if (body.data.by !== 'model') return null;
  if (operators.asked.length > (before[0] ?? 0)) return 'environment';
  return own.asked.length > (before[1] ?? 0) ? 'site' : null;
}

describe('a site’s own language model', () => {
  test('takes precedence over the environment’s, and removing it restores that, in every process', async () => {
    expect(await setup()).toEqual({
      source: 'environment',
      enabled: true,
      environment: { provider: 'openai', model: 'big' },
      own: null,
    });
    expect([await wordedBy(), await wordedBy(beside)]).toEqual(['environment', 'environment']);
    const saved = await call('language_model.set', settings({ base_url: `${own.url}/` }));
    expect(saved.body.data).toMatchObject({
      source: 'site',
      own: { provider: 'openai', base_url: own.url, model: 'small', key_hint: '6789' },
    });
    expect(await wordedBy()).toBe('site');
    await until(async () => (await wordedBy(beside)) === 'site');
    expect(own.asked.at(-1)).toMatchObject({ model: 'small', authorization: `Bearer ${KEY}` });
    expect((await call('bot.get')).body.data.has_model).toBe(true);
    expect((await call('language_model.clear', {}, beside)).body.data).toMatchObject({
      source: 'environment',
      own: null,
    });
    expect(await wordedBy(beside)).toBe('environment');
    await until(async () => (await wordedBy()) === 'environment');
  });

  test('affects no other site', async () => {
    await call('language_model.set', settings());
    const other = await app.makeSite();
    const theirs = await app.signIn(other.admin.email);
    const { body } = await app.desk(theirs, 'language_model.get');
    expect(body.data).toMatchObject({ source: 'environment', own: null });
    await app.desk(theirs, 'language_model.clear');
    expect(await wordedBy()).toBe('site');
  });

  test('is off in every process as soon as an admin switches it off, and keeps its settings', async () => {
    await call('language_model.set', settings());
    expect(await wordedBy(beside)).toBe('site');
    expect((await call('language_model.switch', { enabled: false })).body.data).toMatchObject({
      source: null,
      enabled: false,
      own: { model: 'small' },
    });
    expect(await wordedBy()).toBeNull();
    await until(async () => (await wordedBy(beside)) === null);
    expect((await call('bot.get')).body.data.has_model).toBe(false);
    expect(await tested()).toEqual({ problem: 'no_model', detail: null, duration_ms: 0 });
    // Without settings of its own it stays off: it doesn't fall back to the environment's model.
    expect((await call('language_model.clear')).body.data).toMatchObject({
      source: null,
      enabled: false,
      own: null,
    });
    expect(await wordedBy()).toBeNull();
    await call('language_model.switch', { enabled: true });
    expect(await wordedBy()).toBe('environment');
  });

  test('its key is in no response, no log and no archive, and in the database only encrypted', async () => {
    await call('language_model.set', settings());
    const answers = [await call('language_model.get'), await call('audit.list'), await call('bot.get')];
    for (const { body } of answers) expect(JSON.stringify(body)).not.toContain(KEY);
    const [entry] = answers[1]?.body.data ?? [];
    expect(entry).toMatchObject({
      action: 'language_model.set',
      subject: 'language_model',
      changes: { model: [null, 'small'], key_hint: [null, '6789'], provider: [null, 'openai'] },
    });
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(m)::text || encode(key_cipher, 'escape') as row from language_models m
      where site_id = ${site.site.id}`.execute(app.app.database.db);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(KEY);
  });

  test('its key is kept if it is omitted, but never sent to another server', async () => {
    await call('language_model.set', settings());
    const kept = await call('language_model.set', settings({ key: undefined, model: 'other' }));
    expect(kept.body.data.own).toMatchObject({ model: 'other', key_hint: '6789' });
    await wordedBy();
    expect(own.asked.at(-1)).toMatchObject({ model: 'other', authorization: `Bearer ${KEY}` });
    for (const moved of [{ base_url: operators.url }, { provider: 'anthropic' }]) {
      const { status, body } = await call('language_model.set', settings({ key: undefined, ...moved }));
      expect([status, body.error.reason]).toEqual([409, 'model_key_again']);
    }
    expect(await wordedBy()).toBe('site');
    expect((await call('language_model.set', settings({ key: null }))).body.data.own.key_hint).toBeNull();
    await wordedBy();
    expect(own.asked.at(-1)?.authorization).toBeUndefined();
  });

  test.each<[string, object, string]>([
    ['no address', { base_url: null }, 'base_url'],
    ['an address that is none', { base_url: 'api.openai.com' }, 'base_url'],
    ['another scheme', { base_url: 'file:///etc/passwd' }, 'base_url'],
    ['credentials in the address', { base_url: 'https://ann:secret@example.com/v1' }, 'base_url'],
    ['a query in the address', { base_url: 'https://example.com/v1?key=secret' }, 'base_url'],
    ['Anthropic without a key', { provider: 'anthropic', base_url: null, key: null }, 'key'],
    ['a key of two lines', { key: 'sk-one\r\nx-other: 1' }, 'key'],
  ])('is refused with %s, and the stored settings stay', async (_, bad, path) => {
    await call('language_model.set', settings());
    const { status, body } = await call('language_model.set', settings(bad));
    expect([status, body.error.issues[0].path]).toEqual([400, path]);
    expect(await wordedBy()).toBe('site');
  });

  test('is for admins only', async () => {
    await makeAgent(site.operator, {
      email: `b${site.site.id}@example.com`,
      name: 'Ben',
      role: 'agent',
    });
    const ben = await app.signIn(`b${site.site.id}@example.com`);
    for (const [name, input] of [
      ['get', {}],
      ['set', settings()],
      ['clear', {}],
      ['switch', { enabled: false }],
      ['test', {}],
    ] as const)
      expect((await app.desk(ben, `language_model.${name}`, input)).status).toBe(403);
  });

  test('is no longer asked if its key can’t be decrypted, and the test says why', async () => {
    await call('language_model.set', settings());
    await sql`update language_models set key_cipher = '\\x00' where site_id = ${site.site.id}`.execute(
      app.app.database.db,
    );
    // Any change of the site makes processes read it again.
    await call('bot.update', { tone: 'Warm' });
    expect(await wordedBy()).toBeNull();
    expect(await tested()).toMatchObject({ problem: 'key_unreadable' });
  });
});

describe('where private addresses are not allowed', () => {
  let guarded: TestApp;
  beforeAll(async () => {
    guarded = await startTestApp(
      { FOYER_WEBHOOK_ALLOW_PRIVATE: 'false' },
      {},
      {
        url: app.databaseUrl,
        close: async () => undefined,
      },
    );
  });
  afterAll(() => guarded.close());

  test.each([
    'http://127.0.0.1:11434/v1',
    'http://169.254.169.254/v1',
    'https://localhost/v1',
    'http://api.example.com/v1',
  ])('%s is refused', async (base_url) => {
    const { status, body } = await call('language_model.set', settings({ base_url }), guarded);
    expect([status, body.error.issues[0].path]).toEqual([400, 'base_url']);
  });

  test('one stored when they were allowed is not called', async () => {
    await call('language_model.set', settings());
    const before = own.asked.length;
    expect((await call('language_model.test', {}, guarded)).body.data).toMatchObject({
      problem: 'name_not_public',
    });
    expect(await wordedBy(guarded)).toBeNull();
    expect(own.asked.length).toBe(before);
  });
});

describe('a test', () => {
  const listening = (server: Server): Promise<number> =>
    new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });

  test.each(['openai', 'anthropic'] as const)(
    'of a model that speaks as %s asks once and counts tokens',
    async (provider) => {
      await call('language_model.set', settings({ provider }));
      const before = own.asked.length;
      expect(await tested()).toEqual({ problem: null, detail: null, duration_ms: expect.any(Number) });
      expect(own.asked.length).toBe(before + 1);
      expect((await app.rest(site.read, 'GET', '/v1/usage')).body.data.bot_tokens).toBeGreaterThan(0);
    },
  );

  test('passes a model that writes more than was asked for', async () => {
    await call('language_model.set', settings());
    own.behave({ kind: 'writes', pieces: Array.from({ length: 300 }, () => 'ready ') });
    expect(await tested()).toMatchObject({ problem: null });
  });

  const says = (message: string) => JSON.stringify({ error: { message, type: 'x' } });
  test.each<[string, number, string, string | null]>([
    ['unauthorized', 401, says('Incorrect API key provided'), 'Incorrect API key provided'],
    ['unauthorized', 403, says(`The key ${KEY} may not`), 'The key … may not'],
    ['unknown_model', 404, says('The model `small` does not exist'), 'The model `small` does not exist'],
    ['unknown_model', 404, says('model: small'), 'model: small'],
    ['unknown_model', 400, JSON.stringify({ error: 'model "small" not found' }), 'model "small" not found'],
    ['not_found', 404, '<html>Not here</html>', null],
    ['redirect', 302, '', null],
    ['rate_limited', 429, says('You exceeded your current quota'), 'You exceeded your current quota'],
    ['rejected', 422, says('max_tokens is not supported'), 'max_tokens is not supported'],
    ['provider_failed', 503, 'oops', null],
  ])('names %s for %i', async (problem, status, body, detail) => {
    await call('language_model.set', settings());
    own.behave({ kind: 'refuses', status, body });
    expect(await tested()).toMatchObject({ problem, detail });
  });

  test('reports a page that is no API, and a broken connection', async () => {
    await call('language_model.set', settings());
    own.behave({ kind: 'babbles', body: '<html><body>Welcome</body></html>' });
    expect(await tested()).toMatchObject({ problem: 'not_an_api' });
    own.behave({ kind: 'breaks', pieces: ['Hal'] });
    expect(await tested()).toMatchObject({ problem: 'cut' });
  });

  test('reports an unreachable server, an unknown name, and a server that doesn’t speak TLS', async () => {
    const gone = createServer();
    const port = await listening(gone);
    gone.close();
    for (const [base_url, problem] of [
      [`http://127.0.0.1:${port}/v1`, 'refused'],
      ['http://nobody.invalid/v1', 'name_unknown'],
      [own.url.replace('http:', 'https:'), 'no_tls'],
    ]) {
      await call('language_model.set', settings({ base_url }));
      expect(await tested()).toMatchObject({ problem, detail: null });
    }
  });

  test('reports an untrusted certificate', async () => {
    const server = createTlsServer(SELF_SIGNED);
    const base_url = `https://127.0.0.1:${await listening(server)}/v1`;
    await call('language_model.set', settings({ base_url }));
    expect(await tested()).toMatchObject({ problem: 'certificate_self_signed' });
    server.close();
  });

  test('of the environment’s model names the problem, but not the provider’s message', async () => {
    operators.behave({ kind: 'refuses', status: 401, body: says('key operators-key of account Acme') });
    expect(await tested()).toEqual({
      problem: 'unauthorized',
      detail: null,
      duration_ms: expect.any(Number),
    });
  });
});
