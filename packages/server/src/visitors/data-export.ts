import type { OutputOf, ParsedInputOf } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import { notFound } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { decodeCursor, encodeCursor } from '../db/keyset.ts';
import { findVisitor, type VisitorRow } from './rows.ts';

/** Of one part of an export: the longest rows are tickets of 64 KB. */
const EXPORT_ROWS = 200;

type Own = 'visitor' | 'chats' | 'tickets' | 'chats and tickets';

interface ExportedTable {
  table: string;
  /** What of the person's makes a row theirs. */
  of: Own;
  /** Two columns in which every row differs, and by which an index has them. */
  order: readonly [string, string];
  /** Secrets, and what is worked out from the rest. */
  without?: readonly string[];
}

/** Every table that holds something of a person, in the order of the file; a test asks the schema for one that is missing. */
export const EXPORTED: readonly ExportedTable[] = [
  {
    table: 'visitors',
    of: 'visitor',
    order: ['id', 'id'],
    without: ['search', 'segments_due_at', 'seen_hour'],
  },
  { table: 'visitor_devices', of: 'visitor', order: ['id', 'id'], without: ['token_hash'] },
  { table: 'visitor_events', of: 'visitor', order: ['id', 'id'] },
  { table: 'visitor_pages', of: 'visitor', order: ['id', 'id'], without: ['node', 'alive_at'] },
  { table: 'visitor_notes', of: 'visitor', order: ['id', 'id'] },
  { table: 'segment_members', of: 'visitor', order: ['segment_id', 'visitor_id'] },
  { table: 'conversations', of: 'visitor', order: ['id', 'id'] },
  { table: 'messages', of: 'chats', order: ['conversation_id', 'seq'] },
  { table: 'notes', of: 'chats', order: ['conversation_id', 'id'] },
  { table: 'handoffs', of: 'chats', order: ['conversation_id', 'id'] },
  { table: 'feedback', of: 'chats', order: ['conversation_id', 'id'] },
  { table: 'conversation_tags', of: 'chats', order: ['conversation_id', 'tag_id'] },
  { table: 'transcript_mails', of: 'chats', order: ['conversation_id', 'id'] },
  { table: 'gap_questions', of: 'chats', order: ['conversation_id', 'id'] },
  {
    table: 'tickets',
    of: 'visitor',
    order: ['id', 'id'],
    without: ['assignee_key', 'priority_rank', 'snoozed'],
  },
  { table: 'ticket_replies', of: 'tickets', order: ['ticket_id', 'id'] },
  { table: 'ticket_tags', of: 'tickets', order: ['ticket_id', 'tag_id'] },
  { table: 'portal_links', of: 'tickets', order: ['ticket_id', 'id'], without: ['token_hash'] },
  // Their contents stand behind a link each, which is good for a day.
  { table: 'attachments', of: 'chats and tickets', order: ['id', 'id'], without: ['content', 'upload_id'] },
];

/** The rows (as `r`) that are the person's. */
function ownRows(
  { table, of }: ExportedTable,
  { site }: SiteContext,
  visitorId: number,
): RawBuilder<boolean> {
  const chats = sql`(select id from conversations where site_id = ${site.id} and visitor_id = ${visitorId})`;
  const tickets = sql`(select id from tickets where site_id = ${site.id} and requester_id = ${visitorId})`;
  if (of === 'chats') return sql`r.conversation_id in ${chats}`;
  if (of === 'tickets') return sql`r.ticket_id in ${tickets}`;
  if (of === 'chats and tickets') {
    const replies = sql`(select id from ticket_replies where site_id = ${site.id} and ticket_id in ${tickets})`;
    return sql`(r.conversation_id in ${chats} or r.reply_id in ${replies})`;
  }
  const column = table === 'visitors' ? 'id' : table === 'tickets' ? 'requester_id' : 'visitor_id';
  return sql`r.${sql.ref(column)} = ${visitorId}`;
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
  const { table, order, without = [] } = exported;
  const [first, second] = order.map((column) => sql`r.${sql.ref(column)}`);
  const beyond = behind
    ? sql`(${first}, ${second}) > (${behind[0]}::bigint, ${behind[1]}::bigint)`
    : sql`true`;
  const { rows } = await sql<ExportedRow>`
    select to_jsonb(r) - ${['site_id', ...without]}::text[] as row, ${first} as first, ${second} as second
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
 * All that is kept of one person, as a JSON object with a list for each table, in parts of a bounded size: a person may
 * have a million events. What is written meanwhile is in it or not.
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
  // No row's first column is 0: then the table begins here.
  const isBegun = first > 0;
  const rows = await readRows(ctx, exported, visitor, isBegun ? [first, second] : undefined);
  const lines = rows.map((row) => lineOf(ctx, exported, row));
  const head = at === 0 && !isBegun ? `{"exported_utc": ${JSON.stringify(ctx.now().toISOString())}` : '';
  const open = isBegun ? (lines.length > 0 ? ',\n' : '') : `,\n"${exported.table}": [\n`;
  const last = rows.at(-1);
  const goesOn = rows.length === EXPORT_ROWS && last !== undefined;
  const isEnd = !goesOn && at === EXPORTED.length - 1;
  const text = `${head}${open}${lines.join(',\n')}${goesOn ? '' : '\n]'}${isEnd ? '\n}\n' : ''}`;
  if (goesOn) return { text, next: encodeCursor([at, last.first, last.second]) };
  return { text, next: isEnd ? null : encodeCursor([at + 1, 0, 0]) };
}
