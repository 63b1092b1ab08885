import { expect, test } from 'vitest';
import { blockedStore, fakeStorage } from '../test/fake-storage.ts';
import { forgetVisitor, mergeVisitor, readVisitor, storeEvent } from './identity.ts';
import { createStore } from './store.ts';

const make = () => {
  const storage = fakeStorage();
  return { storage, store: createStore(() => storage) };
};

test('a new visitor gets a random key that stays', () => {
  const { storage, store } = make();
  const { key } = readVisitor(store);
  expect(key).toMatch(/^anon_[\da-f]{32}$/);
  expect(readVisitor(store).key).toBe(key);
  expect(storage.getItem('svc.visitor')).toBe(JSON.stringify({ key, attributes: {} }));
  expect(readVisitor(make().store).key).not.toBe(key);
});

test('the key stays without storage too', () => {
  const store = blockedStore();
  expect(readVisitor(store).key).toBe(readVisitor(store).key);
});

test('attributes are merged, null clears one, absent ones stay', () => {
  const { store } = make();
  mergeVisitor(store, { email: 'a@b.test', plan: 'free' });
  mergeVisitor(store, { plan: 'pro', email: null, seats: 3 });
  expect(readVisitor(store).attributes).toEqual({ plan: 'pro', seats: 3 });
});

test('user_id becomes the key, and what was learnt before is sent along', () => {
  const { store } = make();
  mergeVisitor(store, { plan: 'free' });
  const anonymous = readVisitor(store).key;
  const [before, key, changed] = mergeVisitor(store, { user_id: 42, email: 'a@b.test' });
  expect([before, key]).toEqual([anonymous, '42']);
  expect(changed).toEqual({ plan: 'free', user_id: 42, email: 'a@b.test' });
  expect(readVisitor(store)).toEqual({
    key: '42',
    attributes: { plan: 'free', user_id: 42, email: 'a@b.test' },
  });
});

test('somebody else who signs in gets nothing of the one before', () => {
  const { storage, store } = make();
  mergeVisitor(store, { user_id: 'ada', plan: 'pro' });
  storeEvent(store, 'paid', {});
  mergeVisitor(store, { user_id: 'bob' });
  expect(readVisitor(store)).toEqual({ key: 'bob', attributes: { user_id: 'bob' } });
  expect(storage.getItem('svc.events')).toBeNull();
});

test('a changed or empty user_id is no other person', () => {
  const { store } = make();
  const { key } = readVisitor(store);
  mergeVisitor(store, { user_id: ' ' });
  expect(readVisitor(store).key).toBe(key);
});

test('what another tab wrote meanwhile is merged, not overwritten', () => {
  const { storage, store } = make();
  const other = createStore(() => storage);
  mergeVisitor(store, { a: 1 });
  mergeVisitor(other, { b: 2 });
  mergeVisitor(store, { c: 3 });
  expect(readVisitor(other).attributes).toEqual({ a: 1, b: 2, c: 3 });
});

test('the last 50 events are kept, the newest last', () => {
  const { storage, store } = make();
  for (let index = 0; index < 60; index++) storeEvent(store, `e${index}`, { index });
  const events = JSON.parse(storage.getItem('svc.events') ?? '');
  expect(events).toHaveLength(50);
  expect(events[0].name).toBe('e10');
  expect(events.at(-1)).toMatchObject({ name: 'e59', properties: { index: 59 } });
  expect(events.at(-1).occurred_utc).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('log-out leaves nothing', () => {
  const { storage, store } = make();
  mergeVisitor(store, { user_id: 'ada' });
  storeEvent(store, 'x', {});
  forgetVisitor(store);
  expect(storage.length).toBe(0);
});

test('a stored visitor that is none is replaced', () => {
  const { storage, store } = make();
  for (const nonsense of ['[]', '{"key":1}', '{"key":"a"}', '"x"', 'null']) {
    storage.setItem('svc.visitor', nonsense);
    expect(readVisitor(store).key).toMatch(/^anon_/);
  }
});
