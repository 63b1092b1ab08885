import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  deliveriesOf,
  emitHandoff,
  eventually,
  run,
  subscribe,
  useWorld,
} from '../../../test/webhook-world.ts';
import { type AttemptRecord, recordAttempts } from './attempt-record.ts';
import { type DueDelivery, lookForLanes, takeDue } from './lane-leases.ts';

const world = useWorld();

async function claim(worker: string): Promise<DueDelivery[]> {
  const now = world.clock.now();
  const { lanes } = await lookForLanes(world.db, { worker, now, leaseMs: 60_000, limit: 64 });
  return takeDue(
    world.db,
    worker,
    now,
    lanes.map((lane) => ({ ...lane, room: 64, held: [] })),
  );
}
const endLeases = () =>
  sql`update webhook_leases set lease_until = clock_timestamp() - interval '1 ms'`.execute(world.db);

function recordOf(delivery: DueDelivery, statusCode: number): AttemptRecord {
  const at = world.clock.now();
  const error = statusCode < 300 ? null : `The receiver answered ${statusCode}.`;
  return {
    delivery,
    at,
    endedAt: at,
    exchange: { statusCode, error, durationMs: 5, excerpt: null },
    signatures: { service: 'sha256=00', previous: null, standard: 'v1,AA' },
    outcome: error === null ? { state: 'delivered' } : { state: 'dead', gone: statusCode === 410 },
  };
}

async function oneClaimed(worker: string) {
  const ctx = await world.site();
  const { id } = await subscribe(ctx, 'http://127.0.0.1:9/hook');
  await emitHandoff(ctx);
  const [delivery] = await claim(worker);
  if (!delivery) throw new Error('nothing was claimed');
  return { ctx, delivery, subscriptionId: id };
}

describe('the record of an attempt', () => {
  it('is not written by a worker that has lost its lease to another', async () => {
    const { ctx, delivery } = await oneClaimed('slow');
    await endLeases();
    expect(await claim('other')).toHaveLength(1);
    expect(await recordAttempts(world.db, 'slow', [recordOf(delivery, 500)])).toEqual([]);
    expect(await deliveriesOf(ctx)).toMatchObject([{ status: 'pending', attempts: [] }]);
    expect(await recordAttempts(world.db, 'other', [recordOf(delivery, 200)])).toEqual([delivery.id]);
    expect(await deliveriesOf(ctx)).toMatchObject([{ status: 'delivered', attempts: [{ number: 1 }] }]);
  });

  it('is not written twice', async () => {
    const { ctx, delivery } = await oneClaimed('a');
    await recordAttempts(world.db, 'a', [recordOf(delivery, 200)]);
    expect(await recordAttempts(world.db, 'a', [recordOf(delivery, 500)])).toEqual([]);
    expect(await deliveriesOf(ctx)).toMatchObject([
      { status: 'delivered', attempts: [{ status_code: 200 }] },
    ]);
  });

  it('that is being written while its delivery is deleted is deleted with it', async () => {
    const { delivery } = await oneClaimed('a');
    const recording = await world.db.startTransaction().execute();
    expect(await recordAttempts(recording, 'a', [recordOf(delivery, 200)])).toEqual([delivery.id]);
    const deleting = sql`delete from webhook_events`.execute(world.db);
    const waits = sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await eventually(async () => (await waits.execute(world.db)).rows.length).toBe(1);
    await recording.commit().execute();
    await deleting;
    expect((await sql`select from webhook_attempts`.execute(world.db)).rows).toEqual([]);
  });

  it('of a 410 does not disable a subscription whose address was changed meanwhile', async () => {
    const { ctx, delivery, subscriptionId: id } = await oneClaimed('a');
    await run(ctx, 'webhook_subscriptions.update', { id, url: 'http://127.0.0.1:9/moved' });
    await recordAttempts(world.db, 'a', [recordOf(delivery, 410)]);
    expect(await run(ctx, 'webhook_subscriptions.list', { id })).toMatchObject({ enabled: true });
  });
});
