import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as immediately } from 'node:timers/promises';
import type { CompiledQuery, Kysely, QueryResult, RawBuilder } from 'kysely';
import pg from 'pg';
import { createCounter } from '../../base/counters.ts';
import { isDatabaseLost, isLockTimeout } from '../../base/errors.ts';
import { markAnswer } from '../../base/loop/loop-time.ts';
import type { Tables } from '../tables.generated.ts';

/** How many groups run at once, each on its connection: while one waits for the disk, the next one works. */
export const GROUPS = 2;
/** Further statements wait for the next group, so that none holds its locks for long. */
const GROUP_MAX = 32;
/**
 * How long a group waits for a lock before it is undone, so that those behind it don't wait too. Long enough for
 * another group's commit, and less than PostgreSQL's deadlock_timeout (1 s).
 */
export const GROUP_LOCK_WAIT_MS = 100;

const commits = createCounter(
  'foyer_group_commits_total',
  'Commits of statements that may share one, such as visitors’ messages',
);
const statements = createCounter('foyer_group_statements_total', 'Statements in these commits');
const undone = createCounter(
  'foyer_groups_undone_total',
  'Groups of statements that were undone because one failed or waited for a lock, and then ran one by one',
);

type Answer = Promise<pg.QueryResult>;

interface Waiting {
  sinceMs: number;
  /** Sends the statement as its caller, for traces. */
  sendTo(to: Pick<pg.PoolClient, 'query'>): Answer;
  resolve(result: pg.QueryResult): void;
  reject(reason: unknown): void;
}

/** The groups of each database, by the root connection that callers have. */
const groupsOf = new WeakMap<Kysely<Tables>, GroupCommit>();

/**
 * Runs a statement that is a whole transaction, such as a visitor's message. Statements that arrive while others are
 * being committed share the next commit: PostgreSQL then works through them without a pause and waits for the disk
 * once. Within a transaction, it is a statement like any other.
 *
 * When it resolves, the statement is committed. One that fails undoes only itself, and its error is that of the
 * statement alone. Statements that are under way together are in no order.
 */
export function executeGrouped<T extends pg.QueryResultRow>(
  statement: RawBuilder<T>,
  db: Kysely<Tables>,
): Promise<Pick<QueryResult<T>, 'rows'>> {
  const groups = db.isTransaction ? undefined : groupsOf.get(db);
  return groups ? groups.run(statement.compile(db)) : statement.execute(db);
}

interface Pools {
  /** For groups: its clients have pipelines, and wait no longer than GROUP_LOCK_WAIT_MS for a lock. */
  pool: pg.Pool;
  /** Runs statements that a group can't. */
  others: pg.Pool;
  /** How long a statement waits for its group, as it would for a connection. */
  waitMs: number;
  /** Limits apply to transactions only, as behind a pooler, so that a single statement needs one as well. */
  hasLimitsOnlyInTransactions: boolean;
}

/** Lets the statements of `executeGrouped` share commits. */
export function groupCommits(db: Kysely<Tables>, pools: Pools): void {
  groupsOf.set(db, new GroupCommit(pools));
}

class GroupCommit {
  readonly #pools: Pools;
  readonly #waiting: Waiting[] = [];
  #running = 0;

  constructor(pools: Pools) {
    this.#pools = pools;
  }

  run<T extends pg.QueryResultRow>(query: CompiledQuery): Promise<pg.QueryResult<T>> {
    const asCaller = AsyncLocalStorage.snapshot();
    const answer = new Promise<pg.QueryResult>((resolve, reject) => {
      const sendTo: Waiting['sendTo'] = (to) => asCaller(() => to.query(query.sql, [...query.parameters]));
      this.#waiting.push({ sinceMs: performance.now(), sendTo, resolve, reject });
    });
    if (this.#running < GROUPS) void this.#runGroups();
    return markAnswer(answer);
  }

  /** Runs one group after the other until nothing waits. */
  async #runGroups(): Promise<void> {
    this.#running++;
    while (this.#waiting.length > 0) await this.#runGroup();
    this.#running--;
  }

  async #runGroup(): Promise<void> {
    let client: pg.PoolClient;
    try {
      client = await this.#pools.pool.connect();
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
      return;
    }
    // What else arrives in this turn of the event loop is part of it.
    await immediately();
    const group = this.#take();
    try {
      if (group.length > 0) await this.#commit(client, group);
      client.release();
    } catch (error) {
      // Nobody knows what it was in the middle of.
      client.release(true);
      for (const { reject } of group) reject(error);
    }
  }

  /** The next group. Those that have waited too long for it fail: the database hangs, and their callers must know. */
  #take(): Waiting[] {
    const since = performance.now() - this.#pools.waitMs;
    return this.#waiting.splice(0, GROUP_MAX).filter(({ sinceMs, reject }) => {
      const isLate = sinceMs < since;
      if (isLate) reject(new Error('timeout exceeded when trying to connect: a commit before this is late'));
      return !isLate;
    });
  }

  async #commit(client: pg.PoolClient, group: readonly Waiting[]): Promise<void> {
    commits.add(1);
    statements.add(group.length);
    const [only] = group;
    if (only && group.length === 1 && !this.#pools.hasLimitsOnlyInTransactions)
      return this.#commitOne(client, only);
    const { answers, committed } = await sendTogether(client, group);
    if (committed.status === 'fulfilled' && committed.value.command === 'COMMIT')
      return settle(group, answers);
    const [cause = committed] = answers.filter(({ status }) => status === 'rejected');
    const reason = cause.status === 'rejected' ? cause.reason : undefined;
    // After a statement that failed, PostgreSQL answers a commit with ROLLBACK: each may run alone, unless it is the
    // database that fails. Without an answer, nobody knows whether they are stored.
    if (committed.status === 'fulfilled' && !isDatabaseLost(reason)) this.#runAlone(group);
    else for (const { reject } of group) reject(reason);
  }

  async #commitOne(client: pg.PoolClient, only: Waiting): Promise<void> {
    try {
      only.resolve(await only.sendTo(client));
    } catch (error) {
      if (isLockTimeout(error)) this.#runAlone([only]);
      else only.reject(error);
    }
  }

  /** Runs each statement of a group that was undone: only the one that failed fails again. */
  #runAlone(group: readonly Waiting[]): void {
    undone.add(1);
    for (const { sendTo, resolve, reject } of group) sendTo(this.#pools.others).then(resolve, reject);
  }
}

interface Answers {
  answers: PromiseSettledResult<pg.QueryResult>[];
  committed: PromiseSettledResult<pg.QueryResult>;
}

/** Sends a whole transaction at once. */
async function sendTogether(client: pg.PoolClient, group: readonly Waiting[]): Promise<Answers> {
  const stream = client instanceof pg.Client ? client.connection.stream : undefined;
  stream?.cork();
  const begun = client.query('begin');
  const sent = group.map(({ sendTo }) => sendTo(client));
  const ended = client.query('commit');
  stream?.uncork();
  const [committed, , ...answers] = await Promise.allSettled([ended, begun, ...sent]);
  return { answers, committed };
}

function settle(group: readonly Waiting[], answers: Answers['answers']): void {
  for (const [at, { resolve, reject }] of group.entries()) {
    const answer = answers[at];
    if (answer?.status === 'fulfilled') resolve(answer.value);
    else reject(answer?.reason);
  }
}
