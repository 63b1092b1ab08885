import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import type { RedisAddress } from './address.ts';
import { type Connection, connectRedis, type Script } from './connection.ts';
import { createPatience, TooLate } from './patience.ts';

/** No request of a person waits longer than this for Redis. */
const COMMAND_MS = 400;
/** How often the connection is checked: a hanging server looks like one with nothing to send. */
const CHECK_MS = 1_000;
/** For what isn't part of a request: subscribing again, and the check itself. */
const SLOW_MS = 2_000;
/** Waits between attempts to connect, the longer the more often it broke. */
const RETRY_MS = [250, 500, 1_000, 2_000];
/** A connection that lasted this long has recovered: the next break is the first again. */
const SOUND_MS = 10_000;

/** Redis didn't run it: it is away, or it refused. Callers do without. */
export class RedisUnavailable extends Error {
  override readonly name = 'RedisUnavailable';
}

export type Listener = (message: string) => void;

/** Redis or Valkey, shared by the nodes of an installation. It may be emptied at any time, and it may go away. */
export interface Redis {
  /** Whether it answers. Nobody waits for one that doesn't: every call is refused at once. */
  isUp(): boolean;
  /** The name of a key or channel of this installation. A server may serve several. */
  nameOf(name: string): string;
  /** @throws RedisUnavailable within `COMMAND_MS` */
  run(script: Script, key: string, args: readonly string[]): Promise<unknown>;
  /** Sends to the subscribers of a channel. @throws RedisUnavailable within `COMMAND_MS` */
  publish(channel: string, message: string): Promise<void>;
  /**
   * Listens from now on, also after Redis was away. Messages sent meanwhile are lost: see `onChange`.
   * @returns when Redis has confirmed it, or isn't available. Never rejects
   */
  subscribe(channel: string, listener: Listener): Promise<void>;
  unsubscribe(channel: string): void;
  /**
   * Called each time Redis goes away or is back, then after all channels are subscribed again.
   * @param listener `since`: when it was last known to work
   */
  onChange(listener: (isUp: boolean, since: Date) => void): void;
  close(): void;
}

interface RedisOptions {
  address: RedisAddress;
  /** Prefix of all keys and channels. */
  namespace: string;
  log: Logger;
}

/** Named by its hash, so that its source crosses the network once. */
export const createScript = (source: string): Script => ({ source, sha: hash('sha1', source) });

/**
 * Connects, and keeps trying. An unreachable Redis doesn't prevent the start.
 * @returns after the first attempt
 */
export async function openRedis(options: RedisOptions): Promise<Redis> {
  const link = new Link(options);
  await link.connect();
  return link;
}

class Link implements Redis {
  readonly #options: RedisOptions;
  readonly #channels = new Map<string, Listener>();
  readonly #onChange: ((isUp: boolean, since: Date) => void)[] = [];
  readonly #patience = createPatience();
  readonly #checking: NodeJS.Timeout;
  #retrying: NodeJS.Timeout | undefined;
  #connection: Connection | undefined;
  /** It owes an answer. Until it gives another, nobody else asks. */
  #isLate = false;
  #connectedAt = 0;
  #soundAt = new Date();
  #breaks = 0;
  #isReported = false;
  #isChecking = false;
  #closed = false;

  constructor(options: RedisOptions) {
    this.#options = options;
    this.#checking = setInterval(() => void this.#check(), CHECK_MS);
  }

  isUp(): boolean {
    return this.#connection !== undefined && !this.#isLate;
  }

  nameOf(name: string): string {
    return `${this.#options.namespace}:${name}`;
  }

  async run(script: Script, key: string, args: readonly string[]): Promise<unknown> {
    return this.#request((connection) => connection.run(script, this.nameOf(key), args));
  }

  async publish(channel: string, message: string): Promise<void> {
    await this.#request((connection) => connection.publish(this.nameOf(channel), message));
  }

  async subscribe(channel: string, listener: Listener): Promise<void> {
    const name = this.nameOf(channel);
    this.#channels.set(name, listener);
    const connection = this.#connection;
    if (connection) await this.#listen(connection, name);
  }

  unsubscribe(channel: string): void {
    const name = this.nameOf(channel);
    this.#channels.delete(name);
    const connection = this.#connection;
    if (!connection) return;
    void connection.unsubscribe(name).catch((error) => this.#lost(connection, error));
  }

  onChange(listener: (isUp: boolean, since: Date) => void): void {
    this.#onChange.push(listener);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#checking);
    clearTimeout(this.#retrying);
    this.#connection?.destroy();
    this.#connection = undefined;
  }

  /** One attempt. If it fails, others follow. */
  async connect(): Promise<void> {
    let opened: Connection | undefined;
    let failure: unknown;
    try {
      const connection = await connectRedis(this.#options.address, (error) => {
        failure ??= error;
        if (opened) this.#lost(opened, error);
      });
      opened = connection;
      await this.#patience.within(SLOW_MS, connection.check(this.nameOf('check')));
      const names = [...this.#channels.keys()];
      await this.#patience.within(
        SLOW_MS,
        Promise.all(names.map((name) => connection.subscribe(name, this.#receive))),
      );
      if (failure !== undefined) throw failure;
    } catch (error) {
      opened?.destroy();
      this.#failed(error);
      return;
    }
    if (this.#closed) opened.destroy();
    else this.#works(opened);
  }

  #works(connection: Connection): void {
    this.#connection = connection;
    this.#isLate = false;
    this.#connectedAt = Date.now();
    if (this.#isReported) this.#options.log.info('Redis is available again');
    this.#isReported = false;
    // Those that were added while the others were being subscribed.
    for (const name of this.#channels.keys()) void this.#listen(connection, name);
    const since = this.#soundAt;
    this.#soundAt = new Date();
    for (const listener of this.#onChange) listener(true, since);
  }

  #failed(error: unknown): void {
    if (this.#closed) return;
    if (!this.#isReported)
      this.#options.log.warn(
        { err: error },
        'Redis is unavailable: limits and notices do without it until it is back',
      );
    this.#isReported = true;
    const wait = RETRY_MS[Math.min(this.#breaks++, RETRY_MS.length - 1)];
    this.#retrying = setTimeout(() => void this.connect(), wait);
  }

  #lost(connection: Connection, error: unknown): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    if (Date.now() - this.#connectedAt > SOUND_MS) this.#breaks = 0;
    connection.destroy();
    this.#failed(error);
    for (const listener of this.#onChange) listener(false, this.#soundAt);
  }

  async #request<T>(ask: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = this.#connection;
    if (!connection || this.#isLate) throw new RedisUnavailable('Redis is unavailable');
    try {
      return await this.#patience.within(COMMAND_MS, ask(connection));
    } catch (error) {
      // Also when it refuses: a server that is full, loading or no longer the master is unusable too.
      if (error instanceof TooLate) this.#suspect(connection);
      else this.#lost(connection, error);
      throw new RedisUnavailable('Redis is unavailable', { cause: error });
    }
  }

  #suspect(connection: Connection): void {
    if (this.#connection !== connection) return;
    this.#isLate = true;
    void this.#check();
  }

  async #check(): Promise<void> {
    const connection = this.#connection;
    if (!connection || this.#isChecking) return;
    this.#isChecking = true;
    try {
      const asked = new Date();
      await this.#patience.within(SLOW_MS, connection.check(this.nameOf('check')));
      if (this.#connection !== connection) return;
      this.#isLate = false;
      this.#soundAt = asked;
    } catch (error) {
      this.#lost(connection, error);
    } finally {
      this.#isChecking = false;
    }
  }

  async #listen(connection: Connection, name: string): Promise<void> {
    await this.#patience
      .within(SLOW_MS, connection.subscribe(name, this.#receive))
      .catch((error) => this.#lost(connection, error));
  }

  /** One function for all, so that subscribing twice delivers once. */
  readonly #receive = (message: string, name: string): void => this.#channels.get(name)?.(message);
}
