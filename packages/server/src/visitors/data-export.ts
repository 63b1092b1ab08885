import type { OutputOf, ParsedInputOf } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import { notFound } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { decodeCursor, encodeCursor } from '../db/keyset.ts';
import { SITE_TABLES } from '../db/site-data.ts';
import { shapeOf } from '../db/table-shapes.ts';
import { findVisitor, type VisitorRow } from './rows.ts';

/** Rows per part of an export. The longest are tickets of 64 KB. */
const EXPORT_ROWS = 200;

/** Every table with data about a person. A test checks the schema for missing ones. */
export const EXPORTED = SITE_TABLES.flatMap(({ name, formerly, person }) =>
  person ? [{ table: name, formerly, ...person }] : [],
);
type ExportedTable = (typeof EXPORTED)[number];

/** The condition on rows `r` that belong to the person. */
function ownRows({ by }: ExportedTable, { site }: SiteContext, visitorId: number): RawBuilder<boolean> {
  const chats = sql`(select id from conversations where site_id = ${site.id} and visitor_id = ${visitorId})`;
  const tickets = sql`(select id from tickets where site_id = ${site.id} and requester_id = ${visitorId})`;
  if (by === 'conversation_id') return sql`r.conversation_id in ${chats}`;
  if (by === 'ticket_id') return sql`r.ticket_id in ${tickets}`;
  if (by === 'thread') return sql`(r.ticket_id in ${tickets} or r.conversation_id in ${chats})`;
  if (by === 'reply_id') {
    const replies = sql`(select id from ticket_replies where site_id = ${site.id} and ticket_id in ${tickets})`;
    return sql`(r.conversation_id in ${chats} or r.reply_id in ${replies})`;
  }
  return sql`r.${sql.ref(by)} = ${visitorId}`;
}

/** Two columns that identify each row and have an index. */
async function orderOf({ db }: SiteContext, { table, by }: ExportedTable) {
  const key = (await shapeOf(db, table)).key.map(({ name }) => name);
  const isOfMany = by === 'conversation_id' || by === 'ticket_id';
  return [isOfMany ? by : key[0], key.at(-1)].map((column) => sql.ref(`r.${column}`));
}

interface ExportedRow {
  row: Record<string, unknown>;
  first: number;
  second: number;
}

type Behind = readonly [first: number, second: number];

async function readRows(
  ctx: SiteContext,
  exported: ExportedTable,
  visitor: VisitorRow,
  behind: Behind | undefined,
): Promise<ExportedRow[]> {
  const { table, formerly, without = [] } = exported;
  const renamed = Object.entries(formerly?.columns ?? {});
  const left = ['site_id', ...without, ...renamed.map(([column]) => column)];
  const kept = sql.join(renamed.flatMap(([column, name]) => [sql`${name}::text`, sql.ref(`r.${column}`)]));
  const [first, second] = await orderOf(ctx, exported);
  const beyond = behind
    ? sql`(${first}, ${second}) > (${behind[0]}::bigint, ${behind[1]}::bigint)`
    : sql`true`;
  const { rows } = await sql<ExportedRow>`
    select to_jsonb(r) - ${left}::text[] || jsonb_build_object(${kept}) as row, ${first} as first, ${second} as second
    from ${sql.table(table)} r
    where r.site_id = ${ctx.site.id} and ${ownRows(exported, ctx, visitor.id)} and ${beyond}
    order by ${first}, ${second} limit ${EXPORT_ROWS}`.execute(ctx.db);
  return rows;
}

function lineOf(ctx: SiteContext, { table }: ExportedTable, { row, first }: ExportedRow): string {
  if (table !== 'attachments') return JSON.stringify(row);
  return JSON.stringify({ ...row, link: ctx.services.attachmentUrl(ctx.site.id, first, ctx.now()) });
}

/**
 * All data about one person, as a JSON object with a list per table, in parts of limited size: a person may have a
 * million events. Changes made meanwhile may or may not be included.
 * @throws AppError 404
 */
export async function exportPerson(
  ctx: SiteContext,
  { key, after }: ParsedInputOf<'visitor_data.export'>,
): Promise<OutputOf<'visitor_data.export'>> {
  const visitor = await findVisitor(ctx.db, ctx.site.id, key);
  if (!visitor) throw notFound('visitor');
  const [at = 0, first = 0, second = 0] = decodeCursor(after, 3) ?? [];
  const exported = EXPORTED[at];
  if (!exported) throw notFound('part');
  // No row has 0 in its first column: this is the start of the table.
  const isBegun = first > 0;
  const rows = await readRows(ctx, exported, visitor, isBegun ? [first, second] : undefined);
  const lines = rows.map((row) => lineOf(ctx, exported, row));
  const head = at === 0 && !isBegun ? `{"exported_utc": ${JSON.stringify(ctx.now().toISOString())}` : '';
  const open = isBegun
    ? lines.length > 0
      ? ',\n'
      : ''
    : `,\n"${exported.formerly?.name ?? exported.table}": [\n`;
  const last = rows.at(-1);
  const goesOn = rows.length === EXPORT_ROWS && last !== undefined;
  const isEnd = !goesOn && at === EXPORTED.length - 1;
  const text = `${head}${open}${lines.join(',\n')}${goesOn ? '' : '\n]'}${isEnd ? '\n}\n' : ''}`;
  if (goesOn) return { text, next: encodeCursor([at, last.first, last.second]) };
  return { text, next: isEnd ? null : encodeCursor([at + 1, 0, 0]) };
}
