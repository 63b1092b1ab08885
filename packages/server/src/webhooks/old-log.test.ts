import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { deliveriesOf, emitHandoff, eventually, run, subscribe, useWorld } from '../../test/webhook-world.ts';
import type { SiteContext } from '../core/context.ts';
import { countOlder } from '../retention/rules.ts';
import { purgeExpired } from '../retention/runs.ts';

const world = useWorld();

const DAY_MS = 86_400_000;
/** The deliveries that would be deleted now; a due run deletes them. */
const old = async (ctx: SiteContext, days = 30) => (await countOlder(ctx, 'webhook_log', days)).count;
const prune = async (ctx: SiteContext) => {
  await sql`update retention_runs set due_at = '2000-01-01'`.execute(world.db);
  await purgeExpired(ctx, 'webhook_log');
};
const delivered = (ctx: SiteContext, count: number) =>
  eventually(async () => (await deliveriesOf(ctx, { status: 'delivered' })).length).toBe(count);
const summaries = async (ctx: SiteContext) =>
  (await deliveriesOf(ctx)).map(({ payload }) => (payload as { summary: string }).summary);

describe('the log', () => {
  it('is kept for the site’s time and then deleted, with attempts, events and hours', async () => {
    const [ctx, receiver] = [await world.site(), await world.receiver()];
    const { id } = await subscribe(ctx, receiver.url);
    world.worker();
    await emitHandoff(ctx, 'old');
    await delivered(ctx, 1);
    world.clock.add(30 * DAY_MS);
    await emitHandoff(ctx, 'new');
    await delivered(ctx, 2);
    expect(await old(ctx)).toBe(0);
    world.clock.add(1);
    expect(await old(ctx)).toBe(1);
    await prune(ctx);
    expect(await summaries(ctx)).toEqual(['new']);
    expect((await sql`select from webhook_attempts`.execute(world.db)).rows).toHaveLength(1);
    expect((await sql`select from webhook_events`.execute(world.db)).rows).toHaveLength(1);
    expect((await run(ctx, 'webhook_hours.list', { subscription_id: id, days: 30 })).hours).toHaveLength(1);
    expect(await old(ctx)).toBe(0);
  });

  it('keeps deliveries that are still being retried, and deletes those that wait for a disabled subscription', async () => {
    const ctx = await world.site();
    const { id } = await subscribe(ctx, 'http://127.0.0.1:9/');
    await sql`update sites set keep_webhook_log_days = 2`.execute(world.db);
    await emitHandoff(ctx);
    world.clock.add(3 * DAY_MS);
    expect(await old(ctx, 2)).toBe(0);
    await prune(ctx);
    expect(await deliveriesOf(ctx)).toHaveLength(1);
    await run(ctx, 'webhook_subscriptions.update', { id, enabled: false });
    expect(await old(ctx, 2)).toBe(1);
    await prune(ctx);
    expect(await deliveriesOf(ctx)).toEqual([]);
  });

  it('is deleted in steps, however long it is', async () => {
    const ctx = await world.site();
    const { id } = await subscribe(ctx, 'http://127.0.0.1:9/');
    await sql`
      with event as (
        insert into webhook_events (site_id, id, event, body, created_at)
        select ${ctx.site.id}, 'evt_' || n, 'ping', '{}', '2020-01-01' from generate_series(1, 950) n returning id
      )
      insert into webhook_deliveries (site_id, delivery_id, event_id, subscription_id, dead_at)
      select ${ctx.site.id}, id, id, ${id}, now() from event`.execute(world.db);
    await prune(ctx);
    expect(await deliveriesOf(ctx)).toEqual([]);
  });
});

describe('the hours', () => {
  it('count attempts, the successful and the failed', async () => {
    const ctx = await world.site();
    const receiver = await world.receiver((response, _request, index) =>
      response.writeHead(index < 2 ? 500 : 200).end(),
    );
    const { id } = await subscribe(ctx, receiver.url);
    const worker = world.worker({ delaysMs: [1, 1, 1] });
    const day = 86_400_000 - (world.clock.now().getTime() % 86_400_000);
    world.clock.add(day);
    const from = world.clock.now().toISOString();
    await emitHandoff(ctx);
    for (const count of [1, 2, 3]) {
      await eventually(async () => (await deliveriesOf(ctx))[0]?.attempts.length).toBe(count);
      world.clock.add(count === 1 ? 3_600_000 : 2);
      worker.wake();
    }
    const { hours } = await run(ctx, 'webhook_hours.list', { subscription_id: id });
    const hour = (past: number) => `${from.slice(0, 11)}0${past}:00:00.000Z`;
    expect(hours).toMatchObject([
      { hour_utc: hour(0), succeeded: 0, failed: 1 },
      { hour_utc: hour(1), succeeded: 1, failed: 1 },
    ]);
  });

  it('cover exactly the requested days', async () => {
    const ctx = await world.site();
    const { id } = await subscribe(ctx, 'http://127.0.0.1:9/');
    // The time is a full hour.
    world.clock.add(DAY_MS - (world.clock.now().getTime() % DAY_MS));
    const today = world.clock.now().toISOString();
    await sql`
      insert into webhook_hours (site_id, subscription_id, hour, succeeded, failed, duration_ms)
      select ${ctx.site.id}, ${id}, hour, 1, 0, 1
      from generate_series(${today}::timestamptz - interval '2 days', ${today}, interval '1 hour') hour`.execute(
      world.db,
    );
    const { hours } = await run(ctx, 'webhook_hours.list', { subscription_id: id, days: 1 });
    expect(hours).toHaveLength(24);
    expect(hours.at(-1)?.hour_utc).toBe(today);
  });
});
