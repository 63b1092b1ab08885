import type pg from 'pg';
import type { Logger } from 'pino';
import { pause } from '../base/pause.ts';
import { isAfterOlder, listFills, type Migration, readFill } from './migration-files.ts';
import { isOlderRunning } from './process-versions.ts';

/** How often a worker looks for rows that older processes wrote. */
const LOOK_MS = 10_000;
/** The pause between two batches, for other work. */
const PAUSE_MS = 50;
/** By then, an older process whose connection broke has reconnected. */
const GONE_AFTER_MS = 60_000;

type Client = Pick<pg.ClientBase, 'query'>;

async function listOpen(client: Client, fills: readonly Migration[]): Promise<Migration[]> {
  if (fills.length === 0) return [];
  const { rows } = await client.query<{ number: number }>(
    'select number from foyer_migrations where filled_at is null and number = any($1)',
    [fills.map(({ number }) => number)],
  );
  return fills.filter(({ number }) => rows.some((row) => row.number === number));
}

/** Makes newer processes fill again: this program, which starts now, may write rows without the new data. */
export async function reopenFills(client: Client, own: number): Promise<void> {
  await client.query(
    'update foyer_migrations set filled_at = null where number > $1 and filled_at is not null',
    [own],
  );
}

/** Fills completely, within a migration: the next statement removes the columns that older processes write. */
export async function finishFills(client: Client, before: number): Promise<void> {
  for (const fill of (await listOpen(client, await listFills())).filter(({ number }) => number < before)) {
    const text = await readFill(fill);
    while ((await client.query(text)).rowCount);
    await markFilled(client, fill);
  }
}

const markFilled = (client: Client, { number }: Migration): Promise<unknown> =>
  client.query('update foyer_migrations set filled_at = now() where number = $1', [number]);

interface FillOptions {
  pool: pg.Pool;
  log: Logger;
  /** How long no older process must have been seen before none counts as running. */
  goneAfterMs?: number;
  lookMs?: number;
}

/** The fills of this program, run by one of the workers at a time until no older process is left. */
class Fills {
  readonly #options: FillOptions;
  readonly #stopping = new AbortController();
  /** When an older process was last seen, by the migration that it doesn't know. */
  readonly #seenAt = new Map<number, number>();
  readonly #startedAt = Date.now();
  #running: Promise<void> = Promise.resolve();

  constructor(options: FillOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { pool, log, lookMs = LOOK_MS } = this.#options;
    let fills: readonly Migration[] | undefined;
    while (!this.#stopping.signal.aborted) {
      try {
        fills ??= await listFills();
        // Another process may reopen one later.
        for (const fill of await listOpen(pool, fills)) await this.#fill(fill);
      } catch (error) {
        log.warn({ err: error }, 'filling rows of an older version failed; it will be retried');
      }
      await pause(lookMs, this.#stopping.signal);
    }
  }

  async #fill(fill: Migration): Promise<void> {
    const { pool } = this.#options;
    const text = await readFill(fill);
    // Checked before the batch: rows that such a process writes meanwhile are found by the next look.
    if (await isOlderRunning(pool, fill.number)) this.#seenAt.set(fill.number, Date.now());
    if (isAfterOlder(text) && !this.#areOlderGone(fill)) return;
    for (;;) {
      const filled = await this.#batch(fill, text);
      if (filled === undefined) return;
      if (filled === 0) break;
      await pause(PAUSE_MS, this.#stopping.signal);
    }
    if (this.#areOlderGone(fill)) await markFilled(pool, fill);
  }

  #areOlderGone({ number }: Migration): boolean {
    const { goneAfterMs = GONE_AFTER_MS } = this.#options;
    return Date.now() - (this.#seenAt.get(number) ?? this.#startedAt) > goneAfterMs;
  }

  /** @returns how many rows it filled; undefined if another worker fills, or this one stops */
  async #batch({ number }: Migration, text: string): Promise<number | undefined> {
    if (this.#stopping.signal.aborted) return undefined;
    const client = await this.#options.pool.connect();
    try {
      await client.query('begin');
      const { rowCount: isMine } = await client.query(
        'select from foyer_migrations where number = $1 and filled_at is null for update skip locked',
        [number],
      );
      const filled = isMine ? ((await client.query(text)).rowCount ?? 0) : undefined;
      await client.query('commit');
      return filled;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  }
}

/** Starts filling what migrations added, in the background. Programs without fills run no queries. */
export function startFills(options: FillOptions): { stop(): Promise<void> } {
  const fills = new Fills(options);
  fills.start();
  return fills;
}
