import { expect, test } from 'vitest';
import { blockedStore, fakeStorage } from '../test/fake-storage.ts';
import { createStore } from './store.ts';

test('values survive in storage as JSON', () => {
  const storage = fakeStorage();
  createStore(() => storage).write('a', { b: [1] });
  expect(storage.getItem('a')).toBe('{"b":[1]}');
  expect(createStore(() => storage).read('a')).toEqual({ b: [1] });
});

test('blocked storage: it works in memory', () => {
  const store = blockedStore();
  store.write('a', 1);
  expect(store.read('a')).toBe(1);
  store.write('a', undefined);
  expect(store.read('a')).toBeNull();
});

test('full storage: the newer value counts, and is stored once there is room', () => {
  const storage = fakeStorage();
  const store = createStore(() => storage);
  store.write('a', { v: 1 });
  storage.isFull = true;
  store.write('a', { v: 2 });
  expect(store.read('a')).toEqual({ v: 2 });
  storage.isFull = false;
  store.write('a', { v: 3 });
  expect(storage.getItem('a')).toBe('{"v":3}');
});

test('nonsense in storage is nothing, and a list that a library made a string of is a list', () => {
  const storage = fakeStorage();
  const store = createStore(() => storage);
  storage.setItem('a', '{');
  expect(store.read('a')).toBeNull();
  storage.setItem('b', JSON.stringify('[1,2]'));
  expect(store.read('b')).toEqual([1, 2]);
});
