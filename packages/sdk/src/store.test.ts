import { beforeEach, expect, test, vi } from 'vitest';
import { blockStorage, FakeStorage, fill, useStorage } from '../test/fake-storage.ts';

let storage: FakeStorage;
/** Memory is separate for each page. */
const newPage = () => {
  vi.resetModules();
  return import('./store.ts');
};
beforeEach(() => {
  storage = new FakeStorage();
  useStorage(storage);
});

test('values survive in storage as JSON', async () => {
  (await newPage()).write('svc.a', { b: [1] });
  expect(storage.getItem('svc.a')).toBe('{"b":[1]}');
  expect((await newPage()).read('svc.a')).toEqual({ b: [1] });
});

test('blocked storage: it works in memory', async () => {
  blockStorage();
  const { read, write, names } = await newPage();
  write('svc.a', { a: 1 });
  expect(read('svc.a')).toEqual({ a: 1 });
  expect(names()).toEqual(['svc.a']);
  write('svc.a');
  expect(read('svc.a')).toBeNull();
  expect(names()).toEqual([]);
});

test('full storage: the newer value counts, and is stored once there is space', async () => {
  const { read, write } = await newPage();
  write('svc.a', { v: 1 });
  fill(storage);
  write('svc.a', { v: 2 });
  expect(read('svc.a')).toEqual({ v: 2 });
  fill(storage, false);
  write('svc.a', { v: 3 });
  expect(storage.getItem('svc.a')).toBe('{"v":3}');
});

test('a hidden value is no longer on the device, whatever is written later', async () => {
  const { read, write, names } = await newPage();
  write('svc.a', { v: 1 });
  write('svc.a', { v: 2 }, true);
  write('svc.a', { v: 3 });
  expect(Object.keys(storage)).toEqual([]);
  expect([read('svc.a'), names()]).toEqual([{ v: 3 }, ['svc.a']]);
});

test('invalid data in storage is ignored, as is other scripts’ data', async () => {
  const { read, names } = await newPage();
  storage.setItem('svc.a', '{');
  storage.setItem('cart', '[]');
  expect(read('svc.a')).toBeNull();
  expect(names()).toEqual(['svc.a']);
});
