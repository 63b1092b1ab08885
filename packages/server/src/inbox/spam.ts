import type { ParsedInputOf, SpamEntry } from '@foyer/protocol';
import { sql } from 'kysely';
import { loadSessions, type SessionRow, visitorOf } from '../conversations/sessions.ts';
import { presentSpam } from '../conversations/spam/mark.ts';
import { markChat } from '../conversations/spam/mark-chat.ts';
import type { SiteContext } from '../core/context.ts';
import { cursorTime, decodeCursor, type Page, pageOf } from '../db/keyset.ts';
import { markTicket } from '../tickets/spam.ts';
import { requesterOf, type TicketRow, ticketsOfIds } from '../tickets/tickets.ts';

const ofChat = (row: SessionRow): SpamEntry => ({
  session_id: row.session_id,
  ticket_id: null,
  visitor: visitorOf(row),
  about: row.about,
  spam: presentSpam(row),
  created_utc: row.started_at.toISOString(),
});

const ofTicket = (row: TicketRow): SpamEntry => ({
  session_id: null,
  ticket_id: row.id,
  visitor: requesterOf(row),
  about: row.subject,
  spam: presentSpam(row),
  created_utc: row.created_at.toISOString(),
});

/** Marks a chat or ticket as spam or as not spam. @throws AppError 404 */
export async function setSpam(
  ctx: SiteContext,
  { session_id, ticket_id, spam }: ParsedInputOf<'spam.set'>,
): Promise<SpamEntry> {
  if (ticket_id !== undefined) return ofTicket(await markTicket(ctx, ticket_id, spam));
  return ofChat(await markChat(ctx, session_id ?? '', spam));
}

interface Marked {
  /** 0 for a chat, 1 for a ticket. */
  kind: number;
  id: number;
  spam_at: Date;
}

/** Chats and tickets by the time of their mark. */
async function listMarked(
  { db, site }: SiteContext,
  { limit, order, cursor }: ParsedInputOf<'spam.list'>,
): Promise<Page<Marked>> {
  const [ms, kind, id] = decodeCursor(cursor, 3) ?? [];
  const [way, behind] = order === 'asc' ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  const place = sql`(${cursorTime(ms)}::timestamptz, ${kind ?? 0}::int, ${id ?? 0}::bigint)`;
  const some = (table: 'conversations' | 'tickets', number: number) => sql`(
    select ${sql.lit(number)}::int as kind, id, spam_at from ${sql.table(table)}
    where site_id = ${site.id} and spam_at is not null
      and ${ms === undefined ? sql`true` : sql`(spam_at, ${sql.lit(number)}::int, id) ${behind} ${place}`}
    order by spam_at ${way}, id ${way} limit ${limit + 1})`;
  const { rows } = await sql<Marked>`
    select kind, id, spam_at from (${some('conversations', 0)} union all ${some('tickets', 1)}) marked
    order by spam_at ${way}, kind ${way}, id ${way} limit ${limit + 1}`.execute(db);
  return pageOf(
    rows,
    limit,
    (row) => [row.spam_at.getTime(), row.kind, row.id],
    (row) => row,
  );
}

/** The site's spam, in the order of the marks. */
export async function listSpam(
  ctx: SiteContext,
  input: ParsedInputOf<'spam.list'>,
): Promise<Page<SpamEntry>> {
  const { items, ...page } = await listMarked(ctx, input);
  const idsOf = (kind: number): number[] => items.filter((one) => one.kind === kind).map(({ id }) => id);
  const [chats, tickets] = await Promise.all([
    loadSessions(ctx.db, ctx.site.id, sql`c.id = any (${idsOf(0)}::bigint[])`),
    ticketsOfIds(ctx, idsOf(1)),
  ]);
  const entries = items.flatMap(({ kind, id }) => {
    const of = <T extends { id: number }>(rows: readonly T[], present: (row: T) => SpamEntry): SpamEntry[] =>
      rows.filter((row) => row.id === id).map(present);
    return kind === 0 ? of(chats, ofChat) : of(tickets, ofTicket);
  });
  return { ...page, items: entries };
}
