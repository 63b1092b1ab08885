import type { Capacity, DueDelivery, LaneKey } from './lane-leases.ts';

/** Concurrency per subscription, so that a slow receiver delays no others. */
const IN_FLIGHT_PER_SUBSCRIPTION = 4;
/** How many unsent deliveries a lane holds. */
const WINDOW_MIN = 8;
const WINDOW_MAX = 1_024;
/**
 * A lane may hold this many windows, including deliveries whose attempt is being recorded, so that recording
 * doesn't stop the sending.
 */
const HELD_WINDOWS = 4;
/** How long a delivery may wait here, because its subscription may be changed or its secret rotated meanwhile. */
export const FRESH_MS = 500;
/** A receiver slower than this must leave room for others. */
const SLOW_MS = 1_000;
const SLOW_SHARE = 0.75;
/** A lane without deliveries is released after this long. */
const IDLE_MS = 2_000;

/** What the dispatcher needs to know about a finished exchange. */
export interface Sent {
  durationMs: number;
}

interface Lane extends LaneKey {
  waiting: DueDelivery[];
  /** When the waiting deliveries were read, by the monotonic clock. */
  readAt: number;
  inFlight: number;
  /** The ids of all its deliveries: waiting, in flight, or not recorded yet. */
  held: Set<number>;
  /** More may be due than the lane holds. */
  mayHaveMore: boolean;
  slow: boolean;
  /** Another worker has the lease. The lane only waits for its exchanges to end. */
  lost: boolean;
  idleSince: number;
}

export interface LanesOptions {
  maxInFlight: number;
  /** How many unsent deliveries all lanes hold together. */
  heldInAll: number;
  /** Checked before each start. After a refusal, call `dispatch` to try again. */
  mayBegin?: () => boolean;
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** Sends one; calls `sent` when the exchange is over, and resolves when it is recorded. Never rejects. */
  begin(delivery: DueDelivery, sent: (how: Sent) => void): Promise<void>;
  /** Called when a lane has room for more deliveries. */
  onCapacity(): void;
}

const keyOf = ({ siteId, subscriptionId }: LaneKey): string => `${siteId}:${subscriptionId}`;

/**
 * The lanes that a worker holds, and their running exchanges. Lanes take turns, and each has at most
 * IN_FLIGHT_PER_SUBSCRIPTION exchanges, so no receiver waits for another; slow ones leave a share of all exchanges
 * to the others.
 */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes with something to send and room for an exchange, in the order of their turns. */
  readonly #ready = new Set<Lane>();
  readonly #onEnd: (() => void)[] = [];
  /** Started and not recorded yet. */
  #underWay = 0;
  #inFlight = 0;
  #slowInFlight = 0;
  #closed = false;

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#lanes.size;
  }

  /** Adds lanes that have something due, or notes it for lanes that are already here. */
  due(keys: readonly LaneKey[]): void {
    for (const key of keys) {
      const lane = this.#lanes.get(keyOf(key)) ?? this.#add(key);
      lane.lost = false;
      lane.mayHaveMore = true;
    }
  }

  /** What to read now; empty while no lane has room. */
  capacity(): Capacity[] {
    const all = [...this.#lanes.values()];
    if (!all.some((lane) => this.#wantsMore(lane))) return [];
    // A half-full lane will soon need more, so it is read in the same statement.
    return all
      .filter((lane) => lane.mayHaveMore && this.#roomOf(lane) > this.#window() / 4)
      .map((lane) => ({
        siteId: lane.siteId,
        subscriptionId: lane.subscriptionId,
        room: this.#roomOf(lane),
        held: [...lane.held],
      }));
  }

  /** Adds the deliveries that were read for this capacity, and starts what can start. */
  fill(asked: readonly Capacity[], deliveries: readonly DueDelivery[]): void {
    const given = Map.groupBy(deliveries, keyOf);
    for (const capacity of asked) {
      const lane = this.#lanes.get(keyOf(capacity));
      if (lane) this.#take(lane, capacity.room, given.get(keyOf(capacity)) ?? []);
    }
    this.dispatch();
  }

  /** This worker no longer holds the leases of these lanes. */
  lose(keys: readonly LaneKey[]): void {
    for (const key of keys) {
      const lane = this.#lanes.get(keyOf(key));
      if (lane) this.#lose(lane);
    }
  }

  /** Removes lanes that have been idle for a while, and returns them. */
  idle(): LaneKey[] {
    const now = this.#options.now();
    const isIdle = (lane: Lane) => lane.held.size === 0 && !lane.lost && now - lane.idleSince > IDLE_MS;
    const idle = [...this.#lanes.values()].filter(isIdle);
    for (const lane of idle) this.#lanes.delete(keyOf(lane));
    return idle;
  }

  all(): LaneKey[] {
    return [...this.#lanes.values()].filter((lane) => !lane.lost);
  }

  /** Starts what can start, one delivery per lane in turn. */
  dispatch(): void {
    const { maxInFlight, mayBegin = () => true } = this.#options;
    let passed = 0;
    while (!this.#closed && this.#inFlight < maxInFlight && passed < this.#ready.size) {
      const [lane] = this.#ready;
      if (!lane) return;
      this.#ready.delete(lane);
      if (lane.slow && this.#slowInFlight >= maxInFlight * SLOW_SHARE) {
        this.#ready.add(lane);
        passed += 1;
        continue;
      }
      if (!mayBegin()) {
        this.#ready.add(lane);
        return;
      }
      this.#start(lane);
      this.#consider(lane);
      passed = 0;
    }
  }

  /** Starts nothing more. */
  close(): void {
    this.#closed = true;
  }

  /** Resolves when everything that was started is recorded. */
  ended(): Promise<void> {
    return new Promise((done) => {
      if (this.#underWay === 0) done();
      else this.#onEnd.push(done);
    });
  }

  /** How many unsent deliveries each lane may hold. */
  #window(): number {
    const share = Math.floor(this.#options.heldInAll / Math.max(1, this.#lanes.size));
    return Math.max(WINDOW_MIN, Math.min(WINDOW_MAX, share));
  }

  #roomOf({ waiting, inFlight, held }: Lane): number {
    const window = this.#window();
    return Math.min(window - waiting.length - inFlight, HELD_WINDOWS * window - held.size);
  }

  /** Reading is only worthwhile for a lane that runs low, however much is due. */
  #wantsMore(lane: Lane): boolean {
    const window = this.#window();
    return lane.mayHaveMore && lane.waiting.length < window / 2 && this.#roomOf(lane) > window / 4;
  }

  #add({ siteId, subscriptionId }: LaneKey): Lane {
    const lane: Lane = {
      ...{ siteId, subscriptionId, waiting: [], readAt: 0, inFlight: 0, held: new Set() },
      ...{ mayHaveMore: true, slow: false, lost: false, idleSince: this.#options.now() },
    };
    this.#lanes.set(keyOf(lane), lane);
    return lane;
  }

  #take(lane: Lane, room: number, deliveries: readonly DueDelivery[]): void {
    lane.mayHaveMore = deliveries.length >= room;
    if (deliveries.length === 0) return;
    lane.readAt = this.#options.now();
    lane.idleSince = lane.readAt;
    for (const delivery of deliveries) lane.held.add(delivery.id);
    lane.waiting.push(...deliveries);
    this.#consider(lane);
  }

  #dropWaiting(lane: Lane): void {
    for (const { id } of lane.waiting) lane.held.delete(id);
    lane.waiting = [];
  }

  /**
   * Drops deliveries that waited too long, to be read again: their address may have changed, or the subscription
   * may be gone.
   */
  #dropStale(lane: Lane): void {
    if (lane.waiting.length === 0 || this.#options.now() - lane.readAt <= FRESH_MS) return;
    this.#dropWaiting(lane);
    lane.mayHaveMore = true;
  }

  /** Adds a lane to the turns or removes it, after anything about it has changed. */
  #consider(lane: Lane): void {
    if (lane.inFlight < IN_FLIGHT_PER_SUBSCRIPTION) this.#dropStale(lane);
    if (lane.waiting.length > 0 && lane.inFlight < IN_FLIGHT_PER_SUBSCRIPTION) this.#ready.add(lane);
    else this.#ready.delete(lane);
    if (this.#wantsMore(lane)) this.#options.onCapacity();
  }

  #start(lane: Lane): void {
    const delivery = lane.waiting.shift();
    if (!delivery) return;
    // The state at the start of the exchange, whatever it shows about the receiver.
    const { slow } = lane;
    lane.inFlight += 1;
    this.#inFlight += 1;
    if (slow) this.#slowInFlight += 1;
    this.#underWay += 1;
    const sent = ({ durationMs }: Sent): void => {
      lane.inFlight -= 1;
      this.#inFlight -= 1;
      if (slow) this.#slowInFlight -= 1;
      lane.slow = durationMs > SLOW_MS;
      lane.idleSince = this.#options.now();
      this.#consider(lane);
      this.dispatch();
    };
    void this.#options.begin(delivery, sent).then(() => this.#recorded(lane, delivery));
  }

  #recorded(lane: Lane, { id }: DueDelivery): void {
    this.#underWay -= 1;
    if (this.#underWay === 0) for (const end of this.#onEnd.splice(0)) end();
    lane.held.delete(id);
    if (lane.lost && lane.held.size === 0) this.#lanes.delete(keyOf(lane));
    else this.#consider(lane);
  }

  /** Remembers running exchanges: if the lease returns, they must not be sent twice at once. */
  #lose(lane: Lane): void {
    this.#ready.delete(lane);
    this.#dropWaiting(lane);
    lane.mayHaveMore = false;
    lane.lost = true;
    if (lane.held.size === 0) this.#lanes.delete(keyOf(lane));
  }
}
