import { sql } from 'kysely';
import { toAppError } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { ARCHIVED, SITE_WITHOUT, type SiteTable } from '../db/site-data.ts';
import { shapeOf, type TableShape } from '../db/table-shapes.ts';
import { type People, peopleOf } from './people.ts';
import { ROW_CHANGES, type Row, withPicture } from './row-changes.ts';

export interface Refused {
  table: string;
  reason: string;
}

/** Above every id that an installation ever assigns, and far below a column's limit. */
const ID_MAX = 2 ** 40;
const TOLD_MAX = 100;

export interface Placing {
  /** Imported rows by table. */
  taken: Record<string, number>;
  refused: Refused[];
  refusedCount: number;
  people: People;
  shapes: Map<string, TableShape>;
}

/** An import that has placed nothing yet. `archiveId` identifies the archive's people across its entries. */
export const newPlacing = (siteId: number, archiveId: string): Placing => ({
  taken: {},
  refused: [],
  refusedCount: 0,
  people: peopleOf(siteId, archiveId),
  shapes: new Map(),
});

function refuse(placing: Placing, table: string, reason: string, count = 1): void {
  placing.refusedCount += count;
  const isTold = placing.refused.some((one) => one.table === table && one.reason === reason);
  if (!isTold && placing.refused.length < TOLD_MAX) placing.refused.push({ table, reason });
}

/**
 * Why the database refuses a record.
 * @throws the error itself if it isn't about the record: the entry is retried instead of losing it.
 */
function reasonOf(error: unknown): string {
  if (toAppError(error).code === 'unavailable') throw error;
  return (error instanceof Error ? error.message : String(error)).slice(0, 300);
}

/** Replaces column names from before migration 0068. */
function withNewNames(table: string, row: object): Row {
  const { formerly } = ARCHIVED.find(({ name }) => name === table) ?? {};
  const today = new Map(Object.entries(formerly?.columns ?? {}).map(([column, before]) => [before, column]));
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [today.get(column) ?? column, value]),
  );
}

function rowsOf(placing: Placing, table: string, content: Buffer): Row[] {
  const rows: Row[] = [];
  for (const line of content.toString('utf8').split('\n')) {
    if (line === '') continue;
    try {
      const row: unknown = JSON.parse(line);
      if (typeof row !== 'object' || row === null || Array.isArray(row)) throw new Error('no record');
      rows.push(withNewNames(table, row));
    } catch {
      refuse(placing, table, 'a line isn’t a JSON record');
    }
  }
  return rows;
}

async function shapeIn(placing: Placing, tx: SiteContext, table: string): Promise<TableShape> {
  const shape = placing.shapes.get(table) ?? (await shapeOf(tx.db, table));
  placing.shapes.set(table, shape);
  return shape;
}

const hasGoodId = ({ id }: Row): boolean =>
  id === undefined || (typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= ID_MAX);

/** A row that fits this site: people are mapped to this installation's, references to later rows are left open. */
async function madeReady(
  tx: SiteContext,
  { people }: Placing,
  { name, later = [] }: SiteTable,
  { references }: TableShape,
  row: Row,
): Promise<Row> {
  const made: Row = { ...row };
  for (const { to, columns } of references) {
    const idOf = to === 'agents' ? people.agentOf : to === 'api_tokens' ? people.tokenOf : undefined;
    for (const column of idOf ? columns : []) if (made[column] != null) made[column] = idOf?.(made[column]);
  }
  for (const column of later) made[column] = null;
  return (await ROW_CHANGES[name]?.(made, people, tx)) ?? made;
}

/** @returns how many did not exist yet */
async function insertRows(
  tx: SiteContext,
  table: string,
  { columns }: TableShape,
  rows: readonly Row[],
  file?: Buffer,
): Promise<number> {
  const given = columns.filter(
    (column) => column !== 'site_id' && rows[0] !== undefined && column in rows[0],
  );
  const names = sql.join(['site_id', ...given, ...(file ? ['content'] : [])].map((name) => sql.ref(name)));
  const values = sql.join([
    sql`${tx.site.id}::bigint`,
    ...given.map((column) => sql.ref(`r.${column}`)),
    ...(file ? [sql`${file}::bytea`] : []),
  ]);
  const { numAffectedRows } = await sql`
    insert into ${sql.table(table)} (${names})
    select ${values} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb) r
    on conflict do nothing`.execute(tx.db);
  return Number(numAffectedRows ?? 0);
}

/** Raises the sequences above the archive's ids. */
async function raiseNumbers(
  tx: SiteContext,
  table: string,
  { numbered: [numbered] }: TableShape,
  rows: readonly Row[],
): Promise<void> {
  const most = Math.max(0, ...rows.map((row) => Number(row[numbered ?? ''] ?? 0)));
  if (!numbered || most === 0) return;
  await sql`
    select setval(pg_get_serial_sequence(${table}, ${numbered}), ${most}::bigint)
    where ${most}::bigint >= coalesce(pg_sequence_last_value(pg_get_serial_sequence(${table}, ${numbered})::regclass), 0)`.execute(
    tx.db,
  );
}

/**
 * Stores rows in one statement, or one by one if the database refuses that; rows that it still refuses are listed.
 */
async function allOrEach(
  tx: SiteContext,
  placing: Placing,
  { table, rows }: { table: string; rows: readonly Row[] },
  store: (tx: SiteContext, some: readonly Row[]) => Promise<number>,
): Promise<number> {
  const attempt = (some: readonly Row[]) => tx.attempt((inner) => store(inner, some));
  try {
    return await attempt(rows);
  } catch {
    let stored = 0;
    for (const row of rows) {
      try {
        stored += await attempt([row]);
      } catch (error) {
        refuse(placing, table, reasonOf(error));
      }
    }
    return stored;
  }
}

/** Inserts the rows of an entry. */
export async function putRows(
  tx: SiteContext,
  placing: Placing,
  name: string,
  content: Buffer,
  file?: Buffer,
): Promise<void> {
  const table = ARCHIVED.find((one) => one.name === name);
  const all = rowsOf(placing, name, content);
  if (!table) return refuse(placing, name, 'this version of Foyer doesn’t know it', all.length);
  const shape = await shapeIn(placing, tx, name);
  const good = all.filter(hasGoodId);
  if (good.length < all.length) refuse(placing, name, 'its id is invalid', all.length - good.length);
  const rows: Row[] = [];
  for (const row of good) rows.push(await madeReady(tx, placing, table, shape, row));
  if (rows.length === 0) return;
  if (shape.key.length === 0)
    await sql`delete from ${sql.table(name)} where site_id = ${tx.site.id}`.execute(tx.db);
  const refusedBefore = placing.refusedCount;
  const taken = await allOrEach(tx, placing, { table: name, rows }, (inner, some) =>
    insertRows(inner, name, shape, some, file),
  );
  placing.taken[name] = (placing.taken[name] ?? 0) + taken;
  const doubles = rows.length - taken - (placing.refusedCount - refusedBefore);
  if (doubles > 0) refuse(placing, name, 'a record with its id or name already exists', doubles);
  await raiseNumbers(tx, name, shape, rows);
  if (name === 'agents' || name === 'api_tokens') await placing.people.learn(tx);
  if (name === 'webhook_subscriptions')
    await sql`
      insert into webhook_leases (site_id, subscription_id)
      select site_id, id from webhook_subscriptions where site_id = ${tx.site.id} on conflict do nothing`.execute(
      tx.db,
    );
}

async function setColumn(
  tx: SiteContext,
  table: string,
  column: string,
  rows: readonly Row[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} t set ${sql.ref(column)} = r.${sql.ref(column)}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb) r
    where t.site_id = ${tx.site.id} and t.id = r.id`.execute(tx.db);
  return Number(numAffectedRows ?? 0);
}

/** Fills in an entry's references to rows that came after it. */
export async function putLater(
  tx: SiteContext,
  placing: Placing,
  name: string,
  content: Buffer,
): Promise<void> {
  const { later = [] } = ARCHIVED.find((one) => one.name === name) ?? {};
  if (later.length === 0) return;
  const rows = rowsOf(placing, name, content).filter(hasGoodId);
  for (const column of later) {
    const told = rows.filter((row) => row[column] != null);
    await allOrEach(tx, placing, { table: name, rows: told }, (inner, some) =>
      setColumn(inner, name, column, some),
    );
  }
}

/** Imports the site's settings; a help centre address that another site uses is skipped. */
export async function putSite(tx: SiteContext, placing: Placing, content: Buffer): Promise<void> {
  const [given] = rowsOf(placing, 'site', content);
  if (!given) return;
  const row = withPicture(given, 'logo', tx);
  const left: readonly string[] = SITE_WITHOUT;
  const { columns } = await shapeIn(placing, tx, 'sites');
  const told = columns.filter((column) => column in row && !left.includes(column));
  const set = (names: readonly string[]) =>
    tx.attempt(async ({ db, site }) => {
      const assigned = sql.join(names.map((name) => sql`${sql.ref(name)} = r.${sql.ref(name)}`));
      await sql`
        update sites s set ${assigned}
        from jsonb_populate_record(null::sites, ${JSON.stringify(row)}::jsonb) r where s.id = ${site.id}`.execute(
        db,
      );
    });
  try {
    await set(told);
  } catch (error) {
    refuse(placing, 'site', reasonOf(error));
    await set(told.filter((name) => name !== 'help_slug' && name !== 'logo'));
  }
}
