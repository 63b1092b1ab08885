import { contract, type InputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { useGround } from '../../test/ground.ts';
import type { SiteContext } from '../core/context.ts';
import { findVisitors, isNewVisitor, upsertVisitor } from './visitors.ts';

const ground = useGround();
let ctx: SiteContext;
beforeEach(async () => {
  ctx = await ground.makeSite();
});

const upsert = (input: unknown, at: SiteContext = ctx) =>
  upsertVisitor(at, contract['visitors.upsert'].input.parse(input));
const find = (input: InputOf<'visitors.find'>, at: SiteContext = ctx) =>
  findVisitors(at, contract['visitors.find'].input.parse(input));
const list = async (input: InputOf<'visitors.find'>) => {
  const found = await find(input);
  if (!('items' in found)) throw new Error('not a page');
  return { ...found, keys: found.items.map(({ key }) => key) };
};

async function subscribe(): Promise<void> {
  await ctx.db
    .insertInto('webhook_subscriptions')
    .values({
      site_id: ctx.site.id,
      url: 'https://a.example',
      events: ['visitor_identified'],
      secret_cipher: Buffer.from('x'),
      secret_hint: 'xxxx',
    })
    .execute();
}
async function reported(): Promise<unknown[]> {
  const rows = await ctx.db
    .selectFrom('webhook_events')
    .select('body')
    .where('site_id', '=', ctx.site.id)
    .orderBy('created_at')
    .execute();
  return rows.map(({ body }) => JSON.parse(body.toString()).visitor);
}

describe('an upsert', () => {
  test('creates a visitor and keeps other top-level fields as attributes', async () => {
    const made = await upsert({ key: 'u1', email: 'ann@a.example', plan: 'pro', attributes: { seats: 3 } });
    expect(made).toMatchObject({ key: 'u1', email: 'ann@a.example', name: null, segments: [] });
    expect(made.attributes).toEqual({ plan: 'pro', seats: 3 });
    expect(isNewVisitor(made)).toBe(true);
  });

  test('ignores absent fields and clears those that are null', async () => {
    await upsert({
      key: 'u1',
      email: 'ann@a.example',
      name: 'Ann',
      attributes: { a: 1, b: [1, null], c: 'x' },
    });
    const changed = await upsert({ key: 'u1', email: null, attributes: { a: null, c: 'y' } });
    expect(changed).toMatchObject({ email: null, name: 'Ann', attributes: { b: [1, null], c: 'y' } });
    expect(isNewVisitor(changed)).toBe(false);
  });

  test('of 200 callers at once creates one row with every caller’s values', async () => {
    const calls = Array.from({ length: 200 }, (_, at) => upsert({ key: 'u1', [`a${at % 50}`]: at % 50 }));
    const made = (await Promise.all(calls)).filter(isNewVisitor);
    expect(made).toHaveLength(1);
    const { items } = await list({});
    expect(items).toHaveLength(1);
    expect(Object.keys(items[0]?.attributes ?? {})).toHaveLength(50);
  });

  test('that would leave more than 100 attributes is a 400 and changes nothing', async () => {
    const many = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${from + at}`, at]));
    await upsert({ key: 'u1', attributes: many(0, 100) });
    await expect(upsert({ key: 'u1', name: 'Ann', extra: 1 })).rejects.toMatchObject({
      code: 'invalid_input',
      issues: [{ path: 'attributes' }],
    });
    expect(await find({ key: 'u1' })).toMatchObject({ name: null });
    await upsert({ key: 'u1', a0: null, extra: 1 });
    await expect(upsert({ key: 'u2', attributes: many(0, 60), ...many(60, 41) })).rejects.toMatchObject({
      status: 400,
    });
  });

  test('keeps hostile names and texts as plain data', async () => {
    const attributes = { 'a"; drop table visitors; --': '%_\\u0000', constructor: 'x', toString: 1 };
    await upsert({ key: "'; --", attributes });
    expect(await find({ key: "'; --" })).toMatchObject({ attributes });
  });

  test.each([
    ['a NUL in a name of a field', { key: 'u', 'a\0b': 1 }],
    ['an unpaired surrogate in a value', { key: 'u', a: '\ud800' }],
    ['an object as a top-level field', { key: 'u', a: { b: 1 } }],
    ['an attribute over 2 KB', { key: 'u', a: 'x'.repeat(2048) }],
    ['an empty key', { key: ' ' }],
  ])('refuses %s', (_, input) => {
    expect(contract['visitors.upsert'].input.safeParse(input).success).toBe(false);
  });

  test('accepts a text that only looks like an escape', () => {
    expect(contract['visitors.upsert'].input.safeParse({ key: 'u', path: 'C:\\udata \\u0000' }).success).toBe(
      true,
    );
  });
});

describe('visitor_identified', () => {
  beforeEach(subscribe);

  test('is emitted once for each first: a key of the site, an address, a name', async () => {
    await upsert({ key: 'anon_1' });
    expect(await reported()).toEqual([]);
    await upsert({ key: 'u1' });
    await upsert({ key: 'u1', plan: 'pro' });
    await upsert({ key: 'u1', email: 'ann@a.example', name: 'Ann' });
    await upsert({ key: 'u1', email: 'bob@a.example', name: 'Ann' });
    expect(await reported()).toEqual([
      { key: 'u1', name: null, email: null },
      { key: 'u1', name: 'Ann', email: 'ann@a.example' },
    ]);
  });

  test('is emitted once when many send the same at once', async () => {
    await Promise.all(Array.from({ length: 30 }, () => upsert({ key: 'u1', email: 'ann@a.example' })));
    expect(await reported()).toHaveLength(1);
  });

  test('is not emitted when the change is rolled back', async () => {
    const failing = ctx.transaction(async (tx) => {
      await upsert({ key: 'u1' }, tx);
      throw new Error('later trouble');
    });
    await expect(failing).rejects.toThrow('later trouble');
    expect(await reported()).toEqual([]);
    expect(ground.notices.filter(({ siteId }) => siteId === ctx.site.id)).toEqual([]);
  });
});

describe('the list', () => {
  test('pages newest first, without gaps or duplicates while visitors are added', async () => {
    for (const key of ['u1', 'u2', 'u3', 'u4', 'u5']) await upsert({ key });
    const first = await list({ limit: 2 });
    await upsert({ key: 'u6' });
    const second = await list({ limit: 2, cursor: first.next_cursor ?? '' });
    const third = await list({ limit: 2, cursor: second.next_cursor ?? '' });
    expect([first.keys, second.keys, third.keys]).toEqual([['u5', 'u4'], ['u3', 'u2'], ['u1']]);
    expect(third.next_cursor).toBeNull();
    expect((await list({ order: 'asc', limit: 2 })).keys).toEqual(['u1', 'u2']);
  });

  test('finds by address and by any part of name, address and key', async () => {
    await upsert({ key: 'u_1', email: 'Ann@A.example', name: 'Ann Low' });
    await upsert({ key: 'u21', email: 'bob@a.example', name: '100% Bob' });
    expect((await list({ email: 'ann@a.EXAMPLE' })).keys).toEqual(['u_1']);
    expect((await list({ q: 'low' })).keys).toEqual(['u_1']);
    expect((await list({ q: 'u_' })).keys).toEqual(['u_1']);
    expect((await list({ q: '%' })).keys).toEqual(['u21']);
    expect((await list({ q: '\\' })).keys).toEqual([]);
  });

  test('refuses a cursor from elsewhere', async () => {
    await expect(find({ cursor: 'MTsgZHJvcA' })).rejects.toMatchObject({ issues: [{ path: 'cursor' }] });
  });
});

test("another site's visitor looks as if it did not exist", async () => {
  const other = await ground.makeSite();
  await upsert({ key: 'u1', name: 'Ann' });
  await expect(find({ key: 'u1' }, other)).rejects.toMatchObject({ code: 'not_found' });
  expect(await find({}, other)).toMatchObject({ items: [] });
  expect(isNewVisitor(await upsert({ key: 'u1' }, other))).toBe(true);
  expect(await find({ key: 'u1' })).toMatchObject({ name: 'Ann' });
});

test('the database itself refuses an erased row that still names somebody', async () => {
  await upsert({ key: 'u1', name: 'Ann' });
  await expect(
    sql`update visitors set erased_at = now() where site_id = ${ctx.site.id}`.execute(ctx.db),
  ).rejects.toThrow(/check/);
});
