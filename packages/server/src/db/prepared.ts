import { createHash } from 'node:crypto';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';

const MARK = '/* prepared */';
/** A template may begin with a line break. */
const BEGINS_WITH_MARK = /^\s*(select )?\/\* prepared \*\//;
const isMarked = (text: string): boolean => BEGINS_WITH_MARK.test(text) || text.endsWith(MARK);

/**
 * Begins a statement, or one of Kysely's by `modifyFront` or `modifyEnd`, that runs often enough to be parsed and planned once per
 * connection. Its text must not vary beyond a few forms, because each is kept as long as the connection. It must name
 * its columns: `*` would break connections opened before a migration. A limit must be literal: a plan for any limit
 * expects a tenth of all rows.
 */
export const prepared: RawBuilder<unknown> = sql.raw(MARK);

/** The same for a statement that a library has written. */
export const preparedText = (text: string): string => `${text} ${MARK}`;

/** Compiles statements without a database. */
export const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/**
 * Compiles a part of statements once, not with each of them: for long lists of columns in statements that run often.
 * @throws if the part has parameters
 */
export function constant<T>(part: RawBuilder<T>): RawBuilder<T> {
  const { sql: text, parameters } = part.compile(compiler);
  if (parameters.length > 0) throw new Error(`parameters in a constant part of statements: ${text}`);
  return sql.raw<T>(text);
}

/** JSON for PostgreSQL: it knows no halves of surrogate pairs, which are replaced as the driver does in texts. */
export function storedJson(value: object): string {
  const text = JSON.stringify(value);
  // They are escaped; pairs are not.
  return text.includes('\\ud')
    ? JSON.stringify(value, (_, part) => (typeof part === 'string' ? part.toWellFormed() : part))
    : text;
}

/** Rows as one parameter, so that the text stays the same for any number of them: `from rows as r (id bigint)`. */
export const jsonRows = (rows: readonly object[]): RawBuilder<unknown> =>
  sql`json_to_recordset(${storedJson(rows)}::json)`;

/** The plan of a large statement takes up to 100 KB. Further texts are planned each time. */
const KEPT_MAX = 100;

const nameOf = (text: string): string =>
  `foyer_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;

/** Makes a client's `query` reuse statements that have this mark. */
export function keepPrepared(
  query: (...args: unknown[]) => unknown,
): (first: unknown, ...rest: unknown[]) => unknown {
  const names = new Map<string, string>();
  return (first, ...rest) => {
    if (typeof first !== 'string') return query(first, ...rest);
    let name = names.get(first);
    if (name === undefined) {
      if (!isMarked(first) || names.size >= KEPT_MAX) return query(first, ...rest);
      name = nameOf(first);
      names.set(first, name);
    }
    return query({ name, text: first }, ...rest);
  };
}
