import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { emitHandoff, run, subscribe, useWorld } from '../../../test/webhook-world.ts';
import { lookForLanes, releaseLanes, renewLanes, takeDue } from './lane-leases.ts';

const world = useWorld();

const look = (worker: string, limit = 64, leaseMs = 60_000) =>
  lookForLanes(world.db, { worker, now: world.clock.now(), leaseMs, limit });
const lanesOf = async (worker: string, limit?: number) =>
  (await look(worker, limit)).lanes.map(({ subscriptionId }) => subscriptionId).toSorted((a, b) => a - b);
const endLeases = () =>
  sql`update webhook_leases set lease_until = clock_timestamp() - interval '1 ms'`.execute(world.db);

/** One site whose subscriptions have this many due deliveries each; their ids in order. */
async function backlog(subscriptions: number, deliveries: number) {
  const ctx = await world.site();
  const ids: number[] = [];
  for (let made = 0; made < subscriptions; made += 1) {
    ids.push((await subscribe(ctx, `http://127.0.0.1:9/${made}`)).id);
  }
  for (let made = 0; made < deliveries; made += 1) await emitHandoff(ctx);
  return { ctx, ids };
}
const take = async (worker: string, siteId: number, subscriptionId: number, room = 64, held: number[] = []) =>
  takeDue(world.db, worker, world.clock.now(), [{ siteId, subscriptionId, room, held }]);

describe('a look', () => {
  it('leases lanes with something due, and returns those that it already has each time', async () => {
    const { ids } = await backlog(3, 1);
    expect(await lanesOf('a')).toEqual(ids);
    expect(await lanesOf('a')).toEqual(ids);
    expect(await lanesOf('b')).toEqual([]);
  });

  it('leases no more than its limit', async () => {
    const { ids } = await backlog(3, 1);
    const [first] = await lanesOf('a', 1);
    expect(ids).toContain(first);
    expect(await lanesOf('b')).toEqual(ids.filter((id) => id !== first));
  });

  it('skips a lane that another worker is leasing, without waiting for it', async () => {
    const { ids } = await backlog(2, 1);
    await world.db.transaction().execute(async (tx) => {
      await sql`select from webhook_leases order by subscription_id limit 1 for no key update`.execute(tx);
      expect(await lanesOf('b')).toEqual(ids.slice(1));
    });
    expect(await lanesOf('c')).toEqual(ids.slice(0, 1));
  });

  it('leases the longest waiting first', async () => {
    const { ids } = await backlog(3, 1);
    const [first, second, third] = ids;
    await sql`update webhook_leases set last_attempt_at = ${world.clock.now()} where subscription_id <> ${third}`.execute(
      world.db,
    );
    await sql`update webhook_leases set last_attempt_at = last_attempt_at + interval '1 s'
      where subscription_id = ${first}`.execute(world.db);
    expect([await lanesOf('a', 1), await lanesOf('b', 1), await lanesOf('c', 1)]).toEqual([
      [third],
      [second],
      [first],
    ]);
  });

  it('takes over a dead worker’s lanes once their lease has expired, and not before', async () => {
    const { ids } = await backlog(1, 1);
    expect(await lanesOf('dead')).toEqual(ids);
    expect(await lanesOf('other')).toEqual([]);
    await endLeases();
    expect(await lanesOf('other')).toEqual(ids);
    expect(await lanesOf('dead')).toEqual([]);
  });

  it('ignores lanes that are disabled, or have nothing due yet, and returns when that will be', async () => {
    const { ctx, ids } = await backlog(2, 1);
    const [disabled = 0, later] = ids;
    await run(ctx, 'webhook_subscriptions.update', { id: disabled, enabled: false });
    const due = new Date(world.clock.now().getTime() + 1);
    await sql`update webhook_queue set next_attempt_at = ${due} where subscription_id = ${later}`.execute(
      world.db,
    );
    expect(await look('a')).toEqual({ lanes: [], nextDue: due });
    world.clock.add(1);
    expect(await look('a')).toEqual({
      lanes: [{ siteId: ctx.site.id, subscriptionId: later }],
      nextDue: null,
    });
  });
});

describe('a lease', () => {
  it('that was released can be taken at once, and only its owner renews or releases it', async () => {
    const { ctx, ids } = await backlog(1, 1);
    const lanes = ids.map((subscriptionId) => ({ siteId: ctx.site.id, subscriptionId }));
    await lanesOf('a');
    await releaseLanes(world.db, 'b', lanes);
    expect(await lanesOf('c')).toEqual([]);
    await releaseLanes(world.db, 'a', lanes);
    expect(await lanesOf('c')).toEqual(ids);
    expect(await renewLanes(world.db, { worker: 'a', leaseMs: -1 }, lanes)).toEqual([]);
    expect(await lanesOf('d')).toEqual([]);
    expect(await renewLanes(world.db, { worker: 'c', leaseMs: 60_000 }, lanes)).toEqual(lanes);
  });
});

describe('due deliveries', () => {
  it('come oldest first, as far as there is room, without those already held', async () => {
    const { ctx, ids } = await backlog(1, 4);
    const [id = 0] = ids;
    await lanesOf('a');
    const all = (await take('a', ctx.site.id, id)).map((delivery) => delivery.id);
    expect(all).toEqual(all.toSorted((a, b) => a - b));
    expect(all).toHaveLength(4);
    const [first, second, third] = all;
    if (!first || !second || !third) throw new Error('too few');
    expect((await take('a', ctx.site.id, id, 2, [first])).map((delivery) => delivery.id)).toEqual([
      second,
      third,
    ]);
  });

  it('are not returned to a worker that does not hold the lane', async () => {
    const { ctx, ids } = await backlog(1, 1);
    expect(await take('a', ctx.site.id, ids[0] ?? 0)).toEqual([]);
    await lanesOf('a');
    expect(await take('a', ctx.site.id, ids[0] ?? 0)).toHaveLength(1);
    expect(await take('b', ctx.site.id, ids[0] ?? 0)).toEqual([]);
  });
});
