import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { isAnswerLate, isReadOnly, standbyError } from '../base/errors.ts';
import { markAnswers } from '../base/loop/loop-time.ts';
import { currentTracer } from '../base/spans.ts';
import { keepPrepared } from './prepared.ts';
import type { Tables } from './tables.generated.ts';
import { readTimestamp, TIMESTAMPTZ } from './timestamps.ts';
import { traceStatements } from './trace-statements.ts';
import { GROUP_LOCK_WAIT_MS, GROUPS, groupCommits } from './transactions/group-commit.ts';

/** The root connection or a transaction; both have the same methods. */
export type Db = Kysely<Tables> | Transaction<Tables>;

const INT8 = 20;
const INT8_LIST = 1016;
const DATE = 1082;
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    // Ids and counters stay below 2^53, so numbers hold them exactly.
    if (oid === TIMESTAMPTZ && format !== 'binary') return readTimestamp;
    if (oid === INT8) return Number;
    if (oid === INT8_LIST)
      return (value: string) => value.slice(1, -1).split(',').filter(Boolean).map(Number);
    // Keep dates as text: a Date would shift them by the time zone.
    if (oid === DATE) return (value: string) => value;
    return pg.types.getTypeParser(oid, format);
  },
};

/**
 * A database that is down must be reported within 12 s, whether it refuses or hangs. A caller waits for a connection
 * and then for a statement, so both timeouts together stay below that.
 */
const CONNECT_TIMEOUT_MS = 4_000;
/** For background work. */
const PATIENT_CONNECT_TIMEOUT_MS = 10_000;
export const STATEMENT_TIMEOUT_MS = 7_500;
/** How much earlier the server's own timeout ends a statement, unless the server hangs. */
const ANSWER_GRACE_MS = 500;
/**
 * After this, an idle transaction is rolled back. Less than STATEMENT_TIMEOUT_MS, so that statements that wait for the
 * locks of a hanging process continue instead of failing.
 */
const IDLE_IN_TRANSACTION_MS = 5_000;
/** For background work. */
const PATIENT_IDLE_IN_TRANSACTION_MS = 60_000;

/**
 * After this, an idle connection is closed. A new one costs PostgreSQL a process and plans each large statement six
 * times, about as much as a hundred messages, so connections outlast the pauses of a busy site.
 */
const IDLE_CONNECTION_MS = 60_000;

const MAX_CONNECTIONS = 10;
/** The connections of a process for the reads of its caches. */
export const LOOKUP_CONNECTIONS = 2;

export interface Database {
  db: Kysely<Tables>;
  pool: pg.Pool;
  url: string;
  /** For what needs a session: LISTEN, session locks. The same as `url` unless that is a pooler's. */
  directUrl: string;
  /** Those that are open, those of them that nobody uses, and how many callers wait for one. */
  connections(): { total: number; idle: number; requested: number };
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** The number of connections. More than four include those of group commits. */
  max?: number;
  onError?: (error: Error) => void;
  /** No statement timeout, for migrations. */
  patient?: true;
  statementTimeoutMs?: number;
  /** PostgreSQL itself, where the URL is that of a pooler in transaction mode. */
  directUrl?: string | undefined;
  /** Whether statements marked as `prepared` get a name. By default unless the URL is a pooler's. */
  prepared?: boolean | undefined;
  /** The server may be a standby. */
  replica?: true;
  /** Whether the URL may be that of a pooler in transaction mode. By default if `directUrl` is another one. */
  pooled?: boolean;
  /** In `pg_stat_activity`. */
  name?: string;
}

type Query = (...args: unknown[]) => unknown;

/** Replaces a client's `query` by one that calls it. */
function wrapQuery(client: pg.ClientBase, wrap: (query: Query) => Query): void {
  Object.assign(client, { query: wrap(client.query.bind(client)) });
}

/**
 * Ends a connection that the pool must not reuse: one with a late answer may be dead, and one to a server that no
 * longer accepts writes hides the new one.
 */
const endWhenUseless =
  (client: pg.ClientBase, { replica }: Pick<Session, 'replica'>) =>
  (query: Query): Query =>
  (...args) => {
    const answer = query(...args);
    if (answer instanceof Promise)
      answer.catch((error) => {
        if ((isAnswerLate(error) || (isReadOnly(error) && !replica)) && client instanceof pg.Client)
          void client.end();
      });
    return answer;
  };

/** The settings that limit a session, in milliseconds. */
const limitsOf = ({
  statementMs,
  idleMs,
  lockMs,
}: Omit<Session, 'pooled' | 'replica'>): [string, number][] => [
  ['statement_timeout', statementMs],
  ['idle_in_transaction_session_timeout', idleMs],
  ...(lockMs === undefined ? [] : [['lock_timeout', lockMs] satisfies [string, number]]),
];

const BEGIN = /^(begin|start transaction)\b/;

/** A pooler's sessions don't have our settings, so each transaction sets its own, in the message that begins it. */
const limitTransactions =
  (session: Session) =>
  (query: Query): Query =>
  (first, ...rest) =>
    typeof first === 'string' && BEGIN.test(first)
      ? query([first, ...limitsOf(session).map(([name, ms]) => `set local ${name} = ${ms}`)].join('; '))
      : query(first, ...rest);

/**
 * The settings of each new connection. Not as startup parameters: poolers refuse them.
 * @throws standbyError, so that nothing is written to a standby
 */
async function beginSession(client: pg.ClientBase, { replica, pooled, ...session }: Session): Promise<void> {
  const limits = limitsOf(session)
    .map(([name, ms]) => `set_config('${name}', '${ms}', false), `)
    .join('');
  const { rows } = await client.query<{ standby: boolean }>(
    `select ${pooled ? '' : limits}pg_is_in_recovery() as standby`,
  );
  if (rows[0]?.standby && !replica) throw standbyError();
}

interface Session {
  statementMs: number;
  /** Between two statements of a transaction. */
  idleMs: number;
  /** How long a statement waits for a lock. Undefined: as long as for anything else. */
  lockMs?: number;
  pooled: boolean;
  replica: boolean;
}

function openPool(url: string, session: Session, options: DatabaseOptions): pg.Pool {
  const { patient, max, name = 'foyer', prepared = !session.pooled, onError } = options;
  const settings: pg.PoolConfig = {
    connectionString: url,
    max,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    connectionTimeoutMillis: patient ? PATIENT_CONNECT_TIMEOUT_MS : CONNECT_TIMEOUT_MS,
    ...(patient ? {} : { query_timeout: session.statementMs + ANSWER_GRACE_MS }),
    application_name: name,
    keepAlive: true,
    // Nothing else can use pipelines: COPY, for one, must not be followed by another statement.
    pipeline: session.lockMs !== undefined,
    types,
    // The pool waits for it, unlike what its type says.
    onConnect: (client) => beginSession(client, session),
  };
  const pool = new pg.Pool(settings);
  // Idle connections break when the database goes away. The next query opens a new one.
  pool.on('error', (error) => onError?.(error));
  // Connections in use can break between two statements. Without a listener that would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => onError?.(error));
    if (currentTracer()) wrapQuery(client, traceStatements);
    if (prepared) wrapQuery(client, keepPrepared);
    wrapQuery(client, endWhenUseless(client, session));
    wrapQuery(client, markAnswers);
    if (session.pooled) wrapQuery(client, limitTransactions(session));
  });
  return pool;
}

/**
 * Connects with the first query, not here. `close` waits for running queries and may be called before the first
 * one.
 */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { directUrl = url, patient, replica = false, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const { pooled = directUrl !== url } = options;
  // 0: no limit.
  const statementMs = patient ? 0 : statementTimeoutMs;
  const idleMs = patient ? PATIENT_IDLE_IN_TRANSACTION_MS : IDLE_IN_TRANSACTION_MS;
  const { max = MAX_CONNECTIONS } = options;
  const session: Session = { statementMs, idleMs, pooled, replica };
  const isGrouping = !replica && !patient && max > 2 * GROUPS;
  const pool = openPool(url, session, { ...options, max: isGrouping ? max - GROUPS : max });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  let groups: pg.Pool | undefined;
  if (isGrouping) {
    groups = openPool(url, { ...session, lockMs: GROUP_LOCK_WAIT_MS }, { ...options, max: GROUPS });
    groupCommits(db, {
      pool: groups,
      others: pool,
      waitMs: CONNECT_TIMEOUT_MS,
      hasLimitsOnlyInTransactions: pooled,
    });
  }
  const connections = () => {
    const pools = groups ? [pool, groups] : [pool];
    const sum = (of: (one: pg.Pool) => number): number => pools.reduce((all, one) => all + of(one), 0);
    return {
      total: sum((one) => one.totalCount),
      idle: sum((one) => one.idleCount),
      requested: sum((one) => one.waitingCount),
    };
  };
  const close = async (): Promise<void> => {
    await groups?.end();
    // Kysely ends a pool only if it has used it.
    await db.destroy();
    if (!pool.ending) await pool.end();
  };
  return { db, pool, url, directUrl, connections, close };
}
