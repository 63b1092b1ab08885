import { describe, expect, it } from 'vitest';
import { answerWith } from '../../test/receiver.ts';
import { holdUp } from '../../test/waiting.ts';
import {
  DELAYS_MS,
  deliveriesOf,
  emitHandoff,
  eventually,
  run,
  subscribe,
  useWorld,
} from '../../test/webhook-world.ts';

const world = useWorld();

const URL = 'http://127.0.0.1:9/hook';

describe('the delivery log', () => {
  it('is filtered by subscription, status, event and time', async () => {
    const [ctx, receiver] = [await world.site(), await world.receiver()];
    const [first, second] = [await subscribe(ctx, receiver.url), await subscribe(ctx, URL)];
    await emitHandoff(ctx, 'one');
    world.clock.add(60_000);
    await run(ctx, 'webhook_subscriptions.test', { id: first.id });
    const worker = world.worker();
    await eventually(async () => (await deliveriesOf(ctx, { status: 'delivered' })).length).toBe(2);
    await eventually(async () => (await deliveriesOf(ctx, { status: 'retrying' })).length).toBe(1);
    await worker.stop();
    await emitHandoff(ctx, 'two');
    const idsOf = async (filter: Parameters<typeof deliveriesOf>[1]) =>
      (await deliveriesOf(ctx, filter)).map(({ event, subscription_id }) => `${event} ${subscription_id}`);
    expect(await idsOf({ subscription_id: second.id })).toEqual([
      `handoff ${second.id}`,
      `handoff ${second.id}`,
    ]);
    expect(await idsOf({ status: 'retrying' })).toEqual([`handoff ${second.id}`]);
    expect(await idsOf({ status: 'pending' })).toHaveLength(2);
    expect(await idsOf({ status: 'dead' })).toEqual([]);
    expect(await idsOf({ event: 'ping' })).toEqual([`ping ${first.id}`]);
    expect(await idsOf({ since: '2026-01-01T00:01:00Z' })).toHaveLength(3);
    expect(await idsOf({ since: '2027-01-01' })).toEqual([]);
  });

  it('is paged newest first, stable while deliveries are added', async () => {
    const ctx = await world.site();
    await subscribe(ctx, URL);
    for (const summary of ['1', '2', '3']) await emitHandoff(ctx, summary);
    const summaries = (items: { payload: unknown }[]) =>
      items.map(({ payload }) => (payload as { summary: string }).summary);
    const first = await run(ctx, 'webhook_deliveries.list', { limit: 2 });
    await emitHandoff(ctx, '4');
    const second = await run(ctx, 'webhook_deliveries.list', { limit: 2, cursor: first.next_cursor ?? '' });
    expect([...summaries(first.items), ...summaries(second.items)]).toEqual(['3', '2', '1']);
    expect(second.next_cursor).toBeNull();
    const oldest = await run(ctx, 'webhook_deliveries.list', { limit: 1, order: 'asc' });
    expect(summaries(oldest.items)).toEqual(['1']);
    await expect(run(ctx, 'webhook_deliveries.list', { cursor: '!' })).rejects.toMatchObject({
      code: 'invalid_input',
      issues: [{ path: 'cursor' }],
    });
  });
});

describe('a test event', () => {
  it('is a ping to one subscription, whatever it selected, and to no other', async () => {
    const [ctx, receiver, other] = [await world.site(), await world.receiver(), await world.receiver()];
    await subscribe(ctx, other.url);
    const { id } = await subscribe(ctx, receiver.url);
    world.worker();
    const made = await run(ctx, 'webhook_subscriptions.test', { id });
    expect(made).toMatchObject({ event: 'ping', subscription_id: id, status: 'pending', attempts: [] });
    const [request] = await receiver.received(1);
    expect(request?.headers).toMatchObject({
      'x-service-event': 'ping',
      'x-service-delivery': made.delivery_id,
    });
    expect(JSON.parse(request?.body ?? '')).toEqual(made.payload);
    expect(other.requests).toHaveLength(0);
  });
});

describe('sending again', () => {
  it('a dead delivery sends the same bytes under the same id, and restarts the schedule', async () => {
    const receiver = await world.receiver(answerWith(500));
    const ctx = await world.site();
    await subscribe(ctx, receiver.url);
    const worker = world.worker({ delaysMs: [30_000] });
    await emitHandoff(ctx);
    await receiver.received(1);
    await eventually(async () => (await deliveriesOf(ctx, { status: 'retrying' })).length).toBe(1);
    world.clock.add(30_000);
    worker.wake();
    await eventually(async () => (await deliveriesOf(ctx, { status: 'dead' })).length).toBe(1);
    const [dead] = await deliveriesOf(ctx);
    const again = await run(ctx, 'webhook_deliveries.resend', { id: dead?.id ?? 0 });
    expect(again).toMatchObject({ delivery_id: dead?.delivery_id, status: 'pending' });
    const requests = await receiver.received(3);
    await eventually(async () => (await deliveriesOf(ctx, { status: 'retrying' })).length).toBe(1);
    expect(requests.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3']);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
  });

  it('of two requests at once for a dead one the first succeeds, and the second is refused', async () => {
    const [ctx, receiver] = [await world.site(), await world.receiver(answerWith(500))];
    await subscribe(ctx, receiver.url);
    const worker = world.worker({ delaysMs: [] });
    await emitHandoff(ctx);
    await eventually(async () => (await deliveriesOf(ctx, { status: 'dead' })).length).toBe(1);
    await worker.stop();
    const id = (await deliveriesOf(ctx))[0]?.id ?? 0;
    const holder = await holdUp(world.url);
    // Both may read under it, and neither may write.
    await holder.query('select from webhook_deliveries where id = $1 for share', [id]);
    const asked = Promise.allSettled([1, 2].map(() => run(ctx, 'webhook_deliveries.resend', { id })));
    await Promise.race([holder.awaited(2), asked]);
    await holder.commit();
    const answers = (await asked).toSorted((a, b) => a.status.localeCompare(b.status));
    expect(answers).toMatchObject([
      { status: 'fulfilled', value: { id, status: 'pending' } },
      { status: 'rejected', reason: { reason: 'delivery_under_way' } },
    ]);
  });

  it('a delivered one delivers it again', async () => {
    const [ctx, receiver] = [await world.site(), await world.receiver()];
    await subscribe(ctx, receiver.url);
    world.worker();
    await emitHandoff(ctx);
    await eventually(async () => (await deliveriesOf(ctx, { status: 'delivered' })).length).toBe(1);
    const [delivered] = await deliveriesOf(ctx);
    await run(ctx, 'webhook_deliveries.resend', { id: delivered?.id ?? 0 });
    await receiver.received(2);
    await eventually(async () => (await deliveriesOf(ctx))[0]?.attempts.length).toBe(2);
  });

  it('is refused while it is being sent, and while its subscription is disabled', async () => {
    const [ctx, slow] = [await world.site(), await world.receiver(() => undefined)];
    const { id: subscription } = await subscribe(ctx, slow.url);
    const worker = world.worker({ delaysMs: DELAYS_MS, stopGraceMs: 0 });
    await emitHandoff(ctx);
    await slow.received(1);
    const id = (await deliveriesOf(ctx))[0]?.id ?? 0;
    await expect(run(ctx, 'webhook_deliveries.resend', { id })).rejects.toMatchObject({ code: 'conflict' });
    await worker.stop();
    await run(ctx, 'webhook_subscriptions.update', { id: subscription, enabled: false });
    await expect(run(ctx, 'webhook_deliveries.resend', { id })).rejects.toMatchObject({ code: 'conflict' });
  });
});
