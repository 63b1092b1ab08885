import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';

const MARK = '/* prepared */';

/**
 * Begins a statement that runs often enough to be parsed and planned once per connection. Its text must not vary
 * beyond a few forms, because each is kept as long as the connection; and it must name its columns: `*` would break
 * connections opened before a migration.
 */
export const prepared: RawBuilder<unknown> = sql.raw(MARK);

/** A plan of a large statement takes up to 100 KB in each connection. Further texts are planned each time. */
const NAMES_MAX = 100;

const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= NAMES_MAX) return known;
  const name = `foyer_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}

/** Makes a client's `query` reuse statements that have this mark. */
export const keepPrepared =
  (query: (...args: unknown[]) => unknown) =>
  (first: unknown, ...rest: unknown[]): unknown => {
    const name = typeof first === 'string' && first.startsWith(MARK) ? nameOf(first) : undefined;
    return query(name === undefined ? first : { name, text: first }, ...rest);
  };
