import { describe, expect, it } from 'vitest';
import { findDue } from '../../test/find-due.ts';
import { deliveriesOf, emitHandoff, eventually, run, subscribe, useWorld } from '../../test/webhook-world.ts';
import type { SiteContext } from '../core/context.ts';
import type { RecurringJob } from '../jobs/schedule.ts';
import { disableFailing, dueNotices, failing } from './disabling.ts';

const world = useWorld();

const DAY_MS = 86_400_000;
const idsOf = async (due: RecurringJob['due']) =>
  (await findDue({ due }, world.db, world.clock.now(), 10)).map(({ id }) => id);
const attempts = (ctx: SiteContext, count: number) =>
  eventually(async () => (await deliveriesOf(ctx)).flatMap((one) => one.attempts).length).toBe(count);

async function scene(statusOf: (index: number) => number) {
  const ctx = await world.site();
  const receiver = await world.receiver((response, _request, index) =>
    response.writeHead(statusOf(index)).end(),
  );
  const { id } = await subscribe(ctx, receiver.url);
  world.worker({ delaysMs: [] });
  let made = 0;
  const tryOnce = async () => {
    await emitHandoff(ctx);
    made += 1;
    await attempts(ctx, made);
  };
  const read = () => run(ctx, 'webhook_subscriptions.list', { id });
  return { ctx, id, tryOnce, read };
}

describe('a subscription that has only failed', () => {
  it('for five days is disabled with a reason, and its admins are to be notified', async () => {
    const { ctx, id, tryOnce, read } = await scene(() => 500);
    await tryOnce();
    expect(await read()).toMatchObject({ failing_since_utc: '2026-01-01T00:00:00.000Z', enabled: true });
    world.clock.add(5 * DAY_MS - 1);
    await tryOnce();
    expect(await idsOf(failing)).toEqual([]);
    world.clock.add(1);
    await tryOnce();
    expect(await idsOf(failing)).toEqual([id]);
    await disableFailing(ctx, id);
    expect(await read()).toMatchObject({
      enabled: false,
      disabled_reason: 'Every attempt failed for 5 days.',
    });
    expect(await idsOf(dueNotices)).toEqual([id]);
    expect(await idsOf(failing)).toEqual([]);
  });

  it('is left alone when one attempt succeeded meanwhile, and without attempts', async () => {
    const { ctx, id, tryOnce, read } = await scene((index) => (index === 1 ? 204 : 500));
    await tryOnce();
    world.clock.add(6 * DAY_MS);
    expect(await idsOf(failing)).toEqual([]);
    await tryOnce();
    expect(await read()).toMatchObject({ failing_since_utc: null });
    await tryOnce();
    expect(await idsOf(failing)).toEqual([]);
    await disableFailing(ctx, id);
    expect(await read()).toMatchObject({ enabled: true });
  });

  it('starts counting again after it was enabled or its address was changed', async () => {
    const { id, ctx, tryOnce, read } = await scene(() => 500);
    await tryOnce();
    world.clock.add(6 * DAY_MS);
    await tryOnce();
    expect(await idsOf(failing)).toEqual([id]);
    await disableFailing(ctx, id);
    await run(ctx, 'webhook_subscriptions.update', { id, enabled: true });
    expect(await read()).toMatchObject({ failing_since_utc: null, disabled_reason: null });
    expect(await idsOf(dueNotices)).toEqual([]);
    await tryOnce();
    expect(await idsOf(failing)).toEqual([]);
  });
});
