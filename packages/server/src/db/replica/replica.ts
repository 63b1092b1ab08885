import type { Transaction } from 'kysely';
import type { Logger } from 'pino';
import { createCounter } from '../../base/counters.ts';
import {
  AppError,
  isDatabaseLost,
  isReadOnly,
  isRecoveryConflict,
  isStatementEnded,
} from '../../base/errors.ts';
import { reasonOf, StartError } from '../../base/start-error.ts';
import { type Database, openDatabase } from '../database.ts';
import type { Tables } from '../tables.generated.ts';
import { settleTls } from '../tls.ts';
import { isSameDatabase, positionOf, ReplicaLag } from './position.ts';

/** `behind`: it lags more than allowed, or its lag isn't known yet. */
export type ReplicaState = 'up' | 'behind' | 'down';

const CHECK_MS = 1_000;
/** A check isn't worth waiting for. */
const CHECK_STATEMENT_MS = 2_000;

const reads = createCounter(
  'foyer_replica_reads_total',
  'Reads that the replica may answer: "replica" if it did, else why the primary did: down, behind, conflict',
  ['answered'],
);

export interface ReplicaOptions {
  url: string;
  primary: Pick<Database, 'pool'>;
  poolMax: number;
  statementTimeoutMs: number;
  /** The maximum lag with which it answers. */
  maxLagMs: number;
  log: Logger;
}

/** A streaming replica that answers reads whose callers needn't see what was just written. */
export interface Replica {
  state(): ReplicaState;
  /** The maximal age of its data, in seconds; infinite while it isn't known. */
  lagS(): number;
  /**
   * Runs `there` in a read-only transaction of the replica. If it can't answer now, or breaks off, `here` answers.
   */
  read<T>(there: (db: Transaction<Tables>) => Promise<T>, here: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Checks the replica once a second from now on. One that doesn't answer doesn't prevent the start, and is used once it
 * does.
 * @throws StartError if it is of another database, or can't be used as it is configured
 */
export async function openReplica(options: ReplicaOptions): Promise<Replica> {
  const replica = new FollowedReplica(options);
  try {
    await replica.begin();
  } catch (error) {
    await replica.close();
    throw error;
  }
  return replica;
}

interface Connections {
  reads: Database;
  /** A connection of its own, so that checks don't wait for reads. */
  checks: Database;
}

/**
 * Transactions begin with their limits and statements have no names, so that a pooler in transaction mode may be in
 * between.
 */
function connect(url: string, { poolMax, statementTimeoutMs, log }: ReplicaOptions): Connections {
  const shared = {
    replica: true,
    pooled: true,
    prepared: false,
    name: 'foyer replica',
    onError: (error: Error) => log.debug({ err: error }, 'a connection to the replica was lost'),
  } as const;
  return {
    reads: openDatabase(url, { ...shared, max: poolMax, statementTimeoutMs }),
    checks: openDatabase(url, { ...shared, max: 1, statementTimeoutMs: CHECK_STATEMENT_MS }),
  };
}

/** PgBouncer in statement mode. */
const NO_TRANSACTIONS = /statement pooling/;

async function requireTransactions({ reads: { db } }: Connections): Promise<void> {
  const probe = db.transaction().setAccessMode('read only');
  await probe
    .execute((tx) => tx.selectNoFrom((of) => of.lit(1).as('one')).execute())
    .catch((error) => {
      if (NO_TRANSACTIONS.test(reasonOf(error)))
        throw new StartError(
          'DATABASE_REPLICA_URL leads to a pooler in statement mode, where transactions don’t work. Use its transaction ' +
            'or session mode, or the address of the replica itself.',
        );
      throw error;
    });
}

class FollowedReplica implements Replica {
  readonly #options: ReplicaOptions;
  readonly #lag = new ReplicaLag();
  #connections: Connections | undefined;
  #failure: unknown;
  #reported: ReplicaState | undefined;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;
  #closed = false;

  constructor(options: ReplicaOptions) {
    this.#options = options;
  }

  async begin(): Promise<void> {
    await this.#look();
    const failure = this.#failure;
    if (failure !== undefined && !isDatabaseLost(failure))
      throw failure instanceof StartError
        ? failure
        : new StartError(`The replica at DATABASE_REPLICA_URL can't be used: ${reasonOf(failure)}`);
    this.#report();
    this.#lookAgain();
  }

  state(): ReplicaState {
    if (this.#failure !== undefined) return 'down';
    return this.#lag.at(performance.now()) > this.#options.maxLagMs ? 'behind' : 'up';
  }

  lagS(): number {
    return this.#lag.at(performance.now()) / 1_000;
  }

  async read<T>(there: (db: Transaction<Tables>) => Promise<T>, here: () => Promise<T>): Promise<T> {
    const state = this.state();
    if (state !== 'up' || !this.#connections) {
      reads.add(1, state);
      return here();
    }
    const began = performance.now();
    try {
      const { db } = this.#connections.reads;
      const result = await db.transaction().setAccessMode('read only').execute(there);
      reads.add(1, 'replica');
      return result;
    } catch (error) {
      const why = this.#whyRepeat(error, performance.now() - began);
      if (why === undefined) throw error;
      reads.add(1, why);
      return here();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#checking;
    const { reads, checks } = this.#connections ?? {};
    await Promise.all([reads?.close(), checks?.close()]);
  }

  /** Why the primary should answer instead; undefined if it would fail too. */
  #whyRepeat(error: unknown, tookMs: number): Exclude<ReplicaState, 'up'> | 'conflict' | undefined {
    if (isRecoveryConflict(error)) return 'conflict';
    // The caller may name a record that the replica doesn't have yet.
    if (error instanceof AppError) return error.code === 'not_found' ? 'behind' : undefined;
    // A write is a bug of the operation, and a statement that is too slow here is too slow there.
    if (isReadOnly(error)) return undefined;
    if (isStatementEnded(error)) return tookMs < this.#options.statementTimeoutMs ? 'conflict' : undefined;
    if (!isDatabaseLost(error)) return undefined;
    this.#failure = error;
    this.#report();
    return 'down';
  }

  #lookAgain(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#checking = this.#look().then(() => {
        this.#report();
        this.#lookAgain();
      });
    }, CHECK_MS).unref();
  }

  async #look(): Promise<void> {
    const at = performance.now();
    // Without the primary there is nothing to compare with: the lag grows until it is back.
    const primary = await positionOf(this.#options.primary.pool).catch(() => undefined);
    if (!primary || primary.isStandby) return;
    try {
      const { checks } = await this.#connect();
      this.#lag.mark(at, primary.lsn);
      const replica = await positionOf(checks.pool);
      if (!isSameDatabase(replica, primary))
        throw new StartError(
          'DATABASE_REPLICA_URL is the address of another database than DATABASE_URL: expected a streaming replica of it.',
        );
      // It was promoted: from now on it has its own history, or it is the new primary.
      if (!replica.isStandby) throw Object.assign(new Error('the server is no standby'), { code: '57P03' });
      this.#lag.replayed(replica.lsn);
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error;
      this.#lag.forget();
    }
  }

  async #connect(): Promise<Connections> {
    if (this.#connections) return this.#connections;
    const connections = connect(await settleTls(this.#options.url), this.#options);
    try {
      await requireTransactions(connections);
    } catch (error) {
      await Promise.all([connections.reads.close(), connections.checks.close()]);
      throw error;
    }
    this.#connections = connections;
    return connections;
  }

  /** Once for each change. */
  #report(): void {
    const state = this.state();
    if (state === this.#reported) return;
    const isFirst = this.#reported === undefined;
    this.#reported = state;
    const { log } = this.#options;
    if (state === 'up') log.info('the replica is in step and answers reports and searches');
    else if (state === 'down') log.warn({ err: this.#failure }, 'the replica is down; the primary answers');
    else if (!isFirst) log.warn({ lag_s: this.lagS() }, 'the replica is behind; the primary answers');
  }
}
