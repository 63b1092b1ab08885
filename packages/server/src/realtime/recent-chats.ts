/** Longer than any statement runs: a chat that one has read is no older. */
const RECENT_MS = 10_000;

interface Recent {
  /** Of the chat as it was last sent to desks. */
  seq: number;
  /** When a change other than a message happened. */
  changedAt: number;
}

/**
 * Decides whether a chat that came with its message may be sent to desks as it is. It was read by the statement that
 * stored the message, while another change may have been running; and messages of two processes may arrive in any
 * order.
 */
export class RecentChats {
  #now = new Map<string, Recent>();
  #before = new Map<string, Recent>();
  #began = performance.now();

  /** The chat has changed, other than by a message. */
  changed(key: string): void {
    this.#entry(key).changedAt = performance.now();
  }

  /** Desks have the chat with this last message. */
  sent(key: string, seq: number): void {
    const entry = this.#entry(key);
    entry.seq = Math.max(entry.seq, seq);
  }

  /** `old`: desks have a later one. `load`: only the database knows the chat as it is. */
  useOf(key: string, seq: number): 'send' | 'load' | 'old' {
    const { seq: last, changedAt } = this.#entry(key);
    if (performance.now() - changedAt <= RECENT_MS) return 'load';
    return seq < last ? 'old' : 'send';
  }

  #entry(key: string): Recent {
    const now = performance.now();
    if (now - this.#began > RECENT_MS) {
      this.#before = now - this.#began > 2 * RECENT_MS ? new Map() : this.#now;
      this.#now = new Map();
      this.#began = now;
    }
    const known = this.#now.get(key);
    if (known) return known;
    const before = this.#before.get(key);
    const entry = before ?? { seq: 0, changedAt: Number.NEGATIVE_INFINITY };
    this.#now.set(key, entry);
    return entry;
  }
}
