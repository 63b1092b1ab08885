import type { FieldKind } from '@foyer/protocol/values/fields/field-names';
import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import type { ChangedFields } from './field-values.ts';
import { type Stored, TABLES } from './stored-values.ts';

const SEARCHED: readonly FieldKind[] = ['text', 'link'];

/** Whether searches find records by the words of such a field. */
export const isSearched = ({ kind }: { kind: FieldKind }): boolean => SEARCHED.includes(kind);

/** Rows of `id`, of the record, `at`, of the field, its `name`, and `text`, for each value that searches find. */
export const searchedValues = (
  { site }: SiteContext,
  owner: Stored,
  ids: readonly number[],
): RawBuilder<unknown> => {
  const { table, by } = TABLES[owner];
  return sql`
    select ${sql.ref(`fv.${by}`)} as id, f.id as at, f.name, fv.value as text
    from ${sql.table(table)} fv join fields f on f.site_id = fv.site_id and f.id = fv.field_id
    where fv.site_id = ${site.id} and ${sql.ref(`fv.${by}`)} = any (${ids}::bigint[])
      and f.kind = any (${SEARCHED}::text[]) and f.archived_at is null`;
};

/** The texts among changed values; undefined if no text has changed. */
export function changedTexts({ changed }: ChangedFields): string[] | undefined {
  const texts = changed.filter(({ field }) => isSearched(field));
  if (texts.length === 0) return undefined;
  return texts.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
}

/** Records per job. */
const BATCH = 1_000;

/** The records with a value of a field. */
export async function recordsOf(
  { db, site }: SiteContext,
  owner: Stored,
  fieldId: number,
): Promise<number[]> {
  const { table, by } = TABLES[owner];
  const { rows } = await sql<{ id: number }>`
    select ${sql.ref(by)} as id from ${sql.table(table)}
    where site_id = ${site.id} and field_id = ${fieldId}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Has these records indexed again, because the field with their words is hidden, shown or deleted. */
export async function indexAgain(tx: SiteContext, owner: Stored, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += BATCH)
    await tx.enqueue('fields.index', { owner, ids: ids.slice(from, from + BATCH) });
}
