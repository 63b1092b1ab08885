import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { isAnswerLate } from '../base/errors.ts';
import { currentTracer } from '../base/spans.ts';
import { keepPrepared } from './prepared.ts';
import type { Tables } from './tables.generated.ts';
import { traceStatements } from './trace-statements.ts';

/** The root connection or a transaction; both have the same methods. */
export type Db = Kysely<Tables> | Transaction<Tables>;

const INT8 = 20;
const INT8_LIST = 1016;
const DATE = 1082;
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    // Ids and counters stay below 2^53, so numbers hold them exactly.
    if (oid === INT8) return Number;
    if (oid === INT8_LIST)
      return (value: string) => value.slice(1, -1).split(',').filter(Boolean).map(Number);
    // Keep dates as text: a Date would shift them by the time zone.
    if (oid === DATE) return (value: string) => value;
    return pg.types.getTypeParser(oid, format);
  },
};

/**
 * A database that is down must be reported within 10 s, whether it refuses or hangs. A caller waits for a connection
 * and then for a statement, so both timeouts together stay below that.
 */
const CONNECT_TIMEOUT_MS = 4_000;
const STATEMENT_TIMEOUT_MS = 7_500;
/** Longer than the server's own timeout, which comes first unless the server hangs. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 500;

export interface Database {
  db: Kysely<Tables>;
  pool: pg.Pool;
  url: string;
  close(): Promise<void>;
}

interface DatabaseOptions {
  max?: number;
  onError?: (error: Error) => void;
  /** No statement timeout, for migrations. */
  patient?: true;
}

/** Ends a connection whose answer was late: it may be dead, so the pool must not reuse it. */
function endWhenLate(client: pg.ClientBase): void {
  const query: (...args: unknown[]) => unknown = client.query.bind(client);
  Object.assign(client, {
    query: (...args: unknown[]) => {
      const answer = query(...args);
      if (answer instanceof Promise)
        answer.catch((error) => {
          if (isAnswerLate(error) && client instanceof pg.Client) void client.end();
        });
      return answer;
    },
  });
}

/**
 * Connects with the first query, not here. `close` waits for running queries and may be called before the first
 * one.
 */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...(options.patient ? {} : { statement_timeout: STATEMENT_TIMEOUT_MS, query_timeout: ANSWER_TIMEOUT_MS }),
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'foyer',
    keepAlive: true,
    types,
  });
  // Idle connections break when the database goes away. The next query opens a new one.
  pool.on('error', (error) => options.onError?.(error));
  // Connections in use can break between two statements. Without a listener that would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => options.onError?.(error));
    if (currentTracer()) traceStatements(client);
    keepPrepared(client);
    endWhenLate(client);
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const close = async (): Promise<void> => {
    // Kysely ends a pool only if it has used it.
    await db.destroy();
    if (!pool.ending) await pool.end();
  };
  return { db, pool, url, close };
}
