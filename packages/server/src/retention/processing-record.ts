import type { ParsedInputOf, ProcessedTable, ProcessingRecord, RetentionKind } from '@foyer/protocol';
import { DAY_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { SITE_TABLES } from '../db/site-data.ts';
import { shapeOf, type TableShape } from '../db/table-shapes.ts';
import { getSite } from '../sites/sites.ts';
import { PERSONAL_TABLES } from './personal-tables.ts';
import { choices } from './policies.ts';
import { recipientsOf } from './recipients.ts';

/** Names of columns with the time of a row, the most telling first. */
const TIMES = [
  'created_at',
  'started_at',
  'received_at',
  'occurred_at',
  'attempted_at',
  'asked_at',
  'said_at',
  'entered_at',
  'came_at',
  'at',
  'happened_at',
  'updated_at',
  'last_asked_at',
  'due_at',
];
/** Retention runs at least once a day. */
const LATE_MS = 2 * DAY_MS;

/**
 * The time of a table's first row by its primary key, which begins with the site: ids, and those of chats and tickets,
 * grow with time. So no table is read.
 */
async function oldestOf({ db, site }: SiteContext, { name, columns, key }: TableShape): Promise<Date | null> {
  const at = TIMES.find((column) => columns.includes(column));
  if (at === undefined) return null;
  const order = key.map((column) => sql.ref(column.name));
  const { rows } = await sql<{ at: Date | null }>`
    select ${sql.ref(at)} as at from ${sql.table(name)} where site_id = ${site.id}
    order by ${sql.join([sql.ref('site_id'), ...order])} limit 1`.execute(db);
  return rows[0]?.at ?? null;
}

async function daysByKind({ db, site }: SiteContext): Promise<Map<RetentionKind, number | null>> {
  const { rows } = await sql<{ kind: RetentionKind; days: number | null }>`
    select choice.kind, choice.days from sites s cross join lateral ${choices} where s.id = ${site.id}`.execute(
    db,
  );
  return new Map(rows.map(({ kind, days }) => [kind, days]));
}

async function describeTable(
  ctx: SiteContext,
  name: string,
  days: ReadonlyMap<RetentionKind, number | null>,
): Promise<ProcessedTable> {
  const { about, purpose, kept: kinds = [] } = PERSONAL_TABLES[name] ?? { about: '', purpose: '' };
  const shape = await shapeOf(ctx.db, name);
  const oldest = await oldestOf(ctx, shape);
  const kept = kinds.map((kind) => ({ kind, keep_days: days.get(kind) ?? null }));
  const longest = Math.max(...kept.map(({ keep_days }) => keep_days ?? Number.POSITIVE_INFINITY));
  const age = oldest === null ? 0 : ctx.now().getTime() - oldest.getTime();
  return {
    table: name,
    columns: shape.columns.filter((column) => column !== 'site_id'),
    about,
    purpose,
    kept,
    exported: SITE_TABLES.some((table) => table.name === name && table.person !== undefined),
    oldest_utc: oldest?.toISOString() ?? null,
    overdue: kept.length > 0 && age > longest * DAY_MS + LATE_MS,
  };
}

/** Which personal data of visitors and customers a site stores, why and how long, and who gets it. */
export async function processingRecord(
  ctx: SiteContext,
  { table }: ParsedInputOf<'processing_record.get'> = {},
): Promise<ProcessingRecord> {
  const days = await daysByKind(ctx);
  const tables: ProcessedTable[] = [];
  const names = Object.keys(PERSONAL_TABLES).filter((name) => table === undefined || name === table);
  // One by one, as for retention: nobody waits for it.
  for (const name of names) tables.push(await describeTable(ctx, name, days));
  return {
    site_id: ctx.site.id,
    site: (await getSite(ctx.db, ctx.site.id)).name,
    tables,
    recipients: await recipientsOf(ctx),
  };
}
