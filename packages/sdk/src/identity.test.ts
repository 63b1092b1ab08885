import { collectBody } from '@foyer/protocol';
import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { blockStorage, FakeStorage, useStorage } from '../test/fake-storage.ts';

let storage: FakeStorage;
/** A tab of its own on the same storage. */
const newPage = () => {
  vi.resetModules();
  return import('./identity.ts');
};
const stored = (name: string) => JSON.parse(storage.getItem(name) ?? 'null');
beforeEach(() => {
  storage = new FakeStorage();
  useStorage(storage);
});

test('a new visitor gets a random key, which stays once anything is stored', async () => {
  const { readVisitor, keepVisitor } = await newPage();
  const { key } = readVisitor();
  expect(key).toMatch(/^anon_[\da-f]{32}$/);
  expect(Object.keys(storage)).toEqual([]);
  expect(keepVisitor()).toBe(key);
  expect(storage.getItem('svc.visitor')).toBe(JSON.stringify({ key, attributes: {} }));
  expect((await newPage()).readVisitor().key).toBe(key);
});

test('the key stays without storage too', async () => {
  blockStorage();
  const { readVisitor, keepVisitor } = await newPage();
  expect(readVisitor().key).toBe(keepVisitor());
});

test('attributes are merged, null clears one, absent ones stay', async () => {
  const { mergeVisitor, readVisitor } = await newPage();
  mergeVisitor({ email: 'a@b.test', plan: 'free' });
  mergeVisitor({ plan: 'pro', email: null, seats: 3 });
  expect(readVisitor().attributes).toEqual({ plan: 'pro', seats: 3 });
});

test('user_id becomes the key, and earlier attributes are sent along', async () => {
  const { mergeVisitor, readVisitor } = await newPage();
  mergeVisitor({ plan: 'free' });
  const anonymous = readVisitor().key;
  const [before, key, changed] = mergeVisitor({ user_id: 42, email: 'a@b.test' });
  expect([before, key]).toEqual([anonymous, '42']);
  expect(changed).toEqual({ plan: 'free', user_id: 42, email: 'a@b.test' });
  expect(stored('svc.visitor')).toEqual({
    key: '42',
    attributes: { plan: 'free', user_id: 42, email: 'a@b.test' },
  });
});

test('another person who signs in gets nothing of the previous one', async () => {
  const { mergeVisitor, storeEvent } = await newPage();
  mergeVisitor({ user_id: 'ada', plan: 'pro' });
  storeEvent('paid', {});
  mergeVisitor({ user_id: 'bob' });
  expect(stored('svc.visitor')).toEqual({ key: 'bob', attributes: { user_id: 'bob' } });
  expect(stored('svc.events')).toBeNull();
});

test('an empty user_id does not change the person', async () => {
  const { mergeVisitor, keepVisitor, readVisitor } = await newPage();
  const key = keepVisitor();
  mergeVisitor({ user_id: ' ' });
  expect(readVisitor().key).toBe(key);
});

test('another tab’s changes are merged, not overwritten', async () => {
  const [one, other] = [await newPage(), await newPage()];
  one.mergeVisitor({ a: 1 });
  other.mergeVisitor({ b: 2 });
  one.mergeVisitor({ c: 3 });
  expect(other.readVisitor().attributes).toEqual({ a: 1, b: 2, c: 3 });
});

test('the last 50 events are kept, the newest last', async () => {
  const { storeEvent } = await newPage();
  for (let index = 0; index < 60; index++) storeEvent(`e${index}`, { index });
  const events = stored('svc.events');
  expect(events).toHaveLength(50);
  expect(events[0].name).toBe('e10');
  expect(events.at(-1)).toMatchObject({ name: 'e59', properties: { index: 59 } });
  expect(events.at(-1).occurred_utc).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('ids are 128 bits in hex and sort by creation time', async () => {
  vi.useFakeTimers();
  const { newId } = await newPage();
  const ids = Array.from({ length: 20 }, () => {
    vi.advanceTimersByTime(1);
    return newId();
  });
  vi.useRealTimers();
  expect(ids.toSorted()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^[\da-f]{32}$/);
});

test('signing out leaves nothing on the device', async () => {
  const { mergeVisitor, storeEvent, forgetVisitor, readVisitor } = await newPage();
  mergeVisitor({ user_id: 'ada' });
  storeEvent('x', {});
  storage.setItem('svc.outbox.1', '{"id":"1","key":"ada"}');
  forgetVisitor();
  expect(Object.keys(storage)).toEqual([]);
  expect(readVisitor().key).toMatch(/^anon_/);
  expect(Object.keys(storage)).toEqual([]);
});

const anything = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      key: fc.oneof(
        fc.jsonValue(),
        fc.constantFrom('', ' ', '\n', 'a\0', '\ud800', '\udc00x', 'k'.repeat(200), 'k'.repeat(201)),
        fc.string({ unit: 'binary', maxLength: 300 }),
      ),
      attributes: fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue())),
    },
    { requiredKeys: [] },
  ),
);

test('whatever is in storage, the visitor is one that the server accepts', async () => {
  const { readVisitor, forgetFresh } = await newPage();
  fc.assert(
    fc.property(anything, (visitor) => {
      forgetFresh();
      storage.setItem('svc.visitor', JSON.stringify(visitor));
      const { key, attributes } = readVisitor();
      expect(collectBody.safeParse({ key }).error).toBeUndefined();
      expect(Array.isArray(attributes)).toBe(false);
      for (const value of Object.values(attributes)) expect(Object(value)).not.toBe(value);
    }),
    { numRuns: 2_000 },
  );
});

test('an invalid stored visitor counts as none', async () => {
  const key = 'a'.repeat(201);
  const nonsense = ['', '[]', '{"key":1}', '{"key":"a"}', '"x"', 'null', '{"key":"","attributes":{}}'];
  nonsense.push(
    '{"key":"a","attributes":[]}',
    '{"key":"a","attributes":{"b":[]}}',
    `{"key":"${key}","attributes":{}}`,
  );
  for (const text of nonsense) {
    storage.setItem('svc.visitor', text);
    expect((await newPage()).readVisitor()).toEqual({
      key: expect.stringMatching(/^anon_[\da-f]{32}$/),
      attributes: {},
    });
  }
  storage.setItem('svc.visitor', '{"key":"a","attributes":{"b":1,"c":null}}');
  expect((await newPage()).readVisitor()).toEqual({ key: 'a', attributes: { b: 1, c: null } });
});

test('a user_id that the server would refuse changes nothing', async () => {
  const { mergeVisitor, readVisitor, keepVisitor } = await newPage();
  const key = keepVisitor();
  for (const user_id of ['k'.repeat(201), 'a\0b', '\ud800']) mergeVisitor({ user_id });
  expect(readVisitor().key).toBe(key);
});
