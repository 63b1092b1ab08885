import { beforeEach, expect, test, vi } from 'vitest';
import { FakeStorage, useStorage } from '../../test/fake-storage.ts';
import type { OutboxItem } from './items.ts';

const NOW = Date.parse('2026-01-01T10:00:00Z');
const LEASE_MS = 30_000;

beforeEach(() => {
  useStorage(new FakeStorage());
  vi.useFakeTimers({ now: NOW });
  return () => vi.useRealTimers();
});

/** The leases of one more tab on the same storage. */
const openTab = async () => {
  vi.resetModules();
  return { ...(await import('./leases.ts')), ...(await import('./items.ts')) };
};
const item = (id: string): OutboxItem => ({ id, key: 'anon_1', at: 0 });

test('an item is due at its time in the tab that leased it, and elsewhere once the lease has expired', async () => {
  const [mine, other] = [await openTab(), await openTab()];
  const leased = item('a');
  mine.lease(leased, NOW + 800);
  expect(mine.dueAt(leased, NOW)).toBe(NOW + 800);
  const [seen = item('none')] = other.loadItems();
  expect(other.dueAt(seen, NOW)).toBe(NOW + 800 + LEASE_MS);
});

test('an item in flight is never due in its tab, and elsewhere only after the lease without a response', async () => {
  const [mine, other] = [await openTab(), await openTab()];
  const leased = item('a');
  mine.leaseInFlight(leased);
  expect(mine.dueAt(leased, NOW + LEASE_MS)).toBe(mine.NEVER);
  const [seen = item('none')] = other.loadItems();
  expect(other.dueAt(seen, NOW)).toBe(NOW + LEASE_MS);
});

test('a lease up to the longest pause is valid, a longer one comes from a clock that was set back', async () => {
  const { dueAt, RETRY_MAX_MS } = await openTab();
  const longest = NOW + RETRY_MAX_MS + LEASE_MS;
  expect(dueAt({ ...item('a'), at: longest }, NOW)).toBe(longest);
  expect(dueAt({ ...item('a'), at: longest + 1 }, NOW)).toBe(0);
});

test('pending items are those of this tab, oldest first, and not in flight', async () => {
  const [mine, other] = [await openTab(), await openTab()];
  other.lease(item('a'), NOW);
  mine.lease(item('d'), NOW);
  mine.leaseInFlight(item('c'));
  mine.lease(item('b'), NOW);
  expect(mine.waitingItems().map(({ id }) => id)).toEqual(['b', 'd']);
});

test('ending a lease stores the given item, or else deletes it', async () => {
  const [mine, other] = [await openTab(), await openTab()];
  for (const id of ['a', 'b']) mine.lease(item(id), NOW + 800);
  mine.endLease('a');
  mine.endLease('b', item('b'));
  expect(mine.waitingItems()).toEqual([]);
  expect(other.loadItems()).toEqual([item('b')]);
  expect(mine.dueAt(item('b'), NOW)).toBe(0);
});
