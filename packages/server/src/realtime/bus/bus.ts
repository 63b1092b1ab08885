import type { Logger } from 'pino';

/** The channel that carries a site's changes, its agents' presence, and whatever else its followers need. */
export const channelOfSite = (siteId: number): number => siteId;
/**
 * The channel for what is needed only by processes to which pages of a site report. Most of them have none of the
 * site's chats, so they don't follow its other channel.
 */
export const channelOfPages = (siteId: number): number => -siteId;

/** A process's state for a site, until it sends another or dies. */
export interface State {
  channel: number;
  /** Identifies which of this process's states in the channel it replaces. */
  name: string;
  message: object;
}

/**
 * Messages between the processes of one installation. A transport is fast, not reliable: a message that a process
 * must not miss is also in the database, and processes read there what they didn't receive.
 */
export interface Bus {
  /** The maximum size of a message as JSON. Of a larger one, a short form is sent, or nothing. */
  readonly maxBytes: number;
  /**
   * Sends a message to the other processes, soon and in order. Never throws.
   * @param channel only for the processes that follow it; undefined for every process
   * @param short is sent instead of a message larger than `maxBytes`
   */
  publish(channel: number | undefined, message: object, short?: object): void;
  /**
   * Sends states, which are valid for `forMs`: the sender repeats them sooner. Processes that follow a channel later
   * get them too, if the transport retains them; if it doesn't, every process gets them at once.
   * @param whole all of the states in one message, for that case
   */
  retain(states: readonly State[], forMs: number, whole: object): void;
  /**
   * Resolves when the retained states of other processes in a channel have been delivered: at once while they send
   * states to every process. For a channel that isn't followed they may be a second old. Never rejects.
   */
  recall(channel: number): Promise<void>;
  /**
   * From now on this process receives the messages of a channel. Those sent in the next moments may still be missed,
   * but no states. Called once per channel until `unfollow`.
   */
  follow(channel: number): void;
  unfollow(channel: number): void;
  /** Sends the waiting messages, then disconnects. */
  close(): Promise<void>;
}

export interface BusOptions {
  log: Logger;
  /**
   * Receives messages of other processes: those for everybody, and those of followed channels.
   * @param ageMs how long ago it was sent, for a retained state
   */
  onMessage(message: unknown, ageMs: number): void;
  /**
   * Messages may have been missed, so cached data must be read again.
   * @param since when the connection was last known to work
   */
  onGap(since: Date): void;
}
