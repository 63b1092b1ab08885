import type { BulkTarget, ExportKind, FieldValues, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { type CsvCell, csvText } from '../../base/csv.ts';
import { loadSessions } from '../../conversations/sessions.ts';
import type { SiteContext } from '../../core/context.ts';
import { decodeCursor, encodeCursor } from '../../db/keyset.ts';
import { ticketsOfIds } from '../../tickets/tickets.ts';
import { conditions } from '../bulk/targets.ts';
import { CHAT_COLUMNS, fieldCell, namesOf, TICKET_COLUMNS } from './columns.ts';

/** Rows per part, so that no answer and no statement grows with the site. */
const EXPORT_ROWS = 1_000;
/** The records that a search finds; see `targets`. */
const FOUND_MAX = 2_000;

interface Export {
  kind: ExportKind;
  of: BulkTarget;
  after?: string | undefined;
}

/** The keys of the custom fields that are in use, in their order. */
async function fieldKeys({ db, site }: SiteContext, kind: ExportKind): Promise<string[]> {
  const rows = await db
    .selectFrom('fields')
    .select('key')
    .where('site_id', '=', site.id)
    .where('applies_to', '=', kind)
    .where('archived_at', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map(({ key }) => key);
}

/** The ids after `after`, by id: a record that changes meanwhile is neither skipped nor repeated. */
async function idsAfter(ctx: SiteContext, { kind, of, after }: Export): Promise<number[]> {
  const { tickets, chats } = await conditions(ctx, of, FOUND_MAX);
  const [from = 0] = decodeCursor(after, 1) ?? [];
  const { rows } = await (kind === 'tickets'
    ? sql<{ id: number }>`
        select t.id from tickets t where ${tickets} and t.id > ${from} order by t.id limit ${EXPORT_ROWS + 1}`
    : sql<{ id: number }>`
        select c.id from conversations c where ${chats} and c.id > ${from} order by c.id limit ${EXPORT_ROWS + 1}`
  ).execute(ctx.db);
  return rows.map(({ id }) => id);
}

function lineOf<Row extends { fields: FieldValues }>(
  columns: Readonly<Record<string, (row: Row) => CsvCell>>,
  row: Row,
  keys: readonly string[],
): CsvCell[] {
  const { fields } = row;
  return [
    ...Object.values(columns).map((cell) => cell(row)),
    ...keys.map((key) => fieldCell(Object.hasOwn(fields, key) ? fields[key] : undefined)),
  ];
}

async function linesOf(
  ctx: SiteContext,
  kind: ExportKind,
  ids: readonly number[],
  keys: readonly string[],
): Promise<CsvCell[][]> {
  if (kind === 'tickets')
    return (await ticketsOfIds(ctx, ids)).map((row) => lineOf(TICKET_COLUMNS, row, keys));
  const chats = await loadSessions(ctx.db, ctx.site.id, sql`c.id = any (${ids}::bigint[]) order by c.id`);
  return chats.map((row) => lineOf(CHAT_COLUMNS, row, keys));
}

/**
 * The records of one kind in an inbox list as CSV, the oldest first, in parts of limited size; only the first has the
 * header row. Custom fields are columns named by their keys.
 * @throws AppError 404 for an unknown view
 */
export async function exportRecords(ctx: SiteContext, part: Export): Promise<OutputOf<'inbox.export'>> {
  const found = await idsAfter(ctx, part);
  const ids = found.slice(0, EXPORT_ROWS);
  const keys = await fieldKeys(ctx, part.kind);
  const lines = await linesOf(ctx, part.kind, ids, keys);
  const isFirst = part.after === undefined;
  const text = csvText(isFirst ? [[...namesOf(part.kind), ...keys], ...lines] : lines);
  const last = ids.at(-1);
  return {
    // Only the beginning of a file has the byte order mark.
    text: isFirst ? text : text.slice(1),
    next: found.length > EXPORT_ROWS && last !== undefined ? encodeCursor([last]) : null,
  };
}

/** The same for other programs. @throws AppError 404 for an unknown view */
export const exportFiltered = (
  ctx: SiteContext,
  { kind, after, queue, q, view, ...filter }: ParsedInputOf<'exports.get'>,
): Promise<OutputOf<'exports.get'>> =>
  exportRecords(ctx, {
    kind,
    after,
    of:
      q === undefined && view === undefined
        ? { list: { queue, ...filter } }
        : { search: { q, view, ...filter } },
  });
