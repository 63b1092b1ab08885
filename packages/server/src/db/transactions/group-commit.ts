import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as immediately } from 'node:timers/promises';
import { CompiledQuery, type Kysely } from 'kysely';
import pg from 'pg';
import { createCounter } from '../../base/counters.ts';
import { isDatabaseLost, isLockTimeout } from '../../base/errors.ts';
import { markAnswer } from '../../base/loop/loop-time.ts';
import { ROWS_MAX, type RowStatement } from '../given-rows.ts';
import { storedJson } from '../prepared.ts';
import type { Tables } from '../tables.generated.ts';

/** How many groups run at once, each on its connection: while one waits for the disk, the next one works. */
export const GROUPS = 2;
/** Further statements wait for the next group, so that none holds its locks for long. */
const GROUP_MAX = ROWS_MAX;
/**
 * How long a group waits for a lock before it is undone, so that those behind it don't wait too. Long enough for
 * another group's commit, and less than PostgreSQL's deadlock_timeout (1 s).
 */
export const GROUP_LOCK_WAIT_MS = 100;

const commits = createCounter(
  'foyer_group_commits_total',
  'Commits of statements that may share one, such as visitors’ messages',
);
const statements = createCounter(
  'foyer_group_statements_total',
  'Statements in these commits; rows that were sent as one statement count each',
);
const undone = createCounter(
  'foyer_groups_undone_total',
  'Groups of statements that were undone because one failed or waited for a lock, and then ran one by one',
);

type Rows = pg.QueryResult['rows'];

/** A caller, and the row of its statement. */
interface Waiting {
  sinceMs: number;
  statement: RowStatement;
  /** JSON. */
  row: string;
  /** Rows with the same key are never in one execution. */
  key: string;
  /** Calls a function as the caller, for traces. */
  asCaller: ReturnType<typeof AsyncLocalStorage.snapshot>;
  resolve(rows: Rows): void;
  reject(reason: unknown): void;
}

/** A statement as it is sent, with the rows of one or more callers. Traces show it at the first. */
interface Send {
  statement: RowStatement;
  callers: Waiting[];
}

/** The groups of each database, by the root connection that callers have. */
const groupsOf = new WeakMap<Kysely<Tables>, GroupCommit>();

/**
 * Runs a statement that is a whole transaction, such as a visitor's message, for one row. Those that arrive while others
 * are being committed share the next commit: PostgreSQL then works through them without a pause and waits for the disk
 * once. Those of the same statement whose keys differ are one execution, which costs little more than one of them
 * alone. Within a transaction, it is a statement like any other.
 *
 * When it resolves, the statement is committed. One that fails undoes only itself, and its error is that of the
 * statement alone. Statements that are under way together are in no order, unless they are in one group and have the
 * same key.
 * @param key names what the row changes, such as a chat
 * @returns the statement's row for this one, if there is one
 */
export async function executeForRow<T extends pg.QueryResultRow>(
  statement: RowStatement,
  row: object,
  key: string,
  db: Kysely<Tables>,
): Promise<T | undefined> {
  const groups = db.isTransaction ? undefined : groupsOf.get(db);
  const json = storedJson(row);
  if (groups) return (await groups.run<T>(statement, json, key))[0];
  const { rows } = await db.executeQuery<T>(CompiledQuery.raw(statement.text, valuesOf(statement, [json])));
  return rows[0];
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

/** Lets the statements of `executeForRow` share commits. */
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

  run<T extends pg.QueryResultRow>(statement: RowStatement, row: string, key: string): Promise<T[]> {
    const asCaller = AsyncLocalStorage.snapshot();
    const answer = new Promise<Rows>((resolve, reject) => {
      const sinceMs = performance.now();
      this.#waiting.push({ sinceMs, statement, row, key, asCaller, resolve, reject });
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
    const sends = sendsOf(group);
    const [only] = sends;
    if (only && sends.length === 1 && !this.#pools.hasLimitsOnlyInTransactions)
      return this.#commitOne(client, only);
    const { answers, committed } = await sendTogether(client, sends);
    if (committed.status === 'fulfilled' && committed.value.command === 'COMMIT')
      return settle(sends, answers);
    const [cause = committed] = answers.filter(({ status }) => status === 'rejected');
    const reason = cause.status === 'rejected' ? cause.reason : undefined;
    // After a statement that failed, PostgreSQL answers a commit with ROLLBACK: each may run alone, unless it is the
    // database that fails. Without an answer, nobody knows whether they are stored.
    if (committed.status === 'fulfilled' && !isDatabaseLost(reason)) this.#runAlone(group);
    else for (const { reject } of group) reject(reason);
  }

  /** A single statement needs no transaction around it. */
  async #commitOne(client: pg.PoolClient, only: Send): Promise<void> {
    try {
      answer(only.callers, await sendTo(client, only));
    } catch (error) {
      const { callers } = only;
      // What PostgreSQL itself refuses is undone.
      const isUndone = error instanceof pg.DatabaseError && !isDatabaseLost(error);
      if (isLockTimeout(error) || (isUndone && callers.length > 1)) this.#runAlone(callers);
      else for (const { reject } of callers) reject(error);
    }
  }

  /** Runs the statement of each caller of a group that was undone: only the one that failed fails again. */
  #runAlone(group: readonly Waiting[]): void {
    undone.add(1);
    for (const one of group)
      sendTo(this.#pools.others, { statement: one.statement, callers: [one] }).then(
        ({ rows }) => one.resolve(rows),
        one.reject,
      );
  }
}

/** The statements of a group: a row joins the first one that is its own and comes after those with the same key. */
function sendsOf(group: readonly Waiting[]): Send[] {
  const sends: Send[] = [];
  /** By key, where the last row with it is. */
  const lastAt = new Map<string, number>();
  for (const caller of group) {
    const { statement, key } = caller;
    const after = lastAt.get(key) ?? -1;
    const found = sends.findIndex((send, at) => at > after && send.statement === statement);
    const at = found === -1 ? sends.push({ statement, callers: [] }) - 1 : found;
    sends[at]?.callers.push(caller);
    lastAt.set(key, at);
  }
  return sends;
}

const valuesOf = ({ parameters }: RowStatement, rows: readonly string[]): unknown[] => [
  `[${rows.join(',')}]`,
  ...parameters,
];

/** Sends a statement with the rows of its callers, as the first of them. */
function sendTo(to: Pick<pg.PoolClient, 'query'>, { statement, callers }: Send): Promise<pg.QueryResult> {
  const values = valuesOf(
    statement,
    callers.map(({ row }) => row),
  );
  const send = () => to.query(statement.text, values);
  return callers[0]?.asCaller(send) ?? send();
}

/** Gives each caller its rows of an answer. */
function answer(callers: readonly Waiting[], { rows }: pg.QueryResult): void {
  if (callers.length === 1) {
    callers[0]?.resolve(rows);
    return;
  }
  const byNumber = new Map(rows.map((row) => [row.n, row]));
  for (const [at, { resolve }] of callers.entries()) {
    const row = byNumber.get(at + 1);
    resolve(row ? [row] : []);
  }
}

interface Answers {
  answers: PromiseSettledResult<pg.QueryResult>[];
  committed: PromiseSettledResult<pg.QueryResult>;
}

/** Sends a whole transaction at once. */
async function sendTogether(client: pg.PoolClient, sends: readonly Send[]): Promise<Answers> {
  const stream = client instanceof pg.Client ? client.connection.stream : undefined;
  stream?.cork();
  const begun = client.query('begin');
  const sent = sends.map((send) => sendTo(client, send));
  const ended = client.query('commit');
  stream?.uncork();
  const [committed, , ...answers] = await Promise.allSettled([ended, begun, ...sent]);
  return { answers, committed };
}

function settle(sends: readonly Send[], answers: Answers['answers']): void {
  for (const [at, { callers }] of sends.entries()) {
    const settled = answers[at];
    if (settled?.status === 'fulfilled') answer(callers, settled.value);
    else for (const { reject } of callers) reject(settled?.reason);
  }
}
