/** Counts by key within a window that begins with a key's first count. */
export interface Counters {
  /** Counts `amount` unless that exceeds `max`. Parallel calls let exactly `max` pass. */
  take(key: string, count: { amount: number; max: number; windowMs: number }): Promise<Taken>;
  /** Removes one, so that it doesn't count. */
  giveBack(key: string): Promise<void>;
}

export interface Taken {
  allowed: boolean;
  /** The current count. */
  used: number;
  /** Until the window ends, in milliseconds. */
  leftMs: number;
}
