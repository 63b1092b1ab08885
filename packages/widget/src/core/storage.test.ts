import { expect, test, vi } from 'vitest';
import { fakeStorage } from '../../test/fake-storage.ts';
import { createStorage } from './storage.ts';

const blocked = () => {
  throw new Error('SecurityError');
};
test('if storage is blocked, the surrounding page keeps the data and returns it after a reload', () => {
  const keep = vi.fn();
  const storage = createStorage('foyer.x.', blocked, keep);
  storage.write('token', 'secret');
  storage.write('outbox', [1]);
  expect(keep).toHaveBeenLastCalledWith({ token: '"secret"', outbox: '[1]' });
  const reloaded = createStorage('foyer.x.', blocked, keep);
  reloaded.restore(keep.mock.lastCall?.[0]);
  expect(reloaded.read('token')).toBe('secret');
  reloaded.write('token', undefined);
  expect(keep).toHaveBeenLastCalledWith({ outbox: '[1]' });
});

test('if storage works, the surrounding page gets nothing', () => {
  const keep = vi.fn();
  const values = fakeStorage();
  const storage = createStorage('foyer.x.', () => values, keep);
  storage.write('token', 'secret');
  storage.write('token', undefined);
  expect(keep).not.toHaveBeenCalled();
  expect(storage.read('token')).toBeNull();
});

test('invalid data from the surrounding page is ignored', () => {
  const storage = createStorage('foyer.x.', blocked);
  for (const nonsense of [null, 7, 'x', { token: 1 }, { token: '{' }]) storage.restore(nonsense);
  expect(storage.read('token')).toBeNull();
});
