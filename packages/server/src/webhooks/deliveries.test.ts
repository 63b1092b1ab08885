import { verify } from '@octokit/webhooks-methods';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { answerWith } from '../../test/receiver.ts';
import {
  DELAYS_MS,
  deliveriesOf,
  emitHandoff,
  eventually,
  run,
  SESSION,
  subscribe,
  useWorld,
} from '../../test/webhook-world.ts';
import type { SiteContext } from '../core/context.ts';
import { createVault } from '../core/vault.ts';

const world = useWorld();

const only = async (ctx: SiteContext) => {
  const [delivery, ...others] = await deliveriesOf(ctx);
  if (!delivery || others.length > 0) throw new Error(`${others.length} others`);
  return delivery;
};
const attempts = (ctx: SiteContext, count: number) =>
  eventually(async () => (await only(ctx)).attempts.length).toBe(count);
const isDue = async () => {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select from webhook_queue q join webhook_subscriptions s on s.id = q.subscription_id
      where next_attempt_at <= ${world.clock.now()} and disabled_at is null) as due`.execute(world.db);
  return rows[0]?.due;
};

describe('a delivery', () => {
  it('is sent at once, signed, with the event in a flat body', async () => {
    const [ctx, receiver] = [await world.site(), await world.receiver(answerWith(200, 'thanks'))];
    world.worker();
    const { id, secret = '' } = await subscribe(ctx, receiver.url);
    await emitHandoff(ctx);
    const [request] = await receiver.received(1);
    if (!request) throw new Error('no request');
    const body = JSON.parse(request.body);
    expect(body).toEqual({
      id: expect.stringMatching(/^evt_/),
      event: 'handoff',
      site_id: ctx.site.id,
      session_id: SESSION,
      visitor: { key: 'v1', name: 'Ada', email: 'ada@example.com' },
      handoff_reason: 'visitor_request',
      summary: 'Wants a refund',
      created_utc: '2026-01-01T00:00:00.000Z',
    });
    expect(await verify(secret, request.body, request.headers['x-service-signature'] ?? '')).toBe(true);
    await attempts(ctx, 1);
    expect(await only(ctx)).toMatchObject({
      delivery_id: request.headers['x-service-delivery'],
      subscription_id: id,
      event: 'handoff',
      status: 'delivered',
      payload: body,
      next_attempt_utc: null,
      attempts: [{ number: 1, status_code: 200, error: null, response_excerpt: 'thanks' }],
    });
    expect(await run(ctx, 'webhook_subscriptions.list', { id })).toMatchObject({
      last_delivery_utc: '2026-01-01T00:00:00.000Z',
    });
  });

  it('that fails is sent six times in all, on the schedule, the same bytes under the same id, then is dead', async () => {
    const [ctx, receiver] = [await world.site(), await world.receiver(answerWith(503, 'later'))];
    const worker = world.worker();
    await subscribe(ctx, receiver.url);
    await emitHandoff(ctx);
    for (const [retries, delayMs] of DELAYS_MS.entries()) {
      await attempts(ctx, retries + 1);
      const due = new Date(world.clock.now().getTime() + delayMs).toISOString();
      expect(await only(ctx)).toMatchObject({ status: 'retrying', next_attempt_utc: due });
      world.clock.add(delayMs - 1);
      expect(await isDue()).toBe(false);
      world.clock.add(1);
      worker.wake();
    }
    await attempts(ctx, 6);
    expect(await only(ctx)).toMatchObject({ status: 'dead', next_attempt_utc: null });
    world.clock.add(24 * 3_600_000);
    expect(await isDue()).toBe(false);
    const { requests } = receiver;
    expect(requests.map(({ headers }) => headers['x-service-attempt'])).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
    ]);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('is delivered by the retry that gets a 2xx, and not sent after it', async () => {
    const receiver = await world.receiver((response, _request, index) =>
      response.writeHead(index === 0 ? 429 : 204).end(),
    );
    const [ctx, worker] = [await world.site(), world.worker()];
    await subscribe(ctx, receiver.url);
    await emitHandoff(ctx);
    await attempts(ctx, 1);
    world.clock.add(30_000);
    worker.wake();
    await attempts(ctx, 2);
    expect(await only(ctx)).toMatchObject({
      status: 'delivered',
      attempts: [{ status_code: 429 }, { status_code: 204 }],
    });
    world.clock.add(24 * 3_600_000);
    expect(await isDue()).toBe(false);
  });

  it('of a change that is rolled back does not exist', async () => {
    const ctx = await world.site();
    await subscribe(ctx, 'http://127.0.0.1:9/');
    const failing = ctx.transaction(async (tx) => {
      await emitHandoff(tx);
      throw new Error('the change fails');
    });
    await expect(failing).rejects.toThrow('the change fails');
    expect(await deliveriesOf(ctx)).toEqual([]);
    expect(world.notices).toEqual([]);
    expect(await world.db.selectFrom('webhook_events').selectAll().execute()).toEqual([]);
  });

  it('answered with 410 is dead at once and disables its subscription, with the reason', async () => {
    const [ctx, receiver] = [await world.site(), await world.receiver(answerWith(410))];
    world.worker();
    const { id } = await subscribe(ctx, receiver.url);
    await emitHandoff(ctx);
    await attempts(ctx, 1);
    expect((await only(ctx)).status).toBe('dead');
    expect(await run(ctx, 'webhook_subscriptions.list', { id })).toMatchObject({
      enabled: false,
      disabled_reason: expect.stringContaining('410'),
    });
    await emitHandoff(ctx);
    expect(await deliveriesOf(ctx)).toHaveLength(1);
  });

  it('of a disabled subscription waits, and is sent when it is enabled', async () => {
    const [ctx, receiver] = [await world.site(), await world.receiver()];
    const { id } = await subscribe(ctx, receiver.url);
    await emitHandoff(ctx);
    await run(ctx, 'webhook_subscriptions.update', { id, enabled: false });
    expect(await isDue()).toBe(false);
    expect(await only(ctx)).toMatchObject({ status: 'pending', next_attempt_utc: null });
    await expect(run(ctx, 'webhook_subscriptions.test', { id })).rejects.toMatchObject({ code: 'conflict' });
    world.worker();
    await run(ctx, 'webhook_subscriptions.update', { id, enabled: true });
    await receiver.received(1);
  });

  it('of a subscription that is deleted while it is sent is dropped, and the worker continues', async () => {
    const other = await world.receiver();
    const ctx = await world.site();
    const deleting = await world.receiver((response) => {
      void run(ctx, 'webhook_subscriptions.delete', { id }).then(() => response.end());
    });
    world.worker();
    const { id } = await subscribe(ctx, deleting.url);
    await emitHandoff(ctx);
    await deleting.received(1);
    await eventually(() => deliveriesOf(ctx)).toEqual([]);
    await subscribe(ctx, other.url);
    await emitHandoff(ctx);
    await attempts(ctx, 1);
  });

  it('is signed with both secrets for 24 h after a rotation', async () => {
    const [ctx, receiver] = [await world.site(), await world.receiver()];
    world.worker();
    const { id, secret: old = '' } = await subscribe(ctx, receiver.url);
    const { secret = '' } = await run(ctx, 'webhook_subscriptions.update', { id, rotate_secret: true });
    expect(secret).not.toBe(old);
    world.clock.add(24 * 3_600_000 - 1);
    await emitHandoff(ctx);
    const [during] = await receiver.received(1);
    const signedBy = (key: string, header: string) =>
      verify(key, during?.body ?? '', during?.headers[header] ?? '');
    expect(await signedBy(secret, 'x-service-signature')).toBe(true);
    expect(await signedBy(old, 'x-service-signature-previous')).toBe(true);
    expect(during?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    world.clock.add(1);
    await emitHandoff(ctx);
    const [, after] = await receiver.received(2);
    expect(await verify(secret, after?.body ?? '', after?.headers['x-service-signature'] ?? '')).toBe(true);
    expect(after?.headers).not.toHaveProperty('x-service-signature-previous');
  });

  it('whose secret the server can no longer read fails with a reason and is not sent', async () => {
    const [ctx, receiver] = [await world.site(), await world.receiver()];
    const services = {
      vault: createVault('another secret, also of 32 characters'),
      webhooks: { allowPrivate: true },
    };
    world.worker({ services });
    await subscribe(ctx, receiver.url);
    await emitHandoff(ctx);
    await attempts(ctx, 1);
    expect(await only(ctx)).toMatchObject({
      status: 'retrying',
      attempts: [{ status_code: null, error: expect.stringContaining('FOYER_SECRET') }],
    });
    expect(receiver.requests).toHaveLength(0);
  });

  it('to an address that has become private is refused when it is sent', async () => {
    const [ctx, receiver] = [await world.site(), await world.receiver()];
    await subscribe(ctx, receiver.url);
    await sql`update webhook_subscriptions set url = replace(url, '127.0.0.1', 'hook.example')`.execute(
      world.db,
    );
    const vault = createVault('another secret, also of 32 characters');
    world.worker({
      services: { vault: { ...vault, open: () => 'secret' }, webhooks: { allowPrivate: false } },
      resolve: (_hostname, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    });
    await emitHandoff(ctx);
    await attempts(ctx, 1);
    expect((await only(ctx)).attempts[0]?.error).toContain('public address');
    expect(receiver.connections()).toBe(0);
  });
});
