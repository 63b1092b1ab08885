import { contract, type InputOf, type OperationName, type OutputOf } from '@foyer/protocol';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { invalidInput, issuesOf } from '../src/base/errors.ts';
import type { Actor } from '../src/core/actor.ts';
import { createContext, type SiteContext } from '../src/core/context.ts';
import type { Notice } from '../src/core/domain-event.ts';
import { createEmitter } from '../src/core/events.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import {
  createDeliveryWorker,
  type DeliveryWorker,
  type DeliveryWorkerOptions,
} from '../src/webhooks/deliveries.ts';
import { webhookOperations } from '../src/webhooks/operations.ts';
import { silentLog, testDatabase, testServices } from './harness.ts';
import { type Receiver, startReceiver } from './receiver.ts';

export const DELAYS_MS = [30_000, 120_000, 600_000, 3_600_000, 21_600_000];
const OPERATOR: Actor = { kind: 'operator' };

const servicesFor = (allowPrivate: boolean) => testServices({ webhooks: { allowPrivate } });

interface World extends Database {
  /** Only moves when a test moves it. */
  clock: { now(): Date; add(ms: number): void };
  notices: Notice[];
  site(options?: { allowPrivate?: boolean; actor?: Actor }): Promise<SiteContext>;
  receiver(...options: Parameters<typeof startReceiver>): Promise<Receiver>;
  worker(options?: Partial<DeliveryWorkerOptions>): DeliveryWorker;
  /** Ends what a test started and empties the tables. */
  reset(): Promise<void>;
  dispose(): Promise<void>;
}

/** Real PostgreSQL, real receivers, and a clock that tests move. */
async function createWorld(): Promise<World> {
  const base = await testDatabase();
  const database = openDatabase(base.url, { onError: () => undefined });
  const { db } = database;
  const notices: Notice[] = [];
  const receivers: Receiver[] = [];
  const workers: DeliveryWorker[] = [];
  let time = Date.parse('2026-01-01T00:00:00.000Z');
  const clock = {
    now: () => new Date(time),
    add: (ms: number) => {
      time += ms;
    },
  };
  const emitter = createEmitter((_siteId, notice) => {
    notices.push(notice);
    if (notice.kind === 'deliveries') for (const worker of workers) worker.wake();
  });
  return {
    ...database,
    clock,
    notices,
    async site({ allowPrivate = true, actor = OPERATOR } = {}) {
      const { id } = await db
        .insertInto('sites')
        .values({ name: 'Shop', public_key: crypto.randomUUID(), greeting: 'Hello' })
        .returning('id')
        .executeTakeFirstOrThrow();
      const services = servicesFor(allowPrivate);
      const send = async () => undefined;
      const site = { id, plan: 'free' } as const;
      return createContext({ site, actor, db, log: silentLog, services, now: clock.now, emitter, send });
    },
    async receiver(...options) {
      const receiver = await startReceiver(...options);
      receivers.push(receiver);
      return receiver;
    },
    worker(options = {}) {
      const worker = createDeliveryWorker({
        db,
        log: silentLog,
        services: servicesFor(true),
        delaysMs: DELAYS_MS,
        now: clock.now,
        random: () => 0,
        stopGraceMs: 2_000,
        ...options,
      });
      workers.push(worker);
      return worker;
    },
    async reset() {
      const closing = receivers.splice(0).map((receiver) => receiver.close());
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
      await Promise.all(closing);
      await db.deleteFrom('sites').execute();
      notices.length = 0;
    },
    async dispose() {
      await database.close();
      await base.close();
    },
  };
}

/** A world for the tests of a file, available once they begin, and emptied after each. */
export function useWorld(): World {
  const world = {} as World;
  beforeAll(async () => {
    Object.assign(world, await createWorld());
  });
  afterEach(() => world.reset());
  afterAll(() => world.dispose());
  return world;
}

/** Runs an operation like an entry point; its output must match the contract. */
export async function run<N extends OperationName>(
  ctx: SiteContext,
  name: N,
  input: InputOf<N>,
): Promise<OutputOf<N>> {
  const operation = webhookOperations.find((candidate) => candidate.name === name);
  if (!operation) throw new Error(`There is no operation ${name}`);
  const parsed = contract[name].input.safeParse(input);
  if (!parsed.success) throw invalidInput(issuesOf(parsed.error));
  const output = await operation.run(ctx, parsed.data);
  return contract[name].output.parse(output) as OutputOf<N>;
}

export const SESSION = 'ses_0123456789abcdefghijkl';

/** Emits a change for `handoff` subscriptions. */
export const emitHandoff = (ctx: SiteContext, summary = 'Wants a refund'): Promise<void> =>
  ctx.emit({
    webhook: {
      event: 'handoff',
      body: {
        session_id: SESSION,
        visitor: { key: 'v1', name: 'Ada', email: 'ada@example.com' },
        handoff_reason: 'visitor_request',
        summary,
      },
    },
  });

export const subscribe = (ctx: SiteContext, url: string) =>
  run(ctx, 'webhook_subscriptions.create', { url, events: ['handoff'] });

export async function deliveriesOf(ctx: SiteContext, filter: InputOf<'webhook_deliveries.list'> = {}) {
  return (await run(ctx, 'webhook_deliveries.list', filter)).items;
}

/** Polls for the result itself, for as long as a busy machine may take. */
export const eventually = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: 20_000 });
