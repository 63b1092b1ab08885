import { beforeEach, expect, test, vi } from 'vitest';
import { FakeStorage, useStorage } from '../../test/fake-storage.ts';

beforeEach(() => useStorage(new FakeStorage()));

/** One more tab on the same storage. */
const openTab = async () => {
  vi.resetModules();
  return {
    ...(await import('./identify.ts')),
    ...(await import('./items.ts')),
    ...(await import('./leases.ts')),
  };
};

test('changes are merged into the pending item of the same visitor', async () => {
  const { identifyItem, lease } = await openTab();
  const first = identifyItem('42', '42', { plan: 'free', city: 'Bonn' }, 'old');
  lease(first, Date.now());
  expect(identifyItem('42', '42', { plan: 'pro' }, 'new')).toMatchObject({
    id: first.id,
    attributes: { plan: 'pro', city: 'Bonn' },
    user_hash: 'new',
  });
});

test('with two pending items, the changes are merged into the later one', async () => {
  const { identifyItem, lease, leaseInFlight } = await openTab();
  const failed = { ...identifyItem('42', '42', { plan: 'free' }), id: '1' };
  leaseInFlight(failed);
  lease({ ...identifyItem('42', '42', { plan: 'pro' }), id: '2' }, Date.now());
  lease(failed, Date.now());
  expect(identifyItem('42', '42', { city: 'Bonn' })).toMatchObject({
    id: '2',
    attributes: { plan: 'pro', city: 'Bonn' },
  });
});

test.each(['in flight', 'another visitor’s', 'another tab’s', 'an event'])(
  'changes are not merged into an item that is %s',
  async (other) => {
    const tab = await openTab();
    const earlier = tab.identifyItem('42', '42', { plan: 'free' });
    if (other === 'an event') delete earlier.attributes;
    if (other === 'another visitor’s') earlier.key = '43';
    const { lease } = other === 'another tab’s' ? await openTab() : tab;
    if (other === 'in flight') tab.leaseInFlight(earlier);
    else lease(earlier, Date.now());
    const item = tab.identifyItem('42', '42', { city: 'Bonn' });
    expect(item.id).not.toBe(earlier.id);
    expect(item.attributes).toEqual({ city: 'Bonn' });
  },
);

test('pending and in-flight items follow an anonymous visitor who becomes known', async () => {
  const { identifyItem, lease, leaseInFlight, loadItems } = await openTab();
  lease({ id: '1', key: 'anon_1', at: 0 }, Date.now());
  leaseInFlight({ id: '2', key: 'anon_1', at: 0 });
  lease({ id: '3', key: 'anon_2', at: 0 }, Date.now());
  expect(identifyItem('anon_1', '42', {}, 'proof')).toMatchObject({ key: '42', previous_key: 'anon_1' });
  expect(loadItems()).toMatchObject([
    { key: '42', user_hash: 'proof' },
    { key: '42', user_hash: 'proof' },
    { key: 'anon_2' },
  ]);
});

test('pending items stay as they are if a known visitor signs in as another', async () => {
  const { identifyItem, lease, loadItems } = await openTab();
  lease({ id: '1', key: '42', at: 0 }, Date.now());
  expect(identifyItem('42', '43', {})).not.toHaveProperty('previous_key');
  expect(loadItems()).toMatchObject([{ key: '42' }]);
});
