import type { Logger } from 'pino';

/**
 * Messages between the processes of one installation. A transport is fast, not reliable: a message that a process
 * must not miss is also in the database, and processes read there what they didn't receive.
 */
export interface Bus {
  /** What a message may weigh as JSON. A larger one is not sent, or a short form of it. */
  readonly maxBytes: number;
  /**
   * Sends a message to the other processes, soon and in order. Never throws.
   * @param siteId the site whose followers need it; undefined for every process
   * @param short is sent instead of a message that weighs more than `maxBytes`
   */
  publish(siteId: number | undefined, message: object, short?: object): void;
  /**
   * From now on this process needs the messages of a site. Those sent in the next moments may still be missed. Called
   * once per site until `unfollow`.
   */
  follow(siteId: number): void;
  unfollow(siteId: number): void;
  /** Sends what is waiting, then disconnects. */
  close(): Promise<void>;
}

export interface BusOptions {
  log: Logger;
  /** Gets messages of other processes: those for everybody, and those of followed sites. */
  onMessage(message: unknown): void;
  /**
   * Messages may have been missed, so cached data must be read again.
   * @param since when the connection was last known to work
   */
  onGap(since: Date): void;
}
