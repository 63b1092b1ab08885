import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { contract } from '@foyer/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeApi } from '../src/http/openapi/document.ts';
import { RESOURCE_SUMMARIES } from '../src/http/openapi/resource-summaries.ts';
import type { HttpMethod, OpenApiDocument, Parameter } from '../src/http/openapi/types.ts';
import { operations, resources } from '../src/registry.ts';
import { startTestApp, type TestApp, type TestSite } from './app.ts';
import { AnswerCheck } from './openapi-check.ts';
import { callRest, inputOf } from './rest-calls.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

let app: TestApp;
let site: TestSite;
let document: OpenApiDocument;
let check: AnswerCheck;

beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  document = (await app.rest(undefined, 'GET', '/v1/openapi.json')).body;
  check = new AnswerCheck(document);
});
afterAll(() => app.close());

const restOperations = operations.flatMap((operation) =>
  operation.rest ? [[operation.name, operation, operation.rest] as const] : [],
);
const METHODS = { GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const;
const described = (resource: string, method: HttpMethod) => {
  const operation = document.paths[`/v1/${resource}`]?.[method];
  if (!operation) throw new Error(`${method} ${resource} is not described`);
  return operation;
};

describe('the OpenAPI description', () => {
  it('is valid, without a warning, by the linter', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'foyer-openapi-'));
    const file = join(folder, 'openapi.json');
    // The linter warns about addresses of this machine, which a test has.
    const api = describeApi({ baseUrl: 'https://chat.example.org', version: '1.0.0', queryToken: true });
    await writeFile(file, JSON.stringify(api));
    const linter = join(ROOT, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
    const { stdout } = await run(
      process.execPath,
      [linter, 'lint', '--format=json', `--config=${join(ROOT, 'redocly.yaml')}`, file],
      { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
    ).catch((failed: { stdout: string }) => failed);
    await rm(folder, { recursive: true });
    const { totals, problems } = JSON.parse(stdout);
    expect(problems).toEqual([]);
    expect(totals).toMatchObject({ errors: 0, warnings: 0 });
  });

  it('has every resource with its methods, and no other', () => {
    const paths = Object.entries(document.paths).map(([path, item]) => [path, Object.keys(item)]);
    const built = [...resources].map(([name, methods]) => [
      `/v1/${name}`,
      [...methods.keys()].map((method) => METHODS[method]),
    ]);
    expect(Object.fromEntries(paths)).toEqual(Object.fromEntries(built));
    expect(document.tags.map(({ name }) => name)).toEqual([...resources.keys()]);
  });

  it('describes each resource', () => {
    expect(Object.keys(RESOURCE_SUMMARIES).sort()).toEqual([...resources.keys()].sort());
  });

  it('names this server, and the token in the query only if it is accepted', () => {
    expect(document.servers).toEqual([
      { url: expect.stringMatching(/^http:\/\//), description: 'This Foyer' },
    ]);
    const without = describeApi({ baseUrl: app.url, version: '1', queryToken: false });
    expect(Object.keys(document.components.securitySchemes)).toEqual(['token', 'queryToken']);
    expect(Object.keys(without.components.securitySchemes)).toEqual(['token']);
  });

  it('reveals nothing of the token, the machine or the desk', () => {
    expect(JSON.stringify(document)).not.toMatch(/__shared|packages\/|\/app\/|two_factor/);
  });
});

describe('a response that names a missing record', () => {
  it.each([
    'visitors?key=nobody',
    'articles?id=1',
    'tickets?id=1',
    'transcripts?sessionId=ses_AAAAAAAAAAAAAAAAAAAAAA',
  ])('is described: GET /v1/%s', async (call) => {
    const { status, body } = await app.rest(site.read, 'GET', `/v1/${call}`);
    expect(status).toBe(404);
    expect(check.problems('GET', call.split('?')[0] ?? '', status, body)).toEqual([]);
  });
});

describe('GET /v1/openapi.json', () => {
  const get = (headers: Record<string, string> = {}) => fetch(`${app.url}/v1/openapi.json`, { headers });

  it('is public, from any origin', async () => {
    const answer = await get({ origin: 'https://elsewhere.example' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('x-service-request-id')).toMatch(/^req_/);
  });

  it('is not sent again to a client that has it', async () => {
    const first = await get({ 'accept-encoding': 'gzip' });
    const etag = first.headers.get('etag') ?? '';
    const again = await get({ 'accept-encoding': 'gzip', 'if-none-match': `"other", ${etag}` });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const plain = await get({ 'accept-encoding': 'identity', 'if-none-match': etag });
    expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null]);
    expect((await get({ 'accept-encoding': 'gzip;q=0' })).headers.get('content-encoding')).toBeNull();
  });
});

describe.each(restOperations)('%s', (name, operation, rest) => {
  it('is called as described', async () => {
    const { parameters, requestBody, description } = described(rest.resource, METHODS[rest.method]);
    expect(description).toContain(`\`${rest.method} /v1/api.ashx?resource=${rest.resource}\``);
    const inQuery = parameters.filter((one): one is Parameter => 'name' in one && one.in === 'query');
    const hasBody = rest.method === 'POST' || rest.method === 'PATCH';
    expect(requestBody !== undefined).toBe(hasBody);
    if (hasBody) expect(inQuery.map((one) => one.name)).toEqual([...(rest.query ?? [])]);
  });

  it('shows a request that its schema accepts', () => {
    const { requestBody, parameters } = described(rest.resource, METHODS[rest.method]);
    const body = requestBody?.content['application/json'].example ?? {};
    const query = parameters.flatMap((one) => ('name' in one && one.required ? [[one.name, one]] : []));
    const sample = Object.fromEntries(query.map(([field]) => [field, field === 'key' ? 'user_42' : 42]));
    const sessions = Object.fromEntries(
      ['sessionId', 'session_id']
        .filter((field) => field in sample)
        .map((field) => [field, 'ses_9oXOgXH06lN9TMRgxSir7g']),
    );
    const parsed = contract[name].input.safeParse({ ...sample, ...sessions, ...Object(body) });
    expect(parsed.error?.issues).toBeUndefined();
  });

  it('answers as described, both for success and for errors', async () => {
    const input = await inputOf(app, operation, site);
    const answers = [
      await callRest(app, operation, site.write, input),
      await callRest(app, operation, undefined, input),
      await callRest(app, operation, site.write, { odd: { deep: true } }),
    ];
    if (operation.scope === 'write') answers.push(await callRest(app, operation, site.read, input));
    for (const { status, body } of answers) {
      expect(check.problems(rest.method, rest.resource, status, body), JSON.stringify(body)).toEqual([]);
    }
    expect(answers[0]?.status).toBeLessThan(300);
  });
});

describe('the check of responses', () => {
  it('finds a missing, mistyped or undescribed field, and an undescribed status', () => {
    const answer = { ok: true, data: { id: 1, name: 'x', color: '#000000' }, request_id: 'req_x' };
    expect(check.problems('POST', 'tags', 201, answer)).toEqual([]);
    for (const data of [
      { id: 1, name: 'x' },
      { ...answer.data, id: '1' },
      { ...answer.data, odd: 1 },
    ]) {
      expect(check.problems('POST', 'tags', 201, { ...answer, data })).not.toEqual([]);
    }
    expect(check.problems('POST', 'tags', 200, answer)).not.toEqual([]);
  });
});
