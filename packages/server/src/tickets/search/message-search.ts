import type { FoundWords } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { searchedValues } from '../../sites/fields/field-words.ts';
import { type Phrase, textsSaying } from '../../text/quoted-phrases.ts';
import type { TicketRow } from '../tickets.ts';

/** Replies read per ticket, the newest. */
const REPLIES_LOOKED_AT = 50;

/** A text and where it is. */
export interface Said {
  in: FoundWords['in'];
  at: number;
  text: string;
}

/** The custom fields that searches find, each with its name, by record. */
export async function saidInFields(
  ctx: SiteContext,
  owner: 'tickets' | 'chats',
  ids: readonly number[],
): Promise<Map<number, Said[]>> {
  const { rows } = await sql<{ id: number; at: number; name: string; text: string }>`
    ${searchedValues(ctx, owner, ids)} order by f.position, f.id`.execute(ctx.db);
  const said = rows.map(({ id, at, name, text }) => ({
    id,
    in: 'field' as const,
    at,
    text: `${name}: ${text}`,
  }));
  return Map.groupBy(said, ({ id }) => id);
}

/** Subject, text, latest replies and custom fields of tickets, by ticket id. */
export async function saidInTickets(
  ctx: SiteContext,
  tickets: readonly TicketRow[],
): Promise<Map<number, Said[]>> {
  const { db, site } = ctx;
  const { rows } = await sql<Said & { ticket_id: number }>`
    select t.id as ticket_id, r."in", r.at, r.text from unnest(${tickets.map(({ id }) => id)}::bigint[]) as t (id)
    cross join lateral (
      select case type when 'note' then 'note' else 'reply' end as "in", id as at, body as text from ticket_replies
      where site_id = ${site.id} and ticket_id = t.id order by id desc limit ${REPLIES_LOOKED_AT}
    ) r order by r.at desc`.execute(db);
  const replies = Map.groupBy(rows, (row) => row.ticket_id);
  const fields = await saidInFields(
    ctx,
    'tickets',
    tickets.map(({ id }) => id),
  );
  return new Map(
    tickets.map(({ id, subject, description }) => [
      id,
      [
        { in: 'subject', at: 0, text: subject },
        ...(replies.get(id) ?? []),
        { in: 'description', at: 0, text: description },
        ...(fields.get(id) ?? []),
      ],
    ]),
  );
}

/** How many tickets with the words of a phrase are read, because no index knows phrases. A page ends there. */
export const READ_FOR_PHRASES = 100;
/** Concurrency, because replies can be long. */
const READ_AT_ONCE = 10;

/** The tickets that contain the phrases, up to a limit. */
export async function ticketsSaying(
  ctx: SiteContext,
  tickets: readonly TicketRow[],
  phrases: readonly Phrase[],
  limit: number,
): Promise<TicketRow[]> {
  const saying: TicketRow[] = [];
  for (let at = 0; at < tickets.length && saying.length < limit; at += READ_AT_ONCE) {
    const some = tickets.slice(at, at + READ_AT_ONCE);
    const said = await saidInTickets(ctx, some);
    saying.push(...some.filter(({ id }) => textsSaying(said.get(id) ?? [], phrases).length > 0));
  }
  return saying.slice(0, limit);
}
