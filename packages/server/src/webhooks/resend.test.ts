import { describe, expect, it } from 'vitest';
import { deliveriesOf, emitHandoff, eventually, run, subscribe, useWorld } from '../../test/webhook-world.ts';
import type { SiteContext } from '../core/context.ts';
import { sendDeadAgain } from './resend.ts';

const world = useWorld();

/** A receiver that is down until it is repaired. */
async function downReceiver() {
  const state = { up: false };
  const receiver = await world.receiver((response) => response.writeHead(state.up ? 204 : 500).end());
  const mend = () => {
    state.up = true;
  };
  return { ...receiver, mend };
}
const dead = async (ctx: SiteContext, count: number) =>
  eventually(async () => (await deliveriesOf(ctx, { status: 'dead', limit: 200 })).length).toBe(count);
const now = () => world.clock.now().toISOString();

describe('all deliveries that died since a time', () => {
  it('are sent again, of one subscription or of all, and earlier ones are not', async () => {
    const [ctx, one, two] = [await world.site(), await downReceiver(), await downReceiver()];
    world.worker({ delaysMs: [] });
    const { id } = await subscribe(ctx, one.url);
    await subscribe(ctx, two.url);
    await emitHandoff(ctx, 'before');
    await dead(ctx, 2);
    world.clock.add(60_000);
    const since = now();
    for (const summary of ['a', 'b', 'c']) await emitHandoff(ctx, summary);
    await dead(ctx, 8);
    one.mend();
    two.mend();
    const queued = { dead_since: since, dead_until: now() };
    expect(await run(ctx, 'webhook_deliveries.resend', { dead_since: since, subscription_id: id })).toEqual({
      queued: 3,
    });
    expect(await run(ctx, 'webhook_deliveries.resend', { dead_since: since })).toEqual({ queued: 6 });
    await sendDeadAgain(ctx, { ...queued, subscription_id: id });
    await dead(ctx, 5);
    await sendDeadAgain(ctx, { ...queued, subscription_id: null });
    await dead(ctx, 2);
    await eventually(async () => (await deliveriesOf(ctx, { status: 'delivered' })).length).toBe(6);
    const left = await deliveriesOf(ctx, { status: 'dead' });
    expect(left.map(({ payload }) => (payload as { summary: string }).summary)).toEqual(['before', 'before']);
  });

  it('are queued in the transaction, and count none of a disabled subscription', async () => {
    const [ctx, receiver] = [await world.site(), await downReceiver()];
    world.worker({ delaysMs: [] });
    const { id } = await subscribe(ctx, receiver.url);
    await emitHandoff(ctx);
    await dead(ctx, 1);
    await run(ctx, 'webhook_subscriptions.update', { id, enabled: false });
    expect(await run(ctx, 'webhook_deliveries.resend', { dead_since: '2026-01-01' })).toEqual({ queued: 0 });
    await expect(
      run(ctx, 'webhook_deliveries.resend', { dead_since: '2026-01-01', subscription_id: id }),
    ).rejects.toMatchObject({ code: 'conflict' });
  });

  it('that die again are not sent a third time', async () => {
    const [ctx, receiver] = [await world.site(), await downReceiver()];
    world.worker({ delaysMs: [] });
    await subscribe(ctx, receiver.url);
    await emitHandoff(ctx);
    await dead(ctx, 1);
    const job = { subscription_id: null, dead_since: now(), dead_until: now() };
    world.clock.add(1);
    await sendDeadAgain(ctx, job);
    await eventually(async () => (await deliveriesOf(ctx))[0]?.attempts.length).toBe(2);
    await sendDeadAgain(ctx, job);
    expect((await deliveriesOf(ctx))[0]?.attempts).toHaveLength(2);
    expect(receiver.requests).toHaveLength(2);
  });

  it('are refused together with an id, or without either', async () => {
    const ctx = await world.site();
    for (const input of [{}, { id: 1, dead_since: '2026-01-01' }, { subscription_id: 1 }]) {
      await expect(run(ctx, 'webhook_deliveries.resend', input)).rejects.toMatchObject({
        code: 'invalid_input',
      });
    }
  });
});
