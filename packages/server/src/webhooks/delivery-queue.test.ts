import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, emitHandoff, subscribe, type World } from '../../test/webhook-world.ts';
import { type ClaimedDelivery, claimDeliveries, releaseLeases, renewLeases } from './delivery-queue.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterEach(() => world.reset());
afterAll(() => world.dispose());

const claim = (worker: string, limit: number, leaseMs = 60_000) =>
  claimDeliveries(world.db, { worker, now: world.clock.now(), leaseMs, limit });
const idsOf = (claimed: ClaimedDelivery[]) => claimed.map(({ id }) => id);

/** One site whose subscriptions have so many due deliveries each. */
async function backlog(subscriptions: number, deliveries: number) {
  const ctx = await world.site();
  for (let made = 0; made < subscriptions; made += 1) await subscribe(ctx, `http://127.0.0.1:9/${made}`);
  for (let made = 0; made < deliveries; made += 1) await emitHandoff(ctx);
  return ctx;
}

describe('a claim', () => {
  it('never takes what another worker holds, nor more than four of one subscription together with it', async () => {
    await backlog(1, 10);
    const [first, second, third] = [await claim('a', 3), await claim('b', 64), await claim('c', 64)];
    expect([first.length, second.length, third.length]).toEqual([3, 1, 0]);
    expect(new Set([...idsOf(first), ...idsOf(second)]).size).toBe(4);
  });

  it('passes over a subscription that another claim is counting, without waiting for it', async () => {
    await backlog(2, 1);
    await world.db.transaction().execute(async (tx) => {
      await sql`select from webhook_subscriptions order by id limit 1 for no key update`.execute(tx);
      expect((await claim('b', 64)).map(({ url }) => url)).toEqual(['http://127.0.0.1:9/1']);
    });
    expect((await claim('b', 64)).map(({ url }) => url)).toEqual(['http://127.0.0.1:9/0']);
  });

  it('serves next who has waited longest, so that a long backlog keeps nobody waiting', async () => {
    await backlog(3, 4);
    const served: string[] = [];
    for (let claims = 0; claims < 6; claims += 1) {
      world.clock.add(1);
      const [claimed] = await claim('a', 1);
      served.push(new URL(claimed?.url ?? '').pathname);
    }
    expect(new Set(served.slice(0, 3)).size).toBe(3);
    expect(served.slice(3)).toEqual(served.slice(0, 3));
  });

  it('takes the oldest first', async () => {
    await backlog(1, 3);
    const ids = idsOf(await claim('a', 64));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });

  it('takes over what a dead worker held once its lease is over, and not before', async () => {
    await backlog(1, 1);
    const held = await claim('dead', 1);
    expect(await claim('other', 1)).toEqual([]);
    await sql`update webhook_deliveries set lease_until = clock_timestamp() - interval '1 ms'`.execute(
      world.db,
    );
    expect(idsOf(await claim('other', 1))).toEqual(idsOf(held));
  });

  it('that was given back can be taken at once, and only its owner renews it or gives it back', async () => {
    await backlog(1, 1);
    const held = await claim('a', 1);
    await releaseLeases(world.db, 'b', held);
    expect(await claim('c', 1)).toEqual([]);
    await releaseLeases(world.db, 'a', held);
    expect(idsOf(await claim('c', 1))).toEqual(idsOf(held));
    await renewLeases(world.db, { worker: 'a', leaseMs: -1 }, held);
    expect(await claim('d', 1)).toEqual([]);
  });
});
