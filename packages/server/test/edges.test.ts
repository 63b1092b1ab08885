import { randomUUID } from 'node:crypto';
import { contract, ERROR_STATUS, type ErrorCode, type OperationName } from '@foyer/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyOperation } from '../src/core/operation.ts';
import { operations } from '../src/registry.ts';
import { startTestApp, type TestApp, type TestSite } from './app.ts';
import { examples } from './examples.ts';
import { type InputField, inputFields, namesRecord } from './input-fields.ts';
import { callRest, inputOf } from './rest-calls.ts';
import { TestSocket } from './sockets.ts';

// Derived from the registry: inputs that new operations may forget. Each is a success or a refusal, no internal error.

type Input = Record<string, unknown>;

let app: TestApp;
let own: TestSite;
let cookie: string;
let visitor: TestSocket | undefined;

beforeAll(async () => {
  // Each test of a visitor's operation uses a new visitor: one may not make so many requests in a minute.
  const many = 10_000;
  app = await startTestApp({}, { admittedPerMinute: { greeting: many, visitor: many, chat: many } });
  own = await app.makeSite();
  cookie = await app.signIn(own.admin.email);
});
afterAll(async () => {
  visitor?.cut();
  await app.close();
});

const isVisitors = ({ who }: AnyOperation): boolean => who.includes('visitor');
const isDesks = ({ who }: AnyOperation): boolean => who.includes('agent') || who.includes('admin');

/** A valid input; a visitor's names a chat of theirs. */
async function validInput(operation: AnyOperation): Promise<Input> {
  if (!isVisitors(operation)) return inputOf(app, operation, own);
  visitor?.cut();
  visitor = (await TestSocket.visitor(app.url, own.publicKey)).socket;
  const said = { session_id: null, client_id: randomUUID(), text: 'Hello' };
  const { session } = (await visitor.call('chat.send', said)) as { session: { session_id: string } };
  const example: Input = { ...examples[operation.name]() };
  return 'session_id' in example ? { ...example, session_id: session.session_id } : example;
}

/** The status of a call at the operation's entry point. */
async function statusOf(operation: AnyOperation, input: Input): Promise<number> {
  if (isDesks(operation)) return (await app.desk(cookie, operation.name, input)).status;
  if (!isVisitors(operation)) return (await callRest(app, operation, own.write, input)).status;
  try {
    await visitor?.call(operation.name, input);
    return 200;
  } catch (error) {
    return ERROR_STATUS[(error as { code: ErrorCode }).code];
  }
}

const topLevel = ({ path }: InputField): boolean => !path.includes('.');
const named = (list: readonly AnyOperation[]) =>
  list.map((operation) => [operation.name, operation] as const);
const writes = operations.filter(({ scope }) => scope === 'write');

describe.each(named(operations))('%s', (name, operation) => {
  it('answers an input with only its required fields', async () => {
    const valid = await validInput(operation);
    const needed = inputFields(name).filter((field) => topLevel(field) && field.required);
    const least = Object.fromEntries(needed.map(({ path }) => [path, valid[path]]));
    expect(await statusOf(operation, least)).toBeLessThan(500);
  });
});

describe.each(named(writes))('%s', (_name, operation) => {
  it('answers the same input a second time', async () => {
    const input = await validInput(operation);
    expect(await statusOf(operation, input)).toBeLessThan(500);
    expect(await statusOf(operation, input)).toBeLessThan(500);
  });
});

const operationNamed = (name: string): AnyOperation | undefined =>
  operations.find((operation) => operation.name === name);

/** The operations that create and update records of the same kind. */
const pairs = operations.flatMap((create) => {
  const update = operationNamed(create.name.replace(/\.create$/, '.update'));
  return create.name.endsWith('.create') && update ? [[update.name, create, update] as const] : [];
});

describe.each(pairs)('%s', (name, create, update) => {
  it('answers a record that is to have the values of another', async () => {
    const first = await validInput(create);
    expect(await statusOf(create, first)).toBeLessThan(300);
    const records = Object.keys(update.records ?? {});
    const fields = inputFields(name).filter(topLevel);
    const same = fields.filter(({ path }) => path in first && !records.includes(path));
    expect(same.length, 'fields of both').toBeGreaterThan(0);
    const second = await validInput(update);
    const input = Object.fromEntries([
      ...records.map((field) => [field, second[field]]),
      ...same.map(({ path }) => [path, first[path]]),
    ]);
    expect(await statusOf(update, input)).toBeLessThan(500);
  });
});

/** An unused id of the field's type: the largest number in the contract exceeds an integer column. */
function missingId({ path, types }: InputField): unknown {
  if (types.includes('integer[]')) return [Number.MAX_SAFE_INTEGER];
  if (types.includes('integer')) return Number.MAX_SAFE_INTEGER;
  return /session/i.test(path) ? 'ses_AAAAAAAAAAAAAAAAAAAAAA' : `user_${randomUUID()}`;
}

const idFields = (name: OperationName): InputField[] =>
  inputFields(name).filter((field) => topLevel(field) && namesRecord(field));

describe.each(named(operations.filter(({ name }) => idFields(name).length > 0)))('%s', (name, operation) => {
  it.each(idFields(name).map((field) => [field.path, field] as const))(
    'answers a %s that nothing has',
    async (path, field) => {
      const input = { ...(await validInput(operation)), [path]: missingId(field) };
      const status = await statusOf(operation, input);
      if (operation.records?.[path] && contract[name].input.safeParse(input).success)
        expect(status).toBe(404);
      else expect(status).toBeLessThan(500);
    },
  );
});
