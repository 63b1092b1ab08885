import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Services } from '../context.ts';
import type { Tables } from '../db/tables.ts';
import type { Resolve } from './address-guard.ts';
import { recordAttempts } from './attempt-record.ts';
import { type AttemptRecorder, createAttemptRecorder } from './attempt-recorder.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  nextDue,
  releaseLeases,
  renewLeases,
} from './delivery-queue.ts';
import { outcomeOf } from './schedule.ts';
import { createSender, type Exchange, type Sender } from './sender.ts';
import { deliveryHeaders } from './signature.ts';
import { createSleeper } from './sleeper.ts';

/** With the poll of another worker a dead one's deliveries go out well within the 60 s of decisions 5. */
const LEASE_MS = 30_000;
/** What is due is known and waited for; this is for what a lost notice or a dead worker left behind. */
const POLL_MS = 5_000;
const MAX_IN_FLIGHT = 256;
const CLAIM_BATCH = 64;
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
  timeoutMs?: number;
  maxInFlight?: number;
  stopGraceMs?: number;
}

export interface DeliveryWorker {
  /** Looks for due deliveries at once: to be called after commits that made some, here or elsewhere. */
  wake(): void;
  /** Lets what is in flight end, breaks off what does not, gives it back; at most 5 s. */
  stop(): Promise<void>;
}

interface Parts extends DeliveryWorkerOptions {
  id: string;
  leaseMs: number;
  sender: Sender;
  recorder: AttemptRecorder;
  breakOff: AbortSignal;
}

const UNREADABLE: Exchange = {
  statusCode: null,
  error: "The subscription's secret can't be read: FOYER_SECRET is not the one that it was saved with.",
  durationMs: 0,
  excerpt: null,
};

function headersFor(delivery: ClaimedDelivery, at: Date, { services }: Parts): Record<string, string> | null {
  const { vault } = services;
  const { previousSecretCipher } = delivery;
  try {
    return deliveryHeaders({
      deliveryId: delivery.deliveryId,
      event: delivery.event,
      attempt: delivery.attemptsMade + 1,
      at,
      body: delivery.body,
      secret: vault.open(delivery.secretCipher),
      previousSecret: previousSecretCipher === null ? null : vault.open(previousSecretCipher),
    });
  } catch {
    return null;
  }
}

/** One attempt from signing to its record. What was broken off is not counted: nobody knows what became of it. */
async function attempt(delivery: ClaimedDelivery, parts: Parts): Promise<void> {
  const at = parts.now();
  const headers = headersFor(delivery, at, parts);
  const exchange = headers
    ? await parts.sender.send({ url: delivery.url, headers, body: delivery.body }, parts.breakOff)
    : UNREADABLE;
  if (parts.breakOff.aborted && exchange.error !== null) return;
  const endedAt = parts.now();
  const failuresBefore = delivery.attemptsMade - delivery.attemptsBefore;
  const { delaysMs, random = Math.random } = parts;
  const outcome = outcomeOf(exchange, failuresBefore, endedAt, { delaysMs, random });
  const written = await parts.recorder.record({ delivery, at, endedAt, exchange, outcome });
  const about = {
    site_id: delivery.siteId,
    delivery_id: delivery.deliveryId,
    attempt: delivery.attemptsMade + 1,
  };
  if (!written)
    return parts.log.warn(about, 'a webhook attempt could not be recorded; it will be sent again');
  if (outcome.state === 'dead')
    parts.log.warn({ ...about, reason: exchange.error }, 'a webhook delivery is dead');
  parts.notify?.(delivery.siteId);
}

function createParts(options: DeliveryWorkerOptions, breakOff: AbortSignal): Parts {
  const id = randomUUID();
  const { db, log, services, leaseMs = LEASE_MS } = options;
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
  return { ...options, id, leaseMs, sender, recorder, breakOff };
}

const orAfter = (ms: number, work: Promise<unknown>): Promise<unknown> => {
  const sleeper = createSleeper();
  return Promise.race([work.finally(sleeper.wake), sleeper.sleep(ms)]);
};

/**
 * Sends what is due, one worker of any number. A delivery is held by a lease that is renewed while the worker lives;
 * if it dies, or can't record what came of an attempt, the lease runs out and the same bytes go out again under the
 * same id: at least once (decisions 5). Deliveries of a disabled subscription wait until it is enabled; those of a
 * deleted one are deleted with it.
 */
export function createDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { db, log, maxInFlight = MAX_IN_FLIGHT, stopGraceMs = STOP_GRACE_MS } = options;
  const breaker = new AbortController();
  const parts = createParts(options, breaker.signal);
  const { id: worker, leaseMs } = parts;
  const held = new Map<number, { delivery: ClaimedDelivery; ended: Promise<void> }>();
  const sleeper = createSleeper();
  let stopping = false;

  function begin(delivery: ClaimedDelivery): void {
    // Its lease ran out while the database was away, and this worker took it again: the attempt is still under way.
    if (held.has(delivery.id)) return;
    const ended = attempt(delivery, parts)
      .catch((err: unknown) => log.error({ err }, 'a webhook attempt failed unexpectedly'))
      .finally(() => {
        if (!breaker.signal.aborted) held.delete(delivery.id);
        sleeper.wake();
      });
    held.set(delivery.id, { delivery, ended });
  }

  /** @returns how long there is nothing to do, in milliseconds. */
  async function turn(): Promise<number> {
    const limit = Math.min(CLAIM_BATCH, maxInFlight - held.size);
    if (limit <= 0) return POLL_MS;
    const now = options.now();
    const claimed = await claimDeliveries(db, { worker, now, leaseMs, limit });
    if (stopping) await releaseLeases(db, worker, claimed);
    else claimed.forEach(begin);
    if (claimed.length > 0) return 0;
    const due = await nextDue(db, now);
    return due ? Math.min(POLL_MS, Math.max(1, due.getTime() - options.now().getTime())) : POLL_MS;
  }

  async function run(): Promise<void> {
    let backoffMs = BACKOFF_FIRST_MS;
    while (!stopping) {
      try {
        const idleMs = await turn();
        backoffMs = BACKOFF_FIRST_MS;
        if (idleMs > 0) await sleeper.sleep(idleMs);
      } catch (err) {
        log.error({ err }, 'webhook deliveries can not be claimed');
        // Not to be woken: each wake would ask a database that is away.
        await createSleeper().sleep(stopping ? 0 : backoffMs);
        backoffMs = Math.min(POLL_MS, backoffMs * 2);
      }
    }
  }

  const deliveriesHeld = () => [...held.values()].map(({ delivery }) => delivery);
  const renewing = setInterval(() => {
    if (held.size === 0) return;
    renewLeases(db, { worker, leaseMs }, deliveriesHeld()).catch((err: unknown) =>
      log.error({ err }, 'webhook leases can not be renewed'),
    );
  }, leaseMs / 3);
  const running = run();

  async function stop(): Promise<void> {
    stopping = true;
    sleeper.wake();
    const ended = () => Promise.all([...held.values()].map((one) => one.ended));
    await orAfter(stopGraceMs, Promise.all([running, ended()]));
    parts.recorder.close();
    breaker.abort();
    await orAfter(STOP_STEP_MS, ended());
    clearInterval(renewing);
    parts.sender.close();
    if (held.size === 0) return;
    const released = releaseLeases(db, worker, deliveriesHeld());
    await orAfter(
      STOP_STEP_MS,
      released.catch((err: unknown) => log.error({ err }, 'webhook leases are not released')),
    );
  }

  let stopped: Promise<void> | undefined;
  return {
    wake: sleeper.wake,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}
