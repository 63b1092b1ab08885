import type { FieldValue, FieldValues } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import type { ChangedFields } from './field-values.ts';

/** The tables of values, and the column that names the record. */
export const TABLES = {
  tickets: { table: 'ticket_fields', by: 'ticket_id' },
  chats: { table: 'conversation_fields', by: 'conversation_id' },
} as const;
export type Stored = keyof typeof TABLES;

/** The values of a ticket or chat `of` by key, as JSON, without archived fields. Only for those with values is more read. */
export function fieldsOf(owner: Stored, of: RawBuilder<unknown>): RawBuilder<FieldValues> {
  const { table, by } = TABLES[owner];
  const isOf = sql`fv.site_id = ${of}.site_id and ${sql.ref(`fv.${by}`)} = ${of}.id`;
  return sql`coalesce(case when exists (select from ${sql.table(table)} fv where ${isOf}) then (
    select json_object_agg(x.key, x.value order by x.position, x.id) from (
      select f.id, f.key, f.position,
        case f.kind
          when 'choices' then jsonb_agg(fv.value order by fv.place)
          when 'number' then to_jsonb(min(fv.number))
          when 'yes_no' then to_jsonb(min(fv.value) = 'true')
          else to_jsonb(min(fv.value))
        end as value
      from ${sql.table(table)} fv join fields f on f.site_id = fv.site_id and f.id = fv.field_id and f.archived_at is null
      where ${isOf}
      group by f.site_id, f.id
    ) x) end, '{}')`;
}

interface StoredRow {
  field: number;
  place: number;
  value: string;
  number: number | null;
}

const rowsOf = (field: number, value: FieldValue | null): StoredRow[] => {
  if (value === null) return [];
  const items = Array.isArray(value) ? value : [value];
  return items.map((item, place) => ({
    field,
    place,
    value: String(item),
    number: typeof item === 'number' ? item : null,
  }));
};

/** Writes the result of `readChanges`, for a locked ticket or chat. */
export async function writeFields(
  tx: SiteContext,
  owner: Stored,
  id: number,
  { changed }: ChangedFields,
): Promise<void> {
  if (changed.length === 0) return;
  const { table, by } = TABLES[owner];
  const ids = changed.map(({ field }) => field.id);
  const rows = changed.flatMap(({ field, value }) => rowsOf(field.id, value));
  await sql`
    delete from ${sql.table(table)}
    where site_id = ${tx.site.id} and ${sql.ref(by)} = ${id} and field_id = any (${ids}::bigint[])`.execute(
    tx.db,
  );
  if (rows.length === 0) return;
  await sql`
    insert into ${sql.table(table)} (site_id, ${sql.ref(by)}, field_id, place, value, number)
    select ${tx.site.id}, ${id}, r.field, r.place, r.value, r.number
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (field bigint, place smallint, value text, number double precision)`.execute(
    tx.db,
  );
}
