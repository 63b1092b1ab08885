import { describe, expect, it } from 'vitest';
import type { Capacity, DueDelivery } from './lane-leases.ts';
import { FRESH_MS, Lanes, type LanesOptions, type Sent } from './lanes.ts';

const lane = (subscriptionId: number) => ({ siteId: 1, subscriptionId });
const delivery = (subscriptionId: number, id: number): DueDelivery => ({
  ...{ siteId: 1, subscriptionId, id, deliveryId: `dlv_${id}`, event: 'handoff', body: Buffer.from('{}') },
  ...{ url: 'https://example.com/', secretCipher: Buffer.from('x'), previousSecretCipher: null },
  ...{ attemptsMade: 0, attemptsBefore: 0, traceparent: null },
});

/** Lanes whose exchanges end when a test says so, by a clock that stands still until it is moved. */
function scene(options: Partial<LanesOptions> = {}) {
  const open: { id: number; subscriptionId: number; end(how?: Sent): Promise<void> }[] = [];
  const clock = { ms: 0 };
  let calls = 0;
  const lanes = new Lanes({
    maxInFlight: 100,
    heldInAll: 4_096,
    now: () => clock.ms,
    begin(one, sent) {
      const recorded = Promise.withResolvers<void>();
      open.push({
        id: one.id,
        subscriptionId: one.subscriptionId,
        async end(how = { durationMs: 1 }) {
          open.splice(
            open.findIndex(({ id }) => id === one.id),
            1,
          );
          sent(how);
          recorded.resolve();
          await recorded.promise;
          await Promise.resolve();
        },
      });
      return recorded.promise;
    },
    onCapacity: () => {
      calls += 1;
    },
    ...options,
  });
  let ids = 0;
  /** Gives each lane this many. */
  const give = (counts: Record<number, number>) => {
    lanes.due(Object.keys(counts).map((id) => lane(Number(id))));
    const asked: Capacity[] = lanes.capacity();
    lanes.fill(
      asked,
      Object.entries(counts).flatMap(([id, count]) =>
        Array.from({ length: count }, () => {
          ids += 1;
          return delivery(Number(id), ids);
        }),
      ),
    );
  };
  const of = (subscriptionId: number) => open.filter((one) => one.subscriptionId === subscriptionId);
  return { lanes, open, clock, give, of, calls: () => calls };
}

describe('lanes', () => {
  it('have four places each, and the next begins as soon as one is free', async () => {
    const { give, open } = scene();
    give({ 1: 6 });
    expect(open.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    await open[0]?.end();
    expect(open.map(({ id }) => id)).toEqual([2, 3, 4, 5]);
  });

  it('take turns if there are fewer places than all want', async () => {
    const { give, open, of } = scene({ maxInFlight: 4 });
    give({ 1: 10, 2: 10 });
    expect([of(1).length, of(2).length]).toEqual([2, 2]);
    await open[0]?.end();
    await open[0]?.end();
    expect([of(1).length, of(2).length]).toEqual([2, 2]);
  });

  it('continue while their results are being recorded, up to a limit', async () => {
    const { lanes, give } = scene({
      heldInAll: 8,
      begin(_one, sent) {
        sent({ durationMs: 1 });
        return new Promise(() => undefined);
      },
    });
    for (let sent = 0; sent < 32; sent += 8) {
      lanes.due([lane(1)]);
      expect(lanes.capacity()).toMatchObject([{ room: 8 }]);
      give({ 1: 8 });
    }
    lanes.due([lane(1)]);
    expect(lanes.capacity()).toEqual([]);
  });

  it('that are slow leave a quarter of all places to the others', async () => {
    const { give, of } = scene({ maxInFlight: 8 });
    give({ 1: 40, 2: 40 });
    for (const id of [1, 2]) for (const one of [...of(id)]) await one.end({ durationMs: 10_000 });
    expect(of(1).length + of(2).length).toBe(6);
    give({ 3: 10 });
    expect(of(3)).toHaveLength(2);
  });

  it('send nothing that was read too long ago: it is read again', async () => {
    const { give, open, clock, lanes, calls } = scene();
    give({ 1: 6 });
    clock.ms += FRESH_MS + 1;
    const before = calls();
    await open[0]?.end();
    expect(open).toHaveLength(3);
    expect(calls()).toBeGreaterThan(before);
    expect(lanes.capacity()).toMatchObject([{ subscriptionId: 1, held: [2, 3, 4] }]);
  });

  it('that are lost send nothing more, and remember running exchanges when they return', async () => {
    const { give, open, lanes } = scene();
    give({ 1: 6 });
    lanes.lose([lane(1)]);
    await open[0]?.end();
    expect(open.map(({ id }) => id)).toEqual([2, 3, 4]);
    expect(lanes.all()).toEqual([]);
    lanes.due([lane(1)]);
    expect(lanes.capacity()).toMatchObject([{ held: [2, 3, 4] }]);
  });

  it('are released after having had nothing to do for a while, and not before', async () => {
    const { give, open, clock, lanes } = scene();
    give({ 1: 1 });
    clock.ms += 60_000;
    expect(lanes.idle()).toEqual([]);
    await open[0]?.end();
    clock.ms += 1_000;
    expect(lanes.idle()).toEqual([]);
    clock.ms += 2_000;
    expect(lanes.idle()).toMatchObject([lane(1)]);
    expect(lanes.size).toBe(0);
  });

  it('start nothing once they are closed', () => {
    const { give, open, lanes } = scene();
    lanes.close();
    give({ 1: 1 });
    expect(open).toEqual([]);
  });
});
