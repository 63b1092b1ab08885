import type { Kysely } from 'kysely';
import type { Tables } from '../../db/tables.generated.ts';
import { type LeaseOptions, lookForLanes, releaseLanes, takeDue } from './lane-leases.ts';
import type { Lanes } from './lanes.ts';

/** Workers know and await due deliveries. Polling finds those that a lost notice or a dead worker left behind. */
export const POLL_MS = 5_000;
/** A burst of events causes one look-up. */
const LOOK_EVERY_MS = 20;
const MAX_LANES = 1_024;

interface RoundsOptions {
  db: Kysely<Tables>;
  lease: LeaseOptions;
  lanes: Lanes;
  now(): Date;
  pollMs?: number | undefined;
}

/** A worker's cycle: lease lanes with due deliveries, read these, and release idle lanes. */
export class Rounds {
  readonly #options: RoundsOptions;
  readonly #pollMs: number;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #wantsLook = true;
  #nextDue: Date | null = null;

  constructor(options: RoundsOptions) {
    this.#options = options;
    this.#pollMs = options.pollMs ?? POLL_MS;
  }

  /** Deliveries without a lane may be due: the next turn looks for them. */
  wantLook(): void {
    this.#wantsLook = true;
  }

  /** @returns for how many milliseconds there is nothing to do */
  async turn(): Promise<number> {
    const { db, lease, lanes, now } = this.#options;
    const idle = lanes.idle();
    if (idle.length > 0) await releaseLanes(db, lease.worker, idle);
    const pauseMs = await this.#look();
    const capacity = lanes.capacity();
    if (capacity.length > 0) lanes.fill(capacity, await takeDue(db, lease.worker, now(), capacity));
    return this.#wantsLook ? Math.min(pauseMs, LOOK_EVERY_MS) : pauseMs;
  }

  /** @returns the milliseconds until the next look-up */
  async #look(): Promise<number> {
    const { db, lease, lanes, now } = this.#options;
    const sinceMs = performance.now() - this.#lookedAt;
    const isDue = this.#nextDue !== null && this.#nextDue <= now();
    if (!this.#wantsLook && !isDue && sinceMs < this.#pollMs)
      return Math.min(this.#untilNextMs(), this.#pollMs - sinceMs);
    if (sinceMs < LOOK_EVERY_MS) return LOOK_EVERY_MS - sinceMs;
    this.#wantsLook = false;
    const limit = Math.max(0, MAX_LANES - lanes.size);
    const found = await lookForLanes(db, { ...lease, now: now(), limit });
    this.#lookedAt = performance.now();
    this.#nextDue = found.nextDue;
    lanes.due(found.lanes);
    return this.#untilNextMs();
  }

  #untilNextMs(): number {
    if (!this.#nextDue) return this.#pollMs;
    return Math.min(this.#pollMs, Math.max(1, this.#nextDue.getTime() - this.#options.now().getTime()));
  }
}
