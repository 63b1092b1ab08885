import type { Logger } from 'pino';
import { createCounter } from '../../base/counters.ts';
import { type Changes, isRecorded, partOf } from '../../core/changes.ts';
import type { Notice } from '../../core/domain-event.ts';
import type { Db } from '../../db/database.ts';
import type { FollowedSites } from '../followed-sites.ts';
import { readNotice } from '../notices.ts';
import { beginEpoch, type OutboxRow, type Position, pruneOutbox, readOutbox } from './outbox-rows.ts';

const READ_EVERY_MS = 1_000;
/**
 * How long after a read the bus may still deliver the same changes. Its messages contain the records, which this
 * process would have to load. With the time between reads, this is the maximum delay of changes that the bus doesn't
 * deliver.
 */
const BUS_MAY_BRING_MS = 500;
/** How long rows are kept for readers. */
const KEPT_MS = 60_000;
/** A reader that was away this long may have missed rows. */
const AWAY_MS = 45_000;
/** With more missed changes than this, loading everything again is cheaper. */
const ROWS_MAX = 5_000;
const PRUNE_EVERY_MS = 10_000;
const PRUNED_AT_ONCE = 10_000;
/** How many names of notices are remembered, to recognise a second delivery. */
const NAMES_MAX = 50_000;

const recovered = createCounter(
  'foyer_notices_recovered_total',
  "Notices of other processes that the bus didn't bring and the outbox did",
);

const gaps = createCounter(
  'foyer_outbox_gaps_total',
  'Times at which changes may have been missed; everything is then read again',
);

interface OutboxOptions {
  db: Db;
  log: Logger;
  /** The changes of this process. */
  changes: Changes;
  followed: FollowedSites;
  /** Gets the notices that the bus has not delivered. */
  deliver(siteId: number, notice: Notice): void;
  busMayBringMs?: number;
  /**
   * Changes may have been missed, so cached data must be read again.
   * @param since when everything was known
   */
  onGap(since: Date): void;
}

/** Remembers names for one or two periods of time. */
class RecentNames {
  #now = new Set<string>();
  #before = new Set<string>();

  add(name: string): void {
    this.#now.add(name);
    if (this.#now.size > NAMES_MAX) this.turn();
  }

  has(name: string): boolean {
    return this.#now.has(name) || this.#before.has(name);
  }

  /** A new period begins. */
  turn(): void {
    [this.#before, this.#now] = [this.#now, new Set()];
  }
}

/**
 * Delivers the changes of other processes that the bus didn't: because the sender died between its commit and its
 * message, because a connection broke, or because a buffer was full. So a notice is lost only with its change.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  /** Notices that the bus has delivered, until they are read here. */
  readonly #received = new RecentNames();
  /** Notices that were read here and that the bus may still deliver. */
  readonly #awaited = new Map<string, { siteId: number; raw: unknown }>();
  /** Notices that were delivered from here. */
  readonly #delivered = new RecentNames();
  /** Earlier positions, oldest first: changes committed then are deleted once they are old. */
  #earlier: { at: number; position: Position }[] = [];
  #position: Position | undefined;
  /** Unknown before the first read, and before one with a new epoch. */
  #epoch: string | undefined;
  #readAt = { date: new Date(), ms: performance.now() };
  #prunedAt = performance.now();
  /** When there was last a change to delete later. */
  #changedAt = performance.now();
  #changesSeen = 0;
  #reading: Promise<void> | undefined;
  #next: NodeJS.Timeout | undefined;
  #waiting: NodeJS.Timeout | undefined;
  #failed = false;
  #stopped = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** @throws if the database doesn't answer */
  async start(): Promise<void> {
    await this.#read();
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#next);
    await this.#reading?.catch(() => undefined);
    clearTimeout(this.#waiting);
  }

  /** The bus has delivered a notice, or this process sends its own. @returns false if it was delivered before */
  isNew(part: string): boolean {
    if (this.#delivered.has(part)) return false;
    this.#awaited.delete(part);
    this.#received.add(part);
    return true;
  }

  /** Reads now, because the bus may have lost something. */
  readNow(): void {
    clearTimeout(this.#next);
    void this.#turn();
  }

  #schedule(): void {
    clearTimeout(this.#next);
    if (!this.#stopped) this.#next = setTimeout(() => void this.#turn(), READ_EVERY_MS);
  }

  async #turn(): Promise<void> {
    if (this.#stopped || this.#reading) return;
    this.#reading = this.#read();
    try {
      await this.#reading;
      this.#failed = false;
    } catch (error) {
      // Each following failure would report the same.
      if (!this.#failed) this.#options.log.warn({ err: error }, 'reading the outbox failed');
      this.#failed = true;
    } finally {
      this.#reading = undefined;
      this.#schedule();
    }
  }

  async #read(): Promise<void> {
    const { db, changes, followed, busMayBringMs = BUS_MAY_BRING_MS } = this.#options;
    const isAway = performance.now() - this.#readAt.ms > AWAY_MS;
    const began = { date: new Date(), ms: performance.now() };
    const wanted = { node: changes.node, unanswered: changes.unanswered(), sites: followed.ids };
    const page = await readOutbox(db, isAway ? undefined : this.#position, wanted, ROWS_MAX);
    const isFirst = this.#position === undefined;
    const isLost = page.epoch === null || (this.#epoch !== undefined && page.epoch !== this.#epoch);
    if (page.epoch === null) await beginEpoch(db);
    const since = this.#readAt.date;
    this.#position = page.position;
    this.#epoch = page.epoch ?? undefined;
    this.#readAt = began;
    if (!isFirst && (isAway || isLost || page.rows.length >= ROWS_MAX)) {
      gaps.add(1);
      this.#options.onGap(since);
    } else for (const row of page.rows) this.#await(row);
    if (this.#awaited.size > 0) this.#waiting ??= setTimeout(() => this.#deliverAwaited(), busMayBringMs);
    // Everything that the bus delivered before this read was committed before it.
    this.#received.turn();
    if (page.rows.length > 0 || changes.count !== this.#changesSeen) this.#changedAt = began.ms;
    this.#changesSeen = changes.count;
    await this.#prune(page.position, began.ms);
  }

  #await({ siteId, notices, ...change }: OutboxRow): void {
    for (const [index, raw] of notices.entries()) {
      const part = partOf(change, index);
      if (!this.#received.has(part) && !this.#delivered.has(part)) this.#awaited.set(part, { siteId, raw });
    }
  }

  #deliverAwaited(): void {
    this.#waiting = undefined;
    for (const [part, { siteId, raw }] of this.#awaited) {
      this.#awaited.delete(part);
      this.#delivered.add(part);
      const notice = readNotice(raw);
      if (!notice || !isRecorded(notice)) continue;
      recovered.add(1);
      this.#options.deliver(siteId, notice);
    }
  }

  /** Deletes old rows now and then, as long as there are any. */
  async #prune(position: Position, now: number): Promise<void> {
    if (now - this.#prunedAt < PRUNE_EVERY_MS) return;
    this.#prunedAt = now;
    this.#delivered.turn();
    this.#earlier.push({ at: now, position });
    const old = this.#earlier.findLastIndex(({ at }) => now - at >= KEPT_MS);
    const due = this.#earlier[old];
    if (!due) return;
    this.#earlier = this.#earlier.slice(old);
    if (now - this.#changedAt > 2 * KEPT_MS) return;
    while ((await pruneOutbox(this.#options.db, due.position, PRUNED_AT_ONCE)) === PRUNED_AT_ONCE);
  }
}
