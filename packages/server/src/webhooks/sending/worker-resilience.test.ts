import { type ChildProcess, spawn } from 'node:child_process';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { TEST_SECRET } from '../../../test/harness.ts';
import { answerWith, type ReceivedRequest } from '../../../test/receiver.ts';
import {
  DELAYS_MS,
  deliveriesOf,
  emitHandoff,
  eventually,
  subscribe,
  useWorld,
} from '../../../test/webhook-world.ts';

const world = useWorld();
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const LEASE_MS = 600;
/** How often workers poll for what a dead worker left behind. */
const POLL_MS = 200;
const moduleUrl = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** A worker in a process of its own, so that it can be killed. */
function spawnWorker(): ChildProcess {
  const script = `
    import { pino } from 'pino';
    import { openDatabase } from ${moduleUrl('../../db/database.ts')};
    import { createVault } from ${moduleUrl('../../core/vault.ts')};
    import { createDeliveryWorker } from ${moduleUrl('../deliveries.ts')};
    createDeliveryWorker({
      db: openDatabase(${JSON.stringify(world.url)}).db,
      log: pino({ level: 'silent' }),
      services: { vault: createVault(${JSON.stringify(TEST_SECRET)}), webhooks: { allowPrivate: true } },
      delaysMs: [],
      now: () => new Date(${world.clock.now().getTime()}),
      leaseMs: ${LEASE_MS},
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  children.push(child);
  return child;
}

const sameDelivery = (requests: ReceivedRequest[]) => {
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  expect(new Set(requests.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
};

async function cutDatabase(admin: pg.Client, name: string): Promise<void> {
  await admin.query(`alter database ${name} allow_connections false`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
}

describe('a worker', () => {
  it('that is killed between sending and recording loses its lease, and another sends the same again', async () => {
    const [ctx, died] = [await world.site(), Promise.withResolvers<void>()];
    let child: ChildProcess | undefined;
    const receiver = await world.receiver((response, _request, index) => {
      if (index > 0 || !child) return response.end();
      child.once('exit', () => died.resolve());
      child.kill('SIGKILL');
    });
    await subscribe(ctx, receiver.url);
    await emitHandoff(ctx);
    child = spawnWorker();
    await died.promise;
    expect(await deliveriesOf(ctx)).toMatchObject([{ status: 'pending', attempts: [] }]);
    world.worker({ leaseMs: LEASE_MS, pollMs: POLL_MS });
    sameDelivery(await receiver.received(2));
    await eventually(() => deliveriesOf(ctx)).toMatchObject([
      { status: 'delivered', attempts: [{ number: 1 }] },
    ]);
  });

  it('whose database is lost after the send sends the same again when it is back', async () => {
    const url = new URL(world.url);
    const admin = new pg.Client({
      connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href,
    });
    await admin.connect();
    const name = url.pathname.slice(1);
    const ctx = await world.site();
    const receiver = await world.receiver((response, _request, index) => {
      if (index > 0) return response.end();
      void cutDatabase(admin, name).then(() => response.end());
    });
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
    await subscribe(ctx, receiver.url);
    await emitHandoff(ctx);
    world.worker({ leaseMs: LEASE_MS, pollMs: POLL_MS, log });
    await receiver.received(1);
    for (const line of ['claiming webhook deliveries failed', 'recording a webhook attempt failed']) {
      await eventually(() => lines.join('')).toContain(line);
    }
    await admin.query(`alter database ${name} allow_connections true`);
    await admin.end();
    sameDelivery(await receiver.received(2));
    await eventually(() => deliveriesOf(ctx)).toMatchObject([
      { status: 'delivered', attempts: [{ number: 1 }] },
    ]);
  });

  it('renews its lease while an exchange lasts longer than it', async () => {
    const [ctx, answer] = [await world.site(), Promise.withResolvers<void>()];
    const receiver = await world.receiver((response) => void answer.promise.then(() => response.end()));
    await subscribe(ctx, receiver.url);
    await emitHandoff(ctx);
    world.worker({ leaseMs: LEASE_MS });
    await receiver.received(1);
    const leaseEnd = async () => {
      const { rows } = await sql<{ at: Date; over: boolean }>`
        select lease_until as at, lease_until < clock_timestamp() as over from webhook_leases`.execute(
        world.db,
      );
      return rows[0];
    };
    const first = (await leaseEnd())?.at.getTime() ?? 0;
    await eventually(async () => (await leaseEnd())?.at.getTime()).toBeGreaterThan(first + LEASE_MS);
    expect((await leaseEnd())?.over).toBe(false);
    world.worker({ leaseMs: LEASE_MS }).wake();
    answer.resolve();
    await eventually(() => deliveriesOf(ctx)).toMatchObject([{ status: 'delivered' }]);
    expect(receiver.requests).toHaveLength(1);
  });

  it('beside two others sends each delivery once, at most four at a time to one subscription', async () => {
    const ctx = await world.site();
    const [now, most] = [new Map<string, number>(), new Map<string, number>()];
    const receiver = await world.receiver((response, { path }) => {
      const inFlight = (now.get(path) ?? 0) + 1;
      now.set(path, inFlight);
      most.set(path, Math.max(inFlight, most.get(path) ?? 0));
      setImmediate(() => {
        now.set(path, (now.get(path) ?? 0) - 1);
        response.end();
      });
    });
    for (const path of ['a', 'b', 'c']) await subscribe(ctx, `${receiver.url}/${path}`);
    for (let emitted = 0; emitted < 40; emitted += 1) await emitHandoff(ctx, String(emitted));
    for (let workers = 0; workers < 3; workers += 1) world.worker();
    await eventually(async () => (await deliveriesOf(ctx, { status: 'delivered', limit: 200 })).length).toBe(
      120,
    );
    const ids = receiver.requests.map(({ headers }) => headers['x-service-delivery']);
    expect(ids).toHaveLength(120);
    expect(new Set(ids).size).toBe(120);
    expect(Math.max(...most.values())).toBeLessThanOrEqual(4);
  });

  it('is not blocked by hanging receivers: they hold four places each, the others continue', async () => {
    const [ctx, hung] = [await world.site(), await world.receiver(() => undefined)];
    const healthy = await world.receiver();
    await subscribe(ctx, hung.url);
    for (let emitted = 0; emitted < 50; emitted += 1) await emitHandoff(ctx, 'hangs');
    await subscribe(ctx, healthy.url);
    for (let emitted = 0; emitted < 20; emitted += 1) await emitHandoff(ctx, 'both');
    world.worker({ maxInFlight: 8, stopGraceMs: 0 });
    await healthy.received(20);
    await eventually(async () => (await deliveriesOf(ctx, { status: 'delivered' })).length).toBe(20);
    expect(hung.requests).toHaveLength(4);
  });

  it('that is stopped lets an exchange end and records it', async () => {
    const [ctx, answer] = [await world.site(), Promise.withResolvers<void>()];
    const receiver = await world.receiver((response) => void answer.promise.then(() => response.end()));
    await subscribe(ctx, receiver.url);
    await emitHandoff(ctx);
    const worker = world.worker();
    await receiver.received(1);
    const stopped = worker.stop();
    answer.resolve();
    await stopped;
    expect(await deliveriesOf(ctx)).toMatchObject([{ status: 'delivered' }]);
  });

  it('that is stopped aborts hanging exchanges, counts no attempt, and releases their lanes at once', async () => {
    const ctx = await world.site();
    const receiver = await world.receiver((response, _request, index) => {
      if (index > 0) response.end();
    });
    await subscribe(ctx, receiver.url);
    await emitHandoff(ctx);
    const worker = world.worker({ stopGraceMs: 0 });
    await receiver.received(1);
    await worker.stop();
    expect(await deliveriesOf(ctx)).toMatchObject([{ status: 'pending', attempts: [] }]);
    world.worker();
    sameDelivery(await receiver.received(2));
  });

  it('reports which site had attempts recorded', async () => {
    const [ctx, receiver] = [await world.site(), await world.receiver(answerWith(500))];
    await subscribe(ctx, receiver.url);
    const told = Promise.withResolvers<number>();
    world.worker({ delaysMs: DELAYS_MS, notify: told.resolve });
    await emitHandoff(ctx);
    expect(await told.promise).toBe(ctx.site.id);
    expect(await deliveriesOf(ctx)).toMatchObject([{ attempts: [{ status_code: 500 }] }]);
  });

  it('wakes automatically when a retry is due', async () => {
    const [ctx, receiver] = [await world.site(), await world.receiver(answerWith(500))];
    await subscribe(ctx, receiver.url);
    const start = performance.now();
    world.worker({
      delaysMs: [50, 50],
      now: () => new Date(world.clock.now().getTime() + performance.now() - start),
    });
    await emitHandoff(ctx);
    await receiver.received(3);
  });
});
