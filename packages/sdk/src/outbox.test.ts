import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeStorage, useStorage } from '../test/fake-storage.ts';
import type { StoredEvent } from './identity.ts';
import type { OutboxItem } from './outbox/items.ts';
import type { Answer } from './outbox/limiter.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

let serial = 0;
const event = (name: string): StoredEvent => {
  serial++;
  const id = `event${`${serial}`.padStart(6, '0')}`;
  return { name, properties: {}, occurred_utc: '2026-01-01T10:00:00.000Z', id };
};

/** A tab of its own, with a memory of its own, on a storage that others may share. */
const make = async (
  answer: (item: OutboxItem) => Promise<Answer> = async () => [200],
  storage = new FakeStorage(),
) => {
  useStorage(storage);
  vi.resetModules();
  const sent: OutboxItem[] = [];
  const { createOutbox } = await import('./outbox.ts');
  const outbox = createOutbox((item) => {
    sent.push(structuredClone(item));
    return answer(item);
  });
  const left = (): OutboxItem[] =>
    Object.keys(storage)
      .sort()
      .map((name) => JSON.parse(storage.getItem(name) ?? 'null'));
  return { outbox, sent, storage, left };
};
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('identify waits 800 ms after the last call and sends once, merged', async () => {
  const { outbox, sent, left } = await make();
  outbox.start();
  outbox.identify('anon_1', 'anon_1', { email: 'a@b.test', plan: 'free' });
  await pass(500);
  outbox.identify('anon_1', 'anon_1', { plan: 'pro' });
  await pass(799);
  expect(sent).toEqual([]);
  await pass(1);
  expect(sent).toMatchObject([{ key: 'anon_1', attributes: { email: 'a@b.test', plan: 'pro' } }]);
  expect(left()).toEqual([]);
});

test('an identify while the first is on its way is not lost', async () => {
  let finish: (answer: Answer) => void = () => {};
  const { outbox, sent } = await make(() => new Promise((resolve) => (finish = resolve)));
  outbox.start();
  outbox.identify('42', '42', { a: 1 });
  await pass(800);
  outbox.identify('42', '42', { b: 2 });
  finish([200]);
  await pass(800);
  expect(sent.map((item) => item.attributes)).toEqual([{ a: 1 }, { b: 2 }]);
});

test('track is sent at once', async () => {
  const { outbox, sent } = await make();
  outbox.start();
  outbox.track('anon_1', event('seen'));
  expect(sent).toMatchObject([{ key: 'anon_1', event: { name: 'seen' } }]);
});

test('before the start items are collected; the start sends them', async () => {
  const { outbox, sent } = await make();
  outbox.track('anon_1', event('early'));
  await pass(5000);
  expect(sent).toEqual([]);
  outbox.start();
  expect(sent).toHaveLength(1);
});

test('pending items of the anonymous key move to the known one', async () => {
  const { outbox, sent } = await make();
  outbox.track('anon_1', event('early'));
  outbox.identify('anon_1', 'anon_1', { plan: 'free' });
  outbox.identify('anon_1', '42', { plan: 'free', user_id: 42 });
  outbox.start();
  await pass(800);
  expect(sent).toMatchObject([
    { key: '42', event: { name: 'early' } },
    { key: '42', previous_key: 'anon_1', attributes: { user_id: 42 } },
  ]);
  expect(sent).toHaveLength(2);
});

test.each([[0], [401], [500], [503], [429]])(
  'after %d it is kept and retried with growing pauses',
  async (status) => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    let tries = 0;
    const { outbox, sent, left } = await make(async () => {
      tries++;
      if (status === 0) throw new TypeError('Failed to fetch');
      return [status];
    });
    outbox.start();
    outbox.track('anon_1', event('kept'));
    await pass(0);
    expect(left()).toHaveLength(1);
    await pass(1_999);
    expect(tries).toBe(1);
    await pass(1);
    expect(tries).toBe(2);
    await pass(3_999);
    expect(tries).toBe(2);
    await pass(1);
    expect(tries).toBe(3);
    expect(new Set(sent.map((item) => item.id)).size).toBe(1);
  },
);

test('Retry-After is honoured', async () => {
  let answer: Answer = [429, 30];
  const { outbox, sent } = await make(async () => answer);
  outbox.start();
  outbox.track('anon_1', event('limited'));
  await pass(29_999);
  expect(sent).toHaveLength(1);
  answer = [201];
  await pass(1);
  expect(sent).toHaveLength(2);
});

test('a 4xx is dropped with one warning', async () => {
  const { outbox, sent, left } = await make(async () => [403]);
  outbox.start();
  outbox.track('anon_1', event('a'));
  outbox.track('anon_1', event('b'));
  await pass(60_000);
  expect(sent).toHaveLength(2);
  expect(left()).toEqual([]);
  expect(console.warn).toHaveBeenCalledTimes(1);
});

test('page hide sends items that are still debounced', async () => {
  const { outbox, sent } = await make();
  outbox.start();
  outbox.identify('42', '42', { a: 1 });
  outbox.flush();
  expect(sent).toHaveLength(1);
});

test('the next page immediately sends what this one could not', async () => {
  const first = await make(async () => [503]);
  first.outbox.start();
  first.outbox.track('42', event('failed'));
  await pass(0);
  first.outbox.identify('42', '42', { a: 1 });
  first.outbox.flush();
  const second = await make(undefined, first.storage);
  second.outbox.start();
  expect(second.sent).toMatchObject([{ attributes: { a: 1 } }, { event: { name: 'failed' } }]);
});

test('two tabs on one storage send each item once, and the second takes over from one that died', async () => {
  const dying = await make(() => new Promise(() => {}));
  dying.outbox.start();
  dying.outbox.track('anon_1', event('shared'));
  const other = await make(undefined, dying.storage);
  other.outbox.start();
  await pass(29_000);
  expect([dying.sent.length, other.sent.length]).toEqual([1, 0]);
  await pass(1_001);
  expect(other.sent.map((item) => item.id)).toContain(dying.sent[0]?.id);
});

test('tabs that write at the same time lose nothing of each other', async () => {
  const tabs = [await make()];
  for (let more = 0; more < 2; more++) tabs.push(await make(undefined, tabs[0]?.storage));
  for (let index = 0; index < 30; index++) tabs[index % 3]?.outbox.track('anon_1', event('one of many'));
  expect(tabs[0]?.left()).toHaveLength(30);
  for (const { outbox } of tabs) outbox.start();
  await pass(0);
  const sent = tabs.flatMap((tab) => tab.sent.map((item) => item.id));
  expect([sent.length, new Set(sent).size]).toEqual([30, 30]);
});

test('after signing out pending items are sent from memory, even if that fails at first, and nothing is stored', async () => {
  let status = 503;
  const { outbox, sent, left } = await make(async () => [status]);
  const { forgetVisitor } = await import('./identity.ts');
  outbox.start();
  outbox.track('ada', event('last'));
  outbox.identify('ada', 'ada', { plan: 'pro' });
  forgetVisitor();
  await pass(0);
  expect(left()).toEqual([]);
  status = 200;
  await pass(60_000);
  expect(left()).toEqual([]);
  expect(sent.at(-1)).toMatchObject({ key: 'ada' });
  expect(new Set(sent.map((item) => item.id)).size).toBe(2);
});

test('a pending item whose visitor becomes known is sent with the user hash', async () => {
  const { outbox, sent } = await make();
  outbox.track('anon_1', event('early'));
  outbox.identify('anon_1', '42', { user_id: 42 }, 'proof');
  outbox.start();
  await pass(800);
  expect(sent.map((item) => item.user_hash)).toEqual(['proof', 'proof']);
});

test('an item that fails while its visitor becomes known is sent again under the new key', async () => {
  let answer: (answer: Answer) => void = () => {};
  const { outbox, sent } = await make(() => new Promise((resolve) => (answer = resolve)));
  outbox.start();
  outbox.track('anon_1', event('seen'));
  outbox.identify('anon_1', '42', { user_id: 42 }, 'proof');
  answer([503]);
  await pass(2_000);
  expect(sent.filter((item) => item.event)).toMatchObject([
    { key: 'anon_1' },
    { key: '42', user_hash: 'proof' },
  ]);
});

test('an item that is removed while in flight is not sent again', async () => {
  let answer: (answer: Answer) => void = () => {};
  const { outbox, sent, storage, left } = await make(() => new Promise((resolve) => (answer = resolve)));
  outbox.start();
  outbox.track('anon_1', event('removed'));
  for (const name of Object.keys(storage)) storage.removeItem(name);
  answer([503]);
  await pass(60_000);
  expect([sent.length, left()]).toEqual([1, []]);
});

test('it holds at most 100 items and sends six at a time', async () => {
  const { outbox, sent, left } = await make(() => new Promise(() => {}));
  for (let index = 0; index < 150; index++) outbox.track('anon_1', event(`e${index}`));
  expect(left()).toHaveLength(100);
  expect(left()[0]?.event?.name).toBe('e50');
  outbox.start();
  await pass(0);
  expect(sent).toHaveLength(6);
});

test('an item that would exceed the size of keepalive requests waits', async () => {
  const finish: (() => void)[] = [];
  const { outbox, sent } = await make(() => new Promise((resolve) => finish.push(() => resolve([200]))));
  outbox.start();
  // Three bytes each.
  const properties = { text: '漢'.repeat(8000) };
  for (let index = 0; index < 5; index++) outbox.track('anon_1', { ...event('big'), properties });
  expect(sent).toHaveLength(2);
  finish[0]?.();
  await pass(0);
  expect(sent).toHaveLength(3);
  outbox.identify('anon_1', 'anon_1', { all: '漢'.repeat(30_000) });
  await pass(800);
  for (let index = 1; index < 6; index++) {
    finish[index]?.();
    await pass(0);
  }
  expect(sent).toHaveLength(6);
});

test('invalid data in storage, or a clock that was set back, stops nothing', async () => {
  const { outbox, sent, storage } = await make();
  storage.setItem('svc.outbox.1', 'null');
  storage.setItem('svc.outbox.2', '3');
  const item = { id: 'x', key: 'k', at: Date.now() + 10 ** 10, attributes: {} };
  storage.setItem('svc.outbox.x', JSON.stringify(item));
  outbox.start();
  expect(sent.map(({ id }) => id)).toEqual(['x']);
});
