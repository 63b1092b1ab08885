import type { CustomFieldCondition } from '@foyer/protocol';
import type { FieldKind } from '@foyer/protocol/values/fields/field-names';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { type Stored, TABLES } from './stored-values.ts';

type Condition = RawBuilder<SqlBool>;

/** The aliases of the records in the statements that use these conditions. */
const RECORDS = { tickets: sql.ref('t'), chats: sql.ref('c') } as const;

/** The prefix of a value, as its index has it. */
const begins = (value: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`lower(left(${value}, 100)) collate "C"`;

interface ValueTest {
  /** The condition on a value `fv`. */
  test: Condition;
  /** The only kind of field that can have such values. */
  kind?: FieldKind;
}

function valueTest(condition: CustomFieldCondition): ValueTest {
  if (!('value' in condition)) return { test: sql`true` };
  const { op, value } = condition;
  if (op === 'gt' || op === 'lt') {
    const order = sql.raw(op === 'gt' ? '>' : '<');
    if (typeof value === 'number') return { test: sql`fv.number ${order} ${value}::double precision` };
    // A date is stored as YYYY-MM-DD, which sorts as text.
    return { test: sql`${begins(sql`fv.value`)} ${order} ${value.slice(0, 10)}::text`, kind: 'date' };
  }
  if (typeof value === 'number') return { test: sql`fv.number = ${value}::double precision` };
  if (typeof value === 'boolean')
    return { test: sql`${begins(sql`fv.value`)} = ${String(value)}::text`, kind: 'yes_no' };
  if (op === 'contains') return { test: sql`strpos(lower(fv.value), lower(${value}::text)) > 0` };
  const sought = sql`${value}::text`;
  return { test: sql`${begins(sql`fv.value`)} = ${begins(sought)} and lower(fv.value) = lower(${sought})` };
}

/** The id of a field that isn't archived, or null. PostgreSQL looks it up once for each statement. */
const idOf = (
  { site }: SiteContext,
  owner: Stored,
  { custom_field }: CustomFieldCondition,
  kind?: FieldKind,
): RawBuilder<number | null> => sql`(
  select f.id from fields f
  where f.site_id = ${site.id} and f.applies_to = ${owner} and f.key = ${custom_field} and f.archived_at is null
    and ${kind ? sql`f.kind = ${kind}` : sql`true`})`;

/**
 * A condition on the tickets `t` or chats `c`, which never holds if the site has no such field. A scalar subquery,
 * which the planner runs for each row: a join might read all values of the field. As a test for null, which it expects
 * to pass nearly always, so that it reads along the list's order.
 */
export function fieldCondition(ctx: SiteContext, owner: Stored, condition: CustomFieldCondition): Condition {
  const { table, by } = TABLES[owner];
  const of = RECORDS[owner];
  const { test, kind } = valueTest(condition);
  const found = sql`(
    select true from ${sql.table(table)} fv
    where fv.site_id = ${of}.site_id and ${sql.ref(`fv.${by}`)} = ${of}.id
      and fv.field_id = ${idOf(ctx, owner, condition, kind)} and ${test} limit 1)`;
  const { op } = condition;
  return op === 'ne' || op === 'unset'
    ? sql`(case when ${found} then null else ${idOf(ctx, owner, condition)} end is not null)`
    : sql`(${found} is not null)`;
}

/** The conditions of a list's filter on the tickets `t` or chats `c`. */
export const fieldConditions = (
  ctx: SiteContext,
  owner: Stored,
  conditions: readonly CustomFieldCondition[] = [],
): Condition[] => conditions.map((one) => fieldCondition(ctx, owner, one));

/** Whether an index finds the records of the condition. */
export const mayLead = (condition: CustomFieldCondition | undefined): boolean =>
  condition !== undefined && !['ne', 'unset', 'contains'].includes(condition.op);

/**
 * The ids of the records with a value that matches the condition, along the index of values; the same id for each of
 * its values. Without a limit, that may be many.
 */
export function valuesOf(
  ctx: SiteContext,
  owner: Stored,
  condition: CustomFieldCondition,
): RawBuilder<unknown> {
  const { table, by } = TABLES[owner];
  const { test, kind } = valueTest(condition);
  const isNumber = 'value' in condition && typeof condition.value === 'number';
  const order = isNumber ? sql`fv.number` : begins(sql`fv.value`);
  // The order is the index's: with the limit, the planner would otherwise begin to read the table.
  return sql`
    select ${sql.ref(`fv.${by}`)} as id from ${sql.table(table)} fv
    where fv.site_id = ${ctx.site.id} and fv.field_id = ${idOf(ctx, owner, condition, kind)} and ${test}
    order by fv.site_id, fv.field_id, ${order}`;
}

/** No index supports parts of a value: all values of the field are searched, if those are few. */
const leadOf = (condition: CustomFieldCondition): CustomFieldCondition =>
  condition.op === 'contains' ? { custom_field: condition.custom_field, op: 'set' } : condition;

/** The only records that these conditions can match; undefined if none of them has at most `max`. */
export async function fewWithFields(
  ctx: SiteContext,
  owner: Stored,
  conditions: readonly CustomFieldCondition[] | undefined,
  max: number,
): Promise<number[] | undefined> {
  for (const condition of (conditions ?? []).map(leadOf).filter(mayLead)) {
    const { rows } = await sql<{ id: number }>`${valuesOf(ctx, owner, condition)} limit ${max + 1}`.execute(
      ctx.db,
    );
    if (rows.length <= max) return rows.map(({ id }) => id);
  }
  return undefined;
}
