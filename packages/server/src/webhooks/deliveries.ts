import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Services } from '../core/context.ts';
import type { Tables } from '../db/tables.generated.ts';
import type { Resolve } from '../net/resolve-name.ts';
import { createSender } from '../net/sender.ts';
import { type AdaptiveThrottle, createAdaptiveThrottle, UNLIMITED } from './sending/adaptive-throttle.ts';
import { type AttemptParts, attempt } from './sending/attempt.ts';
import { recordAttempts } from './sending/attempt-record.ts';
import { createAttemptRecorder } from './sending/attempt-recorder.ts';
import {
  type DueDelivery,
  type LaneKey,
  type LeaseOptions,
  releaseLanes,
  renewLanes,
} from './sending/lane-leases.ts';
import { Lanes } from './sending/lanes.ts';
import { POLL_MS, Rounds } from './sending/rounds.ts';
import { createSigningKeys } from './sending/signing-keys.ts';
import { createWakeableTimer } from './sending/wakeable-timer.ts';

/** Together with another worker's poll, the deliveries of a dead worker are sent well within the promised 60 s. */
const LEASE_MS = 30_000;
/** Lanes that need more deliveries are read together. After a pause, the first read is immediate. */
const TURN_EVERY_MS = 10;
const MAX_IN_FLIGHT = 512;
const HELD_IN_ALL = 4_096;
/**
 * A process that also serves requests reads little at a time, so that neither reading nor garbage collection delays
 * them.
 */
const HELD_GENTLY = 512;
const BACKOFF_FIRST_MS = 250;
/** After this, exchanges are aborted: the stop of the whole process has 10 s. */
const STOP_GRACE_MS = 3_000;
const STOP_STEP_MS = 1_000;

export interface DeliveryWorkerOptions {
  db: Kysely<Tables>;
  log: Logger;
  services: Pick<Services, 'vault' | 'webhooks'>;
  /** Delays before the retries, in order. */
  delaysMs: readonly number[];
  now(): Date;
  /** Called after attempts for a site were recorded. */
  notify?(siteId: number): void;
  random?(): number;
  resolve?: Resolve;
  leaseMs?: number;
  pollMs?: number;
  timeoutMs?: number;
  maxInFlight?: number;
  /** The process also serves requests, so a backlog must leave time for them. */
  gentle?: boolean;
  stopGraceMs?: number;
}

export interface DeliveryWorker {
  /** Looks for due deliveries immediately. Call it after commits that created some, here or in another process. */
  wake(): void;
  /** Waits for running exchanges, aborts slow ones, and releases its lanes, within 5 s. */
  stop(): Promise<void>;
}

interface Parts extends AttemptParts {
  lease: LeaseOptions;
}

function createParts(options: DeliveryWorkerOptions, breakOff: AbortSignal): Parts {
  const worker = randomUUID();
  const { db, log, services, delaysMs, leaseMs = LEASE_MS, random = Math.random } = options;
  const sender = createSender({
    purpose: 'webhook',
    allowPrivate: services.webhooks.allowPrivate,
    ...(options.resolve && { resolve: options.resolve }),
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
  });
  const recorder = createAttemptRecorder({
    write: async (records) => {
      const written = await recordAttempts(db, worker, records);
      const lost = records.length - written.length;
      if (lost > 0) log.warn({ lost }, 'webhook attempts were not recorded: their lease was lost');
    },
    onError: (err) => log.error({ err }, 'recording webhook attempts failed'),
    giveUpAfterMs: leaseMs,
  });
  const openKey = createSigningKeys(services.vault);
  const lease = { worker, leaseMs };
  return { lease, log, openKey, delaysMs, now: options.now, random, sender, recorder, breakOff };
}

/** Waits for `work`, but no longer than `ms`. */
const atMost = (ms: number, work: Promise<unknown>): Promise<unknown> => {
  const timer = createWakeableTimer();
  return Promise.race([work.finally(timer.wake), timer.sleep(ms)]);
};

const keyOf = ({ siteId, subscriptionId }: LaneKey): string => `${siteId}:${subscriptionId}`;

/**
 * One of any number of workers that send due deliveries. It holds lanes (one per subscription) by leases, which it
 * renews while it lives. If it dies or can't record an attempt, the same bytes are sent again under the same id: at
 * least once. Deliveries of a disabled subscription wait until it is enabled; those of a deleted one are deleted
 * with it.
 */
export function createDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  return new Worker(options);
}

class Worker implements DeliveryWorker {
  readonly #options: DeliveryWorkerOptions;
  readonly #parts: Parts;
  readonly #breaker = new AbortController();
  readonly #timer = createWakeableTimer();
  readonly #throttle: AdaptiveThrottle;
  readonly #lanes: Lanes;
  readonly #rounds: Rounds;
  readonly #renewing: NodeJS.Timeout;
  readonly #running: Promise<void>;
  #isStopping = false;
  #stopped: Promise<void> | undefined;

  constructor(options: DeliveryWorkerOptions) {
    const { db, log, now, gentle, pollMs, maxInFlight = MAX_IN_FLIGHT } = options;
    this.#options = options;
    this.#parts = createParts(options, this.#breaker.signal);
    this.#throttle = gentle ? createAdaptiveThrottle(() => this.#lanes.dispatch()) : UNLIMITED;
    const { lease } = this.#parts;
    this.#lanes = new Lanes({
      maxInFlight,
      heldInAll: gentle ? HELD_GENTLY : HELD_IN_ALL,
      mayBegin: this.#throttle.take,
      now: () => performance.now(),
      begin: (delivery, sent) => this.#begin(delivery, sent),
      onCapacity: this.#timer.wake,
    });
    this.#rounds = new Rounds({ db, lease, lanes: this.#lanes, now, pollMs });
    this.#renewing = setInterval(() => {
      this.#renew().catch((err: unknown) => log.error({ err }, 'renewing webhook leases failed'));
    }, lease.leaseMs / 3);
    this.#running = this.#run();
  }

  wake(): void {
    this.#rounds.wantLook();
    this.#timer.wake();
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #begin(delivery: DueDelivery, sent: Parameters<typeof attempt>[1]): Promise<void> {
    try {
      const end = await attempt(delivery, sent, this.#parts);
      if (end !== 'settled') this.wake();
      if (end !== 'unknown') this.#options.notify?.(delivery.siteId);
    } catch (err) {
      this.#parts.log.error({ err }, 'a webhook attempt failed unexpectedly');
    }
  }

  async #run(): Promise<void> {
    let backoffMs = BACKOFF_FIRST_MS;
    while (!this.#isStopping) {
      const turnedAt = performance.now();
      try {
        const idleMs = await this.#rounds.turn();
        backoffMs = BACKOFF_FIRST_MS;
        if (!this.#isStopping) await this.#timer.sleep(idleMs);
        const pauseMs = turnedAt + TURN_EVERY_MS - performance.now();
        if (!this.#isStopping && pauseMs > 0) await delay(pauseMs);
      } catch (err) {
        this.#parts.log.error({ err }, 'claiming webhook deliveries failed');
        // A plain delay: with the timer, each wake would ask a database that doesn't answer.
        await delay(this.#isStopping ? 0 : backoffMs);
        backoffMs = Math.min(POLL_MS, backoffMs * 2);
      }
    }
  }

  async #renew(): Promise<void> {
    const asked = this.#lanes.all();
    if (asked.length === 0) return;
    const renewed = await renewLanes(this.#options.db, this.#parts.lease, asked);
    const kept = new Set(renewed.map(keyOf));
    this.#lanes.lose(asked.filter((lane) => !kept.has(keyOf(lane))));
  }

  async #stop(): Promise<void> {
    const { stopGraceMs = STOP_GRACE_MS } = this.#options;
    const { recorder, sender } = this.#parts;
    this.#isStopping = true;
    this.#lanes.close();
    this.#throttle.stop();
    this.#timer.wake();
    await atMost(stopGraceMs, Promise.all([this.#running, this.#lanes.ended()]));
    recorder.close();
    this.#breaker.abort();
    sender.breakOff();
    await atMost(STOP_STEP_MS, this.#lanes.ended());
    clearInterval(this.#renewing);
    sender.close();
    await this.#releaseAll();
  }

  async #releaseAll(): Promise<void> {
    const held = this.#lanes.all();
    if (held.length === 0) return;
    const { lease, log } = this.#parts;
    const released = releaseLanes(this.#options.db, lease.worker, held);
    await atMost(
      STOP_STEP_MS,
      released.catch((err: unknown) => log.error({ err }, 'releasing webhook leases failed')),
    );
  }
}
