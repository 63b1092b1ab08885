import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeStorage } from '../test/fake-storage.ts';
import type { StoredEvent } from './identity.ts';
import { type Answer, createOutbox, type OutboxItem } from './outbox.ts';
import { createStore } from './store.ts';

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
  return { name, properties: {}, occurred_utc: '2026-01-01T10:00:00.000Z', id: `event${serial}` };
};

const make = (answer: (item: OutboxItem) => Promise<Answer> = async () => [200], storage = fakeStorage()) => {
  const sent: OutboxItem[] = [];
  const outbox = createOutbox(
    createStore(() => storage),
    (item) => {
      sent.push(item);
      return answer(item);
    },
  );
  return { outbox, sent, storage, left: () => JSON.parse(storage.getItem('svc.outbox') ?? '[]') };
};
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('identify waits 800 ms after the last call and sends once, merged', async () => {
  const { outbox, sent, left } = make();
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
  const { outbox, sent } = make(() => new Promise((resolve) => (finish = resolve)));
  outbox.start();
  outbox.identify('42', '42', { a: 1 });
  await pass(800);
  outbox.identify('42', '42', { b: 2 });
  finish([200]);
  await pass(800);
  expect(sent.map((item) => item.attributes)).toEqual([{ a: 1 }, { b: 2 }]);
});

test('track goes out at once', async () => {
  const { outbox, sent } = make();
  outbox.start();
  outbox.track('anon_1', event('seen'));
  expect(sent).toMatchObject([{ key: 'anon_1', event: { name: 'seen' } }]);
});

test('before the start things gather; they go out with it', async () => {
  const { outbox, sent } = make();
  outbox.track('anon_1', event('early'));
  await pass(5000);
  expect(sent).toEqual([]);
  outbox.start();
  expect(sent).toHaveLength(1);
});

test('what waits under the anonymous key follows it into the known one', async () => {
  const { outbox, sent } = make();
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

test.each([[0], [500], [503], [429]])(
  'after %d it is kept and sent again, later and later',
  async (status) => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    let tries = 0;
    const { outbox, sent, left } = make(async () => {
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
  const { outbox, sent } = make(async () => answer);
  outbox.start();
  outbox.track('anon_1', event('limited'));
  await pass(29_999);
  expect(sent).toHaveLength(1);
  answer = [201];
  await pass(1);
  expect(sent).toHaveLength(2);
});

test('a 4xx is dropped with one warning', async () => {
  const { outbox, sent, left } = make(async () => [403]);
  outbox.start();
  outbox.track('anon_1', event('a'));
  outbox.track('anon_1', event('b'));
  await pass(60_000);
  expect(sent).toHaveLength(2);
  expect(left()).toEqual([]);
  expect(console.warn).toHaveBeenCalledTimes(1);
});

test('page hide sends what waits for its debounce', async () => {
  const { outbox, sent } = make();
  outbox.start();
  outbox.identify('42', '42', { a: 1 });
  outbox.flush();
  expect(sent).toHaveLength(1);
});

test('the next page sends what this one could not', async () => {
  const storage = fakeStorage();
  const first = make(() => new Promise(() => {}), storage);
  first.outbox.identify('42', '42', { a: 1 });
  const second = make(undefined, storage);
  second.outbox.start();
  await pass(800);
  expect(second.sent).toMatchObject([{ key: '42', attributes: { a: 1 } }]);
});

test('two tabs on one storage send each thing once, and the second takes over from one that died', async () => {
  const storage = fakeStorage();
  const dying = make(() => new Promise(() => {}), storage);
  const other = make(undefined, storage);
  dying.outbox.start();
  dying.outbox.track('anon_1', event('shared'));
  other.outbox.start();
  await pass(29_000);
  expect([dying.sent.length, other.sent.length]).toEqual([1, 0]);
  await pass(1_001);
  expect(other.sent.map((item) => item.id)).toContain(dying.sent[0]?.id);
});

test('it holds at most 100 things and sends six at a time', async () => {
  const { outbox, sent, left } = make(() => new Promise(() => {}));
  for (let index = 0; index < 150; index++) outbox.track('anon_1', event(`e${index}`));
  expect(left()).toHaveLength(100);
  expect(left()[0].event.name).toBe('e50');
  outbox.start();
  await pass(0);
  expect(sent).toHaveLength(6);
});

test('nonsense in storage, or a clock that was set back, stops nothing', async () => {
  const storage = fakeStorage();
  const { outbox, sent } = make(undefined, storage);
  const far = Date.now() + 10 ** 10;
  storage.setItem(
    'svc.outbox',
    JSON.stringify([null, 3, { id: 'x', key: 'k', at: far, busy: far, attributes: {} }]),
  );
  outbox.start();
  expect(sent.map((item) => item.id)).toEqual(['x']);
});
