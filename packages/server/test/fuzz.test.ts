import { randomUUID } from 'node:crypto';
import { contract } from '@foyer/protocol';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AnyOperation } from '../src/core/operation.ts';
import { encodeCursor } from '../src/db/keyset.ts';
import { operations } from '../src/registry.ts';
import { type Answer, startTestApp, type TestApp, type TestSite } from './app.ts';
import { examples, isRecordKind, makeRecord } from './examples.ts';
import { until } from './harness.ts';
import { openChat } from './stand.ts';

// Whatever is sent, the response is an envelope, never an internal error, and contains nothing of another site.

/** A word in every record of the other site that can contain text. */
const MARKER = `marker-${randomUUID()}`;
/** The key of the other site's visitor: keys are sent to this site too, and may be returned. */
const KEY = `key-${randomUUID()}`;
const RUNS = 25;

/** The server's log, for the message of a failed test. */
const faults: string[] = [];
let app: TestApp;
let own: TestSite;
/** Ids of records of both sites, to be used in any place. */
const records: (string | number)[] = [];

beforeAll(async () => {
  // One token may not make so many requests in a minute, which is not the subject here.
  app = await startTestApp(
    {},
    { log: pino({ level: 'error' }, { write: (line) => void faults.push(line) }) },
  );
  const [mine, other] = await Promise.all([app.makeSite(), app.makeSite()]);
  own = mine;
  const post = (resource: string, body: object) => app.rest(other.write, 'POST', `/v1/${resource}`, body);
  const chat = await openChat({ url: app.url, publicKey: other.publicKey }, MARKER);
  const made = await Promise.all([
    post('tags', { name: MARKER }),
    post('articles', { title: MARKER, body: MARKER, category: MARKER, status: 'Published' }),
    post('conversation_starters', { label: MARKER, prompt: MARKER }),
    post('visitors', { key: KEY, name: MARKER, email: `${MARKER}@example.com`, plan: MARKER }),
    post('track', { key: KEY, name: MARKER, properties: { secret: MARKER } }),
    post('tickets', { subject: MARKER, body: MARKER, requester: { key: KEY }, tags: [`t ${MARKER}`] }),
    post('macros', { name: MARKER, actions: [{ type: 'note', body: MARKER }] }),
    post('saved_views', { name: MARKER, filter: { q: MARKER } }),
    post('webhook_subscriptions', {
      url: `http://127.0.0.1:9/${MARKER}`,
      events: ['conversation_closed', 'handoff', 'feedback'],
      description: MARKER,
    }),
  ]);
  for (const { status, body } of made) expect(status, JSON.stringify(body)).toBeLessThan(300);
  await chat.socket.call('chat.request_person', { session_id: chat.id, client_id: randomUUID() });
  await chat.socket.call('chat.end', { session_id: chat.id });
  await chat.socket.call('chat.rate', { session_id: chat.id, rating: 5, comment: MARKER });
  chat.socket.cut();
  records.push(chat.id, KEY, ...made.flatMap(({ body }) => (body.data.id ? [body.data.id] : [])));
  await until(async () => (await app.rest(other.read, 'GET', '/v1/feedback')).body.data.length === 1);
  for (const kind of ['session', 'tag', 'article', 'visitor', 'ticket', 'macro', 'saved_view'])
    if (isRecordKind(kind)) records.push(await makeRecord[kind](app, own));
});
afterAll(() => app.close());

const nested = (depth: number, list: boolean): unknown => {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level++) value = list ? [value] : { a: value };
  return value;
};

const oddText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'x\udc00y',
    '\u202e\u2066',
    "'; drop table sites; --",
    '%00',
    '../../etc/passwd',
    '<script>alert(1)</script>',
    '#{7*7}',
    '{{visitor.name}}',
    '1e309',
    '-0',
    'NaN',
    '2026-02-30',
    '0000-00-00T00:00:00Z',
    '275760-09-13T00:00:00.001Z',
    '9999-12-31T23:59:59.999999999+23:59',
    '0001-01-01',
    '-infinity',
    'null',
    '[]',
    '__proto__',
    'constructor',
    'toString',
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(1_000, 9_000, 100_000).map((length) => 'é'.repeat(length)),
);

const oddNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 1.5, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 2 ** 63, 1e308, -1e308, 5e-324),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
);

const odd: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  oddNumber,
  fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]], { length: -1 }),
  fc.tuple(fc.constantFrom(3, 60, 400), fc.boolean()).map(([depth, list]) => nested(depth, list)),
  fc.array(oddText, { maxLength: 5 }),
  fc.dictionary(fc.oneof(oddText, fc.constantFrom('hasOwnProperty', 'then', 'toJSON')), oddText, {
    maxKeys: 4,
  }),
  fc.nat().map((index) => records[index % records.length]),
);

const schemaOf = z.object({ properties: z.record(z.string(), z.unknown()).optional() });

function fieldsOf({ name }: AnyOperation): string[] {
  const schema = z.toJSONSchema(contract[name].input, { io: 'input', unrepresentable: 'any' });
  return Object.keys(schemaOf.parse(schema).properties ?? {});
}

/** An example in which some fields were replaced, some removed, some added. */
function inputsOf(operation: AnyOperation): fc.Arbitrary<Record<string, unknown>> {
  const fields = fieldsOf(operation);
  const changes = fc.dictionary(
    fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...fields, 'odd') }, { weight: 1, arbitrary: oddText }),
    fc.option(odd, { nil: undefined }),
    { minKeys: 0, maxKeys: 3 },
  );
  return changes.map((change) => ({ ...examples[operation.name](), ...change }));
}

/** Short enough for an address; longer ones have their own test. */
const asParameter = (value: unknown): string => {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.slice(0, 300).toWellFormed();
};

/** A separate rate limit for each operation. */
let token = '';
async function send(
  { rest }: AnyOperation,
  input: Record<string, unknown>,
  idempotencyKey: string | undefined,
): Promise<Answer> {
  if (!rest) throw new Error('not a REST operation');
  const hasBody = rest.method === 'POST' || rest.method === 'PATCH';
  const inQuery = hasBody ? (rest.query ?? []) : Object.keys(input);
  const query = new URLSearchParams({ resource: rest.resource });
  for (const field of inQuery)
    if (input[field] !== undefined) query.append(asParameter(field), asParameter(input[field]));
  const body = Object.fromEntries(Object.entries(input).filter(([field]) => !inQuery.includes(field)));
  return app.rest(
    token,
    rest.method,
    `/v1/api.ashx?${query}`,
    hasBody ? body : undefined,
    idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  );
}

function check(answer: Answer): void {
  const text = JSON.stringify(answer.body);
  expect(answer.status, `${text} ${faults.at(-1)}`).toBeLessThan(500);
  expect(answer.status, text).not.toBe(429);
  expect(answer.headers.get('x-service-request-id')).toMatch(/^req_/);
  if (answer.status < 300) {
    expect(answer.body).toMatchObject({ ok: true, request_id: answer.headers.get('x-service-request-id') });
  } else {
    expect(answer.body).toMatchObject({
      ok: false,
      error: {
        code: expect.stringMatching(/^[a-z_]+$/),
        message: expect.any(String),
        request_id: answer.headers.get('x-service-request-id'),
      },
    });
  }
}

const restOperations = operations.filter(({ rest }) => rest);
describe.each(restOperations.map((operation) => [operation.name, operation] as const))(
  '%s',
  (_name, operation) => {
    it('answers anything with an envelope, without an internal error or a trace of another site', async () => {
      const cookie = await app.signIn(own.admin.email);
      const { body } = await app.desk(cookie, 'api_tokens.create', {
        name: operation.name,
        scopes: 'read,write',
      });
      token = body.data.token;
      await fc.assert(
        fc.asyncProperty(inputsOf(operation), fc.boolean(), async (input, once) => {
          const key = once && operation.rest?.method === 'POST' ? randomUUID() : undefined;
          const answer = await send(operation, input, key);
          check(answer);
          expect(JSON.stringify(answer.body)).not.toContain(MARKER);
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
      // A site has at most a hundred.
      await app.desk(cookie, 'api_tokens.revoke', { id: body.data.id });
    });
  },
);

const LISTS_GO_ON_BY = ['cursor', 'after'];
const paged = operations.filter(
  (operation) =>
    operation.who.some((who) => who === 'agent' || who === 'admin') &&
    fieldsOf(operation).some((field) => LISTS_GO_ON_BY.includes(field)),
);

it('a cursor that no list has ever ended with is bad input to all lists, or their end', async () => {
  const cookie = await app.signIn(own.admin.email);
  const ends = [1, 2, 3, 4, 5, 6].map((length) => encodeCursor(Array(length).fill(Number.MAX_SAFE_INTEGER)));
  const faults: string[] = [];
  for (const operation of paged) {
    const field = LISTS_GO_ON_BY.find((name) => fieldsOf(operation).includes(name)) ?? '';
    // One of them has as many values as the list.
    for (const cursor of ends) {
      const input = { ...examples[operation.name](), [field]: cursor };
      if ((await app.desk(cookie, operation.name, input)).status >= 500) faults.push(operation.name);
    }
  }
  expect(faults).toEqual([]);
});

describe('a request that is too much', () => {
  it.each([1_000, 3_000, 6_000, 10_000, 100_000])(
    'is refused with an envelope: nested %i deep',
    async (depth) => {
      const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
      for (const { rest } of restOperations.filter((one) => one.rest?.method === 'POST')) {
        const path = `/v1/${rest?.resource}`;
        const once = { 'idempotency-key': randomUUID() };
        check(await app.rest(own.write, 'POST', path, `{"name":${deep}}`, once));
        check(await app.rest(own.write, 'POST', path, deep, once));
      }
    },
  );

  it('is refused with an envelope: an address without end', async () => {
    const answer = await app.rest(own.read, 'GET', `/v1/tags?cursor=${'x'.repeat(20_000)}`);
    check(answer);
    expect(answer.body.error.code).toBe('invalid_input');
  });
});
