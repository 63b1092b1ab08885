import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Services } from '../context.ts';
import type { Tables } from '../db/tables.ts';
import type { Resolve } from './address-guard.ts';
import { type AttemptParts, attempt } from './attempt.ts';
import { recordAttempts } from './attempt-record.ts';
import { createAttemptRecorder } from './attempt-recorder.ts';
import { type DueDelivery, lookForLanes, releaseLanes, renewLanes, takeDue } from './lane-queue.ts';
import { createLanes, type Lanes } from './lanes.ts';
import { createPace, UNPACED } from './pace.ts';
import { createSender } from './sender.ts';
import { createSigningKeys } from './signing-keys.ts';
import { createSleeper } from './sleeper.ts';

/** With the poll of another worker a dead one's deliveries go out well within the 60 s of decisions 5. */
const LEASE_MS = 30_000;
/** What is due is known and waited for; this is for what a lost notice or a dead worker left behind. */
const POLL_MS = 5_000;
/** A burst of events is one look. */
const LOOK_EVERY_MS = 20;
/** Lanes that want more are read together. The first turn after a pause is at once. */
const TURN_EVERY_MS = 10;
const MAX_IN_FLIGHT = 512;
const MAX_LANES = 1_024;
const HELD_IN_ALL = 4_096;
/** A process that also answers people reads little at a time: neither that nor its garbage makes them wait. */
const HELD_GENTLY = 512;
const BACKOFF_FIRST_MS = 250;
/** Then exchanges are broken off, so that the whole stop, of which this is one part, ends within 10 s (decisions 1). */
const STOP_GRACE_MS = 3_000;
const STOP_STEP_MS = 1_000;

export interface DeliveryWorkerOptions {
  db: Kysely<Tables>;
  log: Logger;
  services: Pick<Services, 'vault' | 'webhooks'>;
  /** Of the retries after the first attempt, in order. */
  delaysMs: readonly number[];
  now(): Date;
  /** Called after attempts of a site were recorded, for who watches its log. */
  notify?(siteId: number): void;
  random?(): number;
  resolve?: Resolve;
  leaseMs?: number;
  pollMs?: number;
  timeoutMs?: number;
  maxInFlight?: number;
  /** The process also answers people: a backlog leaves it time for them. */
  gentle?: boolean;
  stopGraceMs?: number;
}

export interface DeliveryWorker {
  /** Looks for due deliveries at once: to be called after commits that made some, here or elsewhere. */
  wake(): void;
  /** Lets what is in flight end, breaks off what does not, gives it back; at most 5 s. */
  stop(): Promise<void>;
}

interface Parts extends AttemptParts {
  id: string;
  leaseMs: number;
}

function createParts(options: DeliveryWorkerOptions, breakOff: AbortSignal): Parts {
  const id = randomUUID();
  const { db, log, services, delaysMs, leaseMs = LEASE_MS, random = Math.random } = options;
  const sender = createSender({
    allowPrivate: services.webhooks.allowPrivate,
    ...(options.resolve && { resolve: options.resolve }),
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
  });
  const recorder = createAttemptRecorder({
    write: async (records) => {
      const written = await recordAttempts(db, id, records);
      const lost = records.length - written.length;
      if (lost > 0) log.warn({ lost }, 'webhook attempts came too late to be recorded: their lease was lost');
    },
    onError: (err) => log.error({ err }, 'recording webhook attempts failed'),
    giveUpAfterMs: leaseMs,
  });
  const openKey = createSigningKeys(services.vault);
  return { id, leaseMs, log, openKey, delaysMs, now: options.now, random, sender, recorder, breakOff };
}

const orAfter = (ms: number, work: Promise<unknown>): Promise<unknown> => {
  const sleeper = createSleeper();
  return Promise.race([work.finally(sleeper.wake), sleeper.sleep(ms)]);
};

/** The worker's own loop: finds lanes, reads what is due in them, and gives back those that rest. */
function createRounds(
  { db, now, pollMs = POLL_MS }: DeliveryWorkerOptions,
  { id: worker, leaseMs }: Parts,
  lanes: Lanes,
) {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let wanted = true;
  let nextDue: Date | null = null;

  const untilNextMs = (): number =>
    Math.min(pollMs, nextDue ? Math.max(1, nextDue.getTime() - now().getTime()) : pollMs);

  /** @returns how long it is until the next look. */
  async function look(): Promise<number> {
    const sinceMs = performance.now() - lookedAt;
    const isDue = nextDue !== null && nextDue <= now();
    if (!wanted && !isDue && sinceMs < pollMs) return Math.min(untilNextMs(), pollMs - sinceMs);
    if (sinceMs < LOOK_EVERY_MS) return LOOK_EVERY_MS - sinceMs;
    wanted = false;
    const limit = Math.max(0, MAX_LANES - lanes.size);
    const found = await lookForLanes(db, { worker, leaseMs, now: now(), limit });
    lookedAt = performance.now();
    nextDue = found.nextDue;
    lanes.due(found.lanes);
    return untilNextMs();
  }

  return {
    wantLook() {
      wanted = true;
    },
    /** @returns how long there is nothing to do, in milliseconds. */
    async turn(): Promise<number> {
      const idle = lanes.idle();
      if (idle.length > 0) await releaseLanes(db, worker, idle);
      const pauseMs = await look();
      const hungry = lanes.hunger();
      if (hungry.length > 0) lanes.fill(hungry, await takeDue(db, worker, now(), hungry));
      return wanted ? Math.min(pauseMs, LOOK_EVERY_MS) : pauseMs;
    },
  };
}

/**
 * Sends what is due, one worker of any number. It holds lanes by leases that are renewed while it lives; if it dies,
 * or can't record what came of an attempt, the same bytes go out again under the same id: at least once (decisions 5).
 * Deliveries of a disabled subscription wait until it is enabled; those of a deleted one are deleted with it.
 */
export function createDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { db, log, maxInFlight = MAX_IN_FLIGHT, stopGraceMs = STOP_GRACE_MS } = options;
  const breaker = new AbortController();
  const parts = createParts(options, breaker.signal);
  const { id: worker, leaseMs } = parts;
  const sleeper = createSleeper();
  let stopping = false;

  async function begin(delivery: DueDelivery, sent: Parameters<typeof attempt>[1]): Promise<void> {
    try {
      const end = await attempt(delivery, sent, parts);
      if (end !== 'settled') wake();
      if (end !== 'unknown') options.notify?.(delivery.siteId);
    } catch (err) {
      log.error({ err }, 'a webhook attempt failed unexpectedly');
    }
  }
  const pace = options.gentle ? createPace(() => lanes.dispatch()) : UNPACED;
  const lanes: Lanes = createLanes({
    maxInFlight,
    heldInAll: options.gentle ? HELD_GENTLY : HELD_IN_ALL,
    mayBegin: pace.take,
    now: () => performance.now(),
    begin,
    onHunger: sleeper.wake,
  });
  const rounds = createRounds(options, parts, lanes);

  function wake(): void {
    rounds.wantLook();
    sleeper.wake();
  }

  async function run(): Promise<void> {
    let backoffMs = BACKOFF_FIRST_MS;
    while (!stopping) {
      const turnedAt = performance.now();
      try {
        const idleMs = await rounds.turn();
        backoffMs = BACKOFF_FIRST_MS;
        if (!stopping) await sleeper.sleep(idleMs);
        const pauseMs = turnedAt + TURN_EVERY_MS - performance.now();
        if (!stopping && pauseMs > 0) await delay(pauseMs);
      } catch (err) {
        log.error({ err }, 'webhook deliveries can not be claimed');
        // Not to be woken: each wake would ask a database that is away.
        await delay(stopping ? 0 : backoffMs);
        backoffMs = Math.min(POLL_MS, backoffMs * 2);
      }
    }
  }

  async function renew(): Promise<void> {
    const asked = lanes.all();
    if (asked.length === 0) return;
    const kept = new Set(
      (await renewLanes(db, { worker, leaseMs }, asked)).map((one) => `${one.siteId}:${one.subscriptionId}`),
    );
    lanes.lose(asked.filter((one) => !kept.has(`${one.siteId}:${one.subscriptionId}`)));
  }
  const renewing = setInterval(() => {
    renew().catch((err: unknown) => log.error({ err }, 'webhook leases can not be renewed'));
  }, leaseMs / 3);
  const running = run();

  async function stop(): Promise<void> {
    stopping = true;
    lanes.close();
    pace.stop();
    sleeper.wake();
    await orAfter(stopGraceMs, Promise.all([running, lanes.ended()]));
    parts.recorder.close();
    breaker.abort();
    parts.sender.breakOff();
    await orAfter(STOP_STEP_MS, lanes.ended());
    clearInterval(renewing);
    parts.sender.close();
    const held = lanes.all();
    if (held.length === 0) return;
    const released = releaseLanes(db, worker, held);
    await orAfter(
      STOP_STEP_MS,
      released.catch((err: unknown) => log.error({ err }, 'webhook leases are not released')),
    );
  }

  let stopped: Promise<void> | undefined;
  return {
    wake,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}
