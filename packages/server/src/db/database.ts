import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { isAnswerLate } from '../base/errors.ts';
import { keepPrepared } from './prepared.ts';
import type { Tables } from './tables.generated.ts';

/** The root connection or a transaction: queries look the same on both. */
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
    // A day is a day: a Date would move it by the time zone.
    if (oid === DATE) return (value: string) => value;
    return pg.types.getTypeParser(oid, format);
  },
};

/**
 * A database that is down must be reported within 10 s, whether it refuses or hangs. A caller waits for a connection and
 * then for a statement, so both time-outs together stay below that.
 */
const CONNECT_TIMEOUT_MS = 4_000;
const STATEMENT_TIMEOUT_MS = 7_500;
/** The server's own end of a statement comes first; a server that hangs has none. */
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
  /** Statements take the time they take: for migrations. */
  patient?: true;
}

/** A connection whose answer did not come in time may be dead for good: the pool must not hand it out again. */
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
  // Idle connections break when the database goes away; the next query opens a new one.
  pool.on('error', (error) => options.onError?.(error));
  // So do those in use, between two statements too; without a listener that would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => options.onError?.(error));
    keepPrepared(client);
    endWhenLate(client);
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const close = async (): Promise<void> => {
    // Kysely ends a pool only if it has ever asked it for something.
    await db.destroy();
    if (!pool.ending) await pool.end();
  };
  return { db, pool, url, close };
}
