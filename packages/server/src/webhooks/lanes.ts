import type { DueDelivery, Hunger, LaneKey } from './lane-queue.ts';

/** In flight to one subscription (decisions 5). */
export const IN_FLIGHT_PER_SUBSCRIPTION = 4;
/** What a lane holds to send. */
const WINDOW_MIN = 8;
const WINDOW_MAX = 1_024;
/** And with it what was sent and is being recorded: that must not keep it from sending. */
const HELD_WINDOWS = 4;
/** A subscription may be changed, disabled, or its secret rotated while deliveries wait here: not for longer. */
export const FRESH_MS = 500;
/** A receiver that takes longer than this must leave places for the others. */
const SLOW_MS = 1_000;
const SLOW_SHARE = 0.75;
/** A lane with nothing to send is given back after it. */
const IDLE_MS = 2_000;

/** How an exchange went, for the dispatch alone. */
export interface Sent {
  durationMs: number;
}

interface Lane extends LaneKey {
  waiting: DueDelivery[];
  /** When those that wait were read, by the monotonic clock. */
  readAt: number;
  inFlight: number;
  /** All that it has: waiting, in flight, or not recorded yet. */
  held: Set<number>;
  /** There may be more that is due than it holds. */
  hungry: boolean;
  slow: boolean;
  /** Another worker has it; here it only sees the end of what is in flight. */
  lost: boolean;
  idleSince: number;
}

export interface Lanes {
  /** Lanes of which there is something due: new ones are added. */
  due(keys: readonly LaneKey[]): void;
  /** What is to be read now; empty when no lane has room for more. */
  hunger(): Hunger[];
  /** Takes what was read for this hunger, and begins what can begin. */
  fill(asked: readonly Hunger[], deliveries: readonly DueDelivery[]): void;
  /** Lanes that are not this worker's any more. */
  lose(keys: readonly LaneKey[]): void;
  /** Takes out those that have had nothing to do for a while. */
  idle(): LaneKey[];
  all(): LaneKey[];
  /** Begins what can begin. */
  dispatch(): void;
  /** Begins nothing more. */
  close(): void;
  /** All that was begun has ended. */
  ended(): Promise<void>;
  readonly size: number;
}

export interface LanesOptions {
  maxInFlight: number;
  /** What is held to send, over all lanes. */
  heldInAll: number;
  /** Asked before each start; who is refused tries again with `dispatch`. */
  mayBegin?: () => boolean;
  now(): number;
  /** Sends one; `sent` is called as soon as its place is free, the promise ends when it is recorded. Never rejects. */
  begin(delivery: DueDelivery, sent: (how: Sent) => void): Promise<void>;
  /** There is room for more than was read. */
  onHunger(): void;
}

const keyOf = ({ siteId, subscriptionId }: LaneKey): string => `${siteId}:${subscriptionId}`;

/**
 * The lanes that a worker holds and what is under way in each. Lanes take turns, and each has at most four places, so
 * no receiver waits for another; those that are slow leave a part of all places to the others.
 */
export function createLanes(options: LanesOptions): Lanes {
  const { maxInFlight, heldInAll, mayBegin = () => true, now, begin, onHunger } = options;
  const lanes = new Map<string, Lane>();
  /** Those with something to send and a place for it, in the order of their turns. */
  const ready = new Set<Lane>();
  const onEnd: (() => void)[] = [];
  let underWay = 0;
  let [inFlight, slowInFlight] = [0, 0];
  let closed = false;

  const windowOf = (): number =>
    Math.max(WINDOW_MIN, Math.min(WINDOW_MAX, Math.floor(heldInAll / Math.max(1, lanes.size))));

  const roomOf = ({ waiting, inFlight: sending, held }: Lane): number =>
    Math.min(windowOf() - waiting.length - sending, HELD_WINDOWS * windowOf() - held.size);

  /** Nothing but a short supply is worth a read; a lane that is full is not hungry, however much waits for it. */
  const wants = (lane: Lane): boolean =>
    lane.hungry && lane.waiting.length < windowOf() / 2 && roomOf(lane) > windowOf() / 4;

  /** What has waited here for too long is read anew: it may be meant for another address by now, or for none. */
  function refuseStale(lane: Lane): void {
    if (lane.waiting.length === 0 || now() - lane.readAt <= FRESH_MS) return;
    for (const { id } of lane.waiting) lane.held.delete(id);
    lane.waiting = [];
    lane.hungry = true;
  }

  function consider(lane: Lane): void {
    if (lane.inFlight < IN_FLIGHT_PER_SUBSCRIPTION) refuseStale(lane);
    if (lane.waiting.length > 0 && lane.inFlight < IN_FLIGHT_PER_SUBSCRIPTION) ready.add(lane);
    else ready.delete(lane);
    if (wants(lane)) onHunger();
  }

  function start(lane: Lane): void {
    const delivery = lane.waiting.shift();
    if (!delivery) return;
    const { slow } = lane;
    lane.inFlight += 1;
    inFlight += 1;
    if (slow) slowInFlight += 1;
    underWay += 1;
    void begin(delivery, ({ durationMs }) => {
      lane.inFlight -= 1;
      inFlight -= 1;
      if (slow) slowInFlight -= 1;
      lane.slow = durationMs > SLOW_MS;
      lane.idleSince = now();
      consider(lane);
      dispatch();
    }).then(() => {
      underWay -= 1;
      if (underWay === 0) for (const end of onEnd.splice(0)) end();
      lane.held.delete(delivery.id);
      if (lane.lost && lane.held.size === 0) lanes.delete(keyOf(lane));
      else consider(lane);
    });
  }

  function dispatch(): void {
    let passed = 0;
    while (!closed && inFlight < maxInFlight && passed < ready.size) {
      const [lane] = ready;
      if (!lane) return;
      ready.delete(lane);
      if (lane.slow && slowInFlight >= maxInFlight * SLOW_SHARE) {
        ready.add(lane);
        passed += 1;
        continue;
      }
      if (!mayBegin()) {
        ready.add(lane);
        return;
      }
      start(lane);
      consider(lane);
      passed = 0;
    }
  }

  function add({ siteId, subscriptionId }: LaneKey): Lane {
    const lane: Lane = {
      ...{ siteId, subscriptionId, waiting: [], readAt: 0, inFlight: 0, held: new Set() },
      ...{ hungry: true, slow: false, lost: false, idleSince: now() },
    };
    lanes.set(keyOf(lane), lane);
    return lane;
  }

  /** What is in flight stays known: should the lane come back, it must not be sent twice at once. */
  function lose(lane: Lane): void {
    ready.delete(lane);
    for (const { id } of lane.waiting) lane.held.delete(id);
    lane.waiting = [];
    lane.hungry = false;
    lane.lost = true;
    if (lane.held.size === 0) lanes.delete(keyOf(lane));
  }

  return {
    due(keys) {
      for (const key of keys) {
        const lane = lanes.get(keyOf(key)) ?? add(key);
        lane.lost = false;
        lane.hungry = true;
      }
    },
    hunger() {
      const all = [...lanes.values()];
      // One that is half full will want more soon: they are read together.
      const hungry = all.some(wants)
        ? all.filter((lane) => lane.hungry && roomOf(lane) > windowOf() / 4)
        : [];
      return hungry.map((lane) => ({
        siteId: lane.siteId,
        subscriptionId: lane.subscriptionId,
        room: roomOf(lane),
        held: [...lane.held],
      }));
    },
    fill(asked, deliveries) {
      const given = Map.groupBy(deliveries, keyOf);
      for (const hunger of asked) {
        const lane = lanes.get(keyOf(hunger));
        if (!lane) continue;
        const got = given.get(keyOf(hunger)) ?? [];
        lane.hungry = got.length >= hunger.room;
        if (got.length === 0) continue;
        lane.readAt = now();
        lane.idleSince = now();
        for (const delivery of got) lane.held.add(delivery.id);
        lane.waiting.push(...got);
        consider(lane);
      }
      dispatch();
    },
    lose(keys) {
      for (const key of keys) {
        const lane = lanes.get(keyOf(key));
        if (lane) lose(lane);
      }
    },
    idle() {
      const isIdle = (lane: Lane) => lane.held.size === 0 && !lane.lost && now() - lane.idleSince > IDLE_MS;
      const idle = [...lanes.values()].filter(isIdle);
      for (const lane of idle) lanes.delete(keyOf(lane));
      return idle;
    },
    all: () => [...lanes.values()].filter((lane) => !lane.lost),
    dispatch,
    close() {
      closed = true;
    },
    ended: () =>
      new Promise((done) => {
        if (underWay === 0) done();
        else onEnd.push(done);
      }),
    get size() {
      return lanes.size;
    },
  };
}
