import { contract } from '@foyer/protocol';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { AnyOperation } from '../src/core/operation.ts';
import { deskTools, MODEL_LIMIT, toolAnswer } from '../src/http/mcp/tools.ts';
import { operations } from '../src/registry.ts';
import { createToken } from '../src/sites/tokens/api-tokens.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from './app.ts';
import { until } from './harness.ts';
import { connectMcp, ERAS, type McpDesk } from './mcp-client.ts';
import { callRest, inputOf } from './rest-calls.ts';

// Derived from the registry: each operation that a model may use is the same over MCP as over REST.

let app: TestApp;
let own: TestSite;
let other: TestSite;
let desk: McpDesk;
let reader: McpDesk;
let theirs: McpDesk;

beforeAll(async () => {
  app = await startTestApp();
  [own, other] = await Promise.all([app.makeSite(), app.makeSite()]);
  // With separate tokens: the records are created with the sites' own, and together that exceeds a token's limit.
  const tokenOf = async ({ operator }: TestSite, scopes: 'read' | 'read,write') =>
    (await createToken(operator, { name: 'write', scopes })).token;
  [desk, reader, theirs] = await Promise.all([
    connectMcp(app.url, await tokenOf(own, 'read,write')),
    connectMcp(app.url, await tokenOf(own, 'read')),
    connectMcp(app.url, await tokenOf(other, 'read,write')),
  ]);
  // From here on the client checks each response against the tool's output schema.
  await Promise.all([desk.tools(), reader.tools(), theirs.tools()]);
});
afterAll(async () => {
  await Promise.all([desk, reader, theirs].map((one) => one.close()));
  await app.close();
});

const withTools = operations.flatMap((operation) =>
  operation.tool ? [[operation.tool.name, operation] as const] : [],
);
const writing = withTools.filter(([, { scope }]) => scope === 'write');

/** Fields that background work changes between any two calls. */
const MOVING = /^(request_count|attempts|status|size|ready|next_attempt_utc|last_delivery_utc)$/;
/** Fields that always differ between two records. */
const OWN = /(^|_)(id|utc|key|slug|url|token)$|^(request_count|attempts|position|succeeded|size|ready)$/;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const without = (value: Json, names: RegExp): Json =>
  JSON.parse(
    JSON.stringify(value, (key, part) => (part !== null && names.test(key) ? typeof part : part)).replace(
      UUID,
      'uuid',
    ),
  );

/** Resolves once the bot of a new chat has answered. */
const botIsDone = (sessionId: string): Promise<void> =>
  until(async () => {
    const { rows } = await app.app.database.pool.query(
      `select from conversations c where session_id = $1 and (status <> 'bot' or bot_seq >= (
         select max(seq) from messages m
         where m.site_id = c.site_id and m.conversation_id = c.id and m.sender = 'visitor'))`,
      [sessionId],
    );
    return rows.length > 0;
  });

const withoutId = ({ request_id: _, ...error }: Json): Json => error;
const isList = ({ tool }: AnyOperation): boolean => deskTools.get(tool?.name ?? '')?.isList ?? false;

describe.each(ERAS)('the list of tools (%s)', (era) => {
  it('has each operation’s tool exactly once', async () => {
    const client = await connectMcp(app.url, own.write, era);
    const names = (await client.tools()).map(({ name }) => name);
    expect(names).toEqual(withTools.map(([name]) => name));
    expect(new Set(names).size).toBe(names.length);
    await client.close();
  });

  it('has no writing tools for a read token', async () => {
    const client = await connectMcp(app.url, own.read, era);
    const names = (await client.tools()).map(({ name }) => name);
    expect(names).toEqual(withTools.flatMap(([name, { scope }]) => (scope === 'read' ? [name] : [])));
    await client.close();
  });
});

describe('the text that a model reads first', () => {
  it('is no longer than necessary', async () => {
    for (const tool of await desk.tools()) {
      const { inputSchema, description } = tool;
      expect(JSON.stringify({ inputSchema, description }).length, tool.name).toBeLessThan(8_000);
    }
  });
});

describe.each(withTools)('the tool %s', (name, operation) => {
  it('is named, described and marked for a model', async () => {
    const tool = (await desk.tools()).find((one) => one.name === name);
    expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(operation.who, 'only what a token may do is a tool').toContain('token');
    expect(tool?.title).toBeTruthy();
    expect(tool?.description?.length).toBeGreaterThan(30);
    expect(tool?.annotations).toMatchObject({
      readOnlyHint: operation.scope === 'read',
      destructiveHint: operation.tool?.destructive ?? false,
      openWorldHint: false,
    });
    if (operation.rest?.method === 'DELETE') expect(tool?.annotations?.destructiveHint).toBe(true);
  });

  it('takes an object with every field of its operation, without a choice at its root', async () => {
    const schema: Json = (await desk.tools()).find((one) => one.name === name)?.inputSchema;
    expect(schema.type).toBe('object');
    for (const key of ['anyOf', 'oneOf', 'allOf', '$ref']) expect(schema).not.toHaveProperty(key);
    const input: Json = z.toJSONSchema(contract[operation.name].input, {
      io: 'input',
      unrepresentable: 'any',
    });
    for (const branch of input.anyOf ?? input.oneOf ?? [input])
      expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(Object.keys(branch.properties)));
    if (isList(operation)) expect(schema.properties.limit.default).toBe(MODEL_LIMIT);
  });

  it('answers its example in the shape of its contract', async () => {
    const client = operation.scope === 'read' ? reader : desk;
    const answer = await client.call(name, await inputOf(app, operation, own));
    expect(answer.isError, answer.text).toBe(false);
    const output = toolAnswer(contract[operation.name].output);
    expect(output.safeParse(answer.structured).error?.issues).toBeUndefined();
    expect(answer.requestId).toMatch(/^req_/);
    expect(answer.text).toContain(JSON.stringify({ data: answer.data }));
  });

  it('refuses unknown fields, and names them', async () => {
    const odd = operation.name === 'visitors.upsert' ? { odd: { deep: true } } : { odd: 'x' };
    const answer = await desk.call(name, { ...(await inputOf(app, operation, own)), ...odd });
    expect(answer.isError).toBe(true);
    expect(answer.data).toMatchObject({ code: 'invalid_input', request_id: expect.stringMatching(/^req_/) });
    expect(answer.data.issues.map(({ path }: { path: string }) => path)).toEqual(['odd']);
  });
});

describe.each(withTools.filter(([, { rest }]) => rest))(
  '%s and its resource over REST',
  (name, operation) => {
    it('answer the same', async () => {
      const limit = isList(operation) ? { limit: 50 } : {};
      const [forRest, forModel] = [await inputOf(app, operation, own), await inputOf(app, operation, own)];
      const same = operation.scope === 'read' ? forRest : forModel;
      for (const { session_id } of [forRest, forModel])
        if (typeof session_id === 'string') await botIsDone(session_id);
      const names = operation.scope === 'read' ? MOVING : OWN;
      const compare = async (): Promise<void> => {
        const { body, status } = await callRest(app, operation, own.write, forRest);
        const answer = await desk.call(name, { ...same, ...limit });
        expect([status < 300, answer.isError], JSON.stringify([body, answer.data])).toEqual([true, false]);
        const output = body.page ? { items: body.data, ...body.page } : body.data;
        expect(without(answer.data, names)).toEqual(without(output, names));
      };
      // The bot may write in another chat between the two calls.
      if (operation.scope === 'read') await vi.waitFor(compare, 20_000);
      else await compare();
    });

    it('refuse the same in the same words', async () => {
      const odd = operation.name === 'visitors.upsert' ? { odd: { deep: true } } : { odd: 'x' };
      const { body } = await callRest(app, operation, own.write, odd);
      const answer = await desk.call(name, odd);
      if (operation.rest?.method !== 'GET' && operation.rest?.method !== 'DELETE')
        expect(withoutId(answer.data)).toEqual(withoutId(body.error));
      expect(answer.data.code).toBe(body.error.code);
    });
  },
);

describe.each(withTools.filter(([, { records }]) => records))('the tool %s', (name, operation) => {
  it('shows no difference between another site’s record and none, and leaves it as it is', async () => {
    const [field = '', kind = ''] = Object.entries(operation.records ?? {})[0] ?? [];
    const foreign = await inputOf(app, operation, other);
    const answer = await desk.call(name, foreign);
    expect(answer.isError).toBe(true);
    expect(answer.data.code).toBe('not_found');
    const missing =
      kind === 'session' ? 'ses_AAAAAAAAAAAAAAAAAAAAAA' : kind === 'visitor' ? 'user_nobody' : 2 ** 53 - 1;
    const never = await desk.call(name, { ...foreign, [field]: missing });
    expect(withoutId(never.data)).toEqual(withoutId(answer.data));
    expect((await theirs.call(name, foreign)).isError, 'its own site still has it').toBe(false);
  });
});

describe.each(writing)('the tool %s', (name, operation) => {
  it('does nothing for a read token, whatever its input', async () => {
    const input = await inputOf(app, operation, own);
    for (const given of [input, { odd: 'x' }]) {
      const answer = await reader.call(name, given);
      expect(answer.isError).toBe(true);
      expect(answer.data.code).toBe('insufficient_scope');
    }
    if (operation.records) expect((await desk.call(name, input)).isError, 'the record is there').toBe(false);
  });
});
