import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { ARCHIVED, SITE_WITHOUT, type SiteTable } from '../db/site-data.ts';
import { shapeOf, type TableShape } from '../db/table-shapes.ts';
import { ARCHIVE_FORMAT, ARCHIVE_VERSION, type ArchiveManifest } from './manifest.ts';
import { TAR_END, tarEntry } from './tar.ts';

const BATCH = 500;
const compress = promisify(gzip);

/** An archive's progress: everything that the next step needs, so that another process can do it. */
export interface ArchiveState {
  id: string;
  /** The index in ARCHIVED; -1: nothing is written yet. */
  table: number;
  /** The key of the last row of that table. */
  after: Record<string, unknown> | null;
  /** The number of that table's entries so far. */
  entries: number;
  /** The number of rows by table. */
  rows: Record<string, number>;
  done: boolean;
}

/** The state before the first step; `id` lets an import recognise the same archive again. */
export const newArchive = (id: string): ArchiveState => ({
  id,
  table: -1,
  after: null,
  entries: 0,
  rows: {},
  done: false,
});

interface Step {
  /** A gzip member; all members one after another are the file. */
  bytes: Buffer;
  state: ArchiveState;
}

type Row = Record<string, unknown>;

/** Which rows of a table `r` are archived, if not all. */
function onlyRows({ name }: SiteTable): RawBuilder<unknown> {
  // Not the files that were never sent.
  if (name === 'attachments') return sql`and num_nonnulls(r.reply_id, r.conversation_id) = 1`;
  // An agent's own macros and views are nobody else's, not even an admin's.
  if (name === 'macros' || name === 'saved_views') return sql`and r.owner_id is null`;
  return sql``;
}

const behind = ({ key }: TableShape, after: Row | null): RawBuilder<unknown> => {
  if (!after || key.length === 0) return sql``;
  const names = sql.join(key.map(({ name }) => sql.ref(`r.${name}`)));
  const values = sql.join(key.map(({ name, type }) => sql`${after[name]}::text::${sql.raw(type)}`));
  return sql`and (${names}) > (${values})`;
};

async function readBatch(ctx: SiteContext, table: SiteTable, shape: TableShape, after: Row | null) {
  const { batch = BATCH } = table;
  const order =
    shape.key.length > 0
      ? sql`order by ${sql.join(shape.key.map(({ name }) => sql.ref(`r.${name}`)))}`
      : sql``;
  const columns = shape.columns.filter((column) => column !== 'site_id' && !table.without?.includes(column));
  const email =
    table.name === 'agents'
      ? sql`, (select u.email from auth_users u where u.id = r.user_id) as email`
      : sql``;
  const { rows } = await sql<{ row: string; key: Row }>`
    select to_jsonb(c)::text as row, to_jsonb(k) as key from ${sql.table(table.name)} r
    cross join lateral (select ${sql.join(columns.map((column) => sql.ref(`r.${column}`)))} ${email}) c
    cross join lateral (select ${
      shape.key.length > 0
        ? sql.join(shape.key.map(({ name }) => sql`${sql.ref(`r.${name}`)}::text as ${sql.ref(name)}`))
        : sql`1 as one`
    }) k
    where r.site_id = ${ctx.site.id} ${onlyRows(table)} ${behind(shape, after)} ${order} limit ${batch}`.execute(
    ctx.db,
  );
  return { rows, isLast: rows.length < batch || shape.key.length === 0 };
}

async function contentOf(ctx: SiteContext, id: unknown): Promise<Buffer> {
  const { rows } = await sql<{ content: Buffer }>`
    select content from attachments where site_id = ${ctx.site.id} and id = ${id}`.execute(ctx.db);
  return rows[0]?.content ?? Buffer.alloc(0);
}

const lines = (rows: readonly string[]): Buffer => Buffer.from(rows.map((row) => `${row}\n`).join(''));

async function beginning(ctx: SiteContext, { id }: ArchiveState, foyer: string): Promise<Buffer> {
  const { rows } = await sql<{ row: string; name: string }>`
    select (to_jsonb(s) - ${[...SITE_WITHOUT]}::text[])::text as row, s.name from sites s
    where s.id = ${ctx.site.id}`.execute(ctx.db);
  const manifest: ArchiveManifest = {
    format: ARCHIVE_FORMAT,
    version: ARCHIVE_VERSION,
    id,
    foyer,
    created_utc: ctx.now().toISOString(),
    site: { id: ctx.site.id, name: rows[0]?.name ?? '' },
  };
  return Buffer.concat([
    await tarEntry('manifest.json', Buffer.from(`${JSON.stringify(manifest)}\n`)),
    await tarEntry('site.ndjson', lines(rows.map(({ row }) => row))),
  ]);
}

/**
 * The next piece of a site's archive: one batch of rows, or one file, in memory. It has the data of the moment when
 * it is read.
 */
export async function nextStep(ctx: SiteContext, state: ArchiveState, foyer: string): Promise<Step> {
  if (state.table < 0)
    return { bytes: await compress(await beginning(ctx, state, foyer)), state: { ...state, table: 0 } };
  const table = ARCHIVED[state.table];
  if (!table) {
    const end = await tarEntry('end.json', Buffer.from(`${JSON.stringify({ rows: state.rows })}\n`));
    return { bytes: await compress(Buffer.concat([end, TAR_END])), state: { ...state, done: true } };
  }
  const { rows, isLast } = await readBatch(ctx, table, await shapeOf(ctx.db, table.name), state.after);
  const entries = state.entries + (rows.length > 0 ? 1 : 0);
  const counted = { ...state.rows, [table.name]: (state.rows[table.name] ?? 0) + rows.length };
  const next = isLast
    ? { ...state, table: state.table + 1, after: null, entries: 0, rows: counted }
    : { ...state, after: rows.at(-1)?.key ?? null, entries, rows: counted };
  if (rows.length === 0) return { bytes: Buffer.alloc(0), state: next };
  const name = `${table.name}/${String(entries).padStart(6, '0')}`;
  const parts = [await tarEntry(`${name}.ndjson`, lines(rows.map(({ row }) => row)))];
  if (table.name === 'attachments') {
    for (const { key } of rows) parts.push(await tarEntry(`${name}.file`, await contentOf(ctx, key.id)));
  }
  return { bytes: await compress(Buffer.concat(parts)), state: next };
}
