import { randomBytes } from 'node:crypto';
import type { Redis } from '../../redis/redis.ts';
import type { Bus, BusOptions, State } from './bus.ts';
import { type Retained, recall, retain } from './retained.ts';

const EVERYONE = 'bus:all';
const nameOf = (channel: number | undefined): string => {
  if (channel === undefined) return EVERYONE;
  return channel > 0 ? `bus:site:${channel}` : `bus:pages:${-channel}`;
};
/**
 * How long this process also sends over PostgreSQL after it received a message there: longer than any process is
 * silent, since each reports every 5 s that it is there.
 */
const ANSWER_MS = 16_000;
/** How long the states of a channel that isn't followed count as current. */
const RECALLED_MS = 1_000;

interface RedisBusOptions extends BusOptions {
  redis: Redis;
  /** Opens the bus of PostgreSQL. */
  openOther(options: BusOptions): Promise<Bus>;
  now?: () => number;
}

/**
 * A bus with a channel of Redis for each of ours, in a cluster a sharded one: a process receives only those that it
 * follows, and Redis retains states. Every process always listens to PostgreSQL too, and sends there what Redis
 * refuses. So nobody has to agree on which of them is in use: a process whose messages arrive over PostgreSQL can't
 * reach Redis, or doesn't use it, and for a while the others send it everything there as well. While all reach Redis,
 * nothing is sent over PostgreSQL. A message may arrive twice, but never in another order from one sender over one
 * transport.
 */
export async function openRedisBus(options: RedisBusOptions): Promise<Bus> {
  const bus = new RedisBus(options);
  await bus.open();
  return bus;
}

class RedisBus implements Bus {
  readonly #options: RedisBusOptions;
  readonly #redis: Redis;
  readonly #node = randomBytes(6).toString('hex');
  readonly #now: () => number;
  /** Resolves when the states of each followed channel have been delivered. */
  readonly #followed = new Map<number, Promise<void>>();
  /** The same, for a moment, of other channels. */
  readonly #recalled = new Map<number, Promise<void>>();
  #other: Bus | undefined;
  #heardAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: RedisBusOptions) {
    this.#options = options;
    this.#redis = options.redis;
    this.#now = options.now ?? Date.now;
  }

  async open(): Promise<void> {
    const { openOther, log, onMessage, onGap } = this.#options;
    this.#other = await openOther({
      log,
      onGap,
      onMessage: (message, ageMs) => {
        this.#heardAt = this.#now();
        onMessage(message, ageMs);
      },
    });
    void this.#redis.subscribe(EVERYONE, (payload) => this.#receive(payload));
    // Also when it went: the others didn't know at once that this process no longer receives there.
    this.#redis.onChange((isUp, since) => {
      if (this.#isClosed) return;
      if (isUp) for (const channel of this.#followed.keys()) this.#followed.set(channel, this.#read(channel));
      onGap(since);
    });
  }

  /** Messages that Redis would accept may have to be sent by PostgreSQL. */
  get maxBytes(): number {
    return this.#other?.maxBytes ?? 0;
  }

  publish(channel: number | undefined, message: object, short?: object): void {
    this.#send(
      () => this.#redis.publish(nameOf(channel), this.#payloadOf(message)),
      (other) => other.publish(channel, message, short),
    );
  }

  retain(states: readonly State[], forMs: number, whole: object): void {
    this.#send(
      async () => void (await Promise.all(states.map((state) => this.#retainOne(state, forMs)))),
      (other) => other.retain(states, forMs, whole),
    );
  }

  /** Retained first, for processes that follow the channel later; current followers get both, or the message. */
  async #retainOne({ channel, name, message }: State, forMs: number): Promise<void> {
    const payload = this.#payloadOf(message);
    await Promise.all([
      retain(this.#redis, nameOf(channel), { name: `${this.#node}:${name}`, message: payload, forMs }),
      this.#redis.publish(nameOf(channel), payload),
    ]);
  }

  /** Over Redis; over the other bus if that fails, or if a process has sent there. */
  #send(overRedis: () => Promise<void>, overOther: (other: Bus) => void): void {
    const other = this.#other;
    if (this.#isClosed || !other) return;
    const isNeeded = this.#now() - this.#heardAt < ANSWER_MS;
    if (isNeeded || !this.#redis.isUp()) overOther(other);
    if (!this.#redis.isUp()) return;
    void overRedis().catch(() => {
      if (!isNeeded) overOther(other);
    });
  }

  async recall(channel: number): Promise<void> {
    const known = this.#followed.get(channel) ?? this.#recalled.get(channel);
    if (known || !this.#redis.isUp()) return known;
    const reading = this.#read(channel);
    this.#recalled.set(channel, reading);
    setTimeout(() => this.#recalled.delete(channel), RECALLED_MS).unref();
    return reading;
  }

  follow(channel: number): void {
    this.#other?.follow(channel);
    const subscribed = this.#redis.subscribe(nameOf(channel), (payload) => this.#receive(payload));
    this.#followed.set(
      channel,
      subscribed.then(() => this.#read(channel)),
    );
  }

  unfollow(channel: number): void {
    this.#followed.delete(channel);
    this.#redis.unsubscribe(nameOf(channel));
    this.#other?.unfollow(channel);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#other?.close();
  }

  async #read(channel: number): Promise<void> {
    // While Redis is away, every process gets the states of all.
    const found = await recall(this.#redis, nameOf(channel)).catch((): Retained[] => []);
    for (const { message, ageMs } of found) this.#receive(message, ageMs);
  }

  #payloadOf(message: object): string {
    return this.#node + JSON.stringify(message);
  }

  #receive(payload: string, ageMs = 0): void {
    if (payload.startsWith(this.#node) || this.#isClosed) return;
    const { log, onMessage } = this.#options;
    try {
      onMessage(JSON.parse(payload.slice(this.#node.length)), ageMs);
    } catch (error) {
      log.warn({ err: error }, 'reading a message of the bus failed');
    }
  }
}
