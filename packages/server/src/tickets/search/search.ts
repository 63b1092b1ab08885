import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { prepared } from '../../db/prepared.ts';
import { searchedValues } from '../../sites/fields/field-words.ts';
import { LEXEMES_MAX, lexemesOf, searchQuery } from '../../text/search-words.ts';

/** How many of a ticket's replies are read to rebuild its words. */
const REPLIES_READ = 1_000;

/** The words of a text that are stored. */
export const storedWords = (siteId: number, text: string): string[] =>
  lexemesOf(siteId, text).slice(0, LEXEMES_MAX);

/** The same as the table stores them. */
const wordsIn = (siteId: number, text: string): RawBuilder<string> =>
  sql`array_to_tsvector(${storedWords(siteId, text)}::text[])`;

/** Adds the words of a text to those of its ticket, whose row is locked. */
export async function addWords({ db, site }: SiteContext, ticketId: number, text: string): Promise<void> {
  await sql`${prepared}
    insert into ticket_words as known (site_id, ticket_id, created_at, words)
    select site_id, id, created_at, ${wordsIn(site.id, text)}
    from tickets where site_id = ${site.id} and id = ${ticketId}
    on conflict (site_id, ticket_id) do update
      set words = known.words || excluded.words
      where length(known.words) + length(excluded.words) <= ${LEXEMES_MAX}`.execute(db);
}

/** Rebuilds the words of a ticket, because one of its texts has changed. */
export async function renewWords(ctx: SiteContext, ticketId: number): Promise<void> {
  const { rows } = await sql<{ text: string }>`
    select subject || E'\\n' || description as text from tickets
    where site_id = ${ctx.site.id} and id = ${ticketId}
    union all
    (select body from ticket_replies where site_id = ${ctx.site.id} and ticket_id = ${ticketId}
      order by id desc limit ${REPLIES_READ})
    union all
    select v.text from (${searchedValues(ctx, 'tickets', [ticketId])}) v`.execute(ctx.db);
  const words = new Set<string>();
  // Each text separately: requester and team may write in different languages.
  for (const { text } of rows) {
    for (const word of lexemesOf(ctx.site.id, text)) if (words.size < LEXEMES_MAX) words.add(word);
  }
  await sql`
    insert into ticket_words (site_id, ticket_id, created_at, words)
    select site_id, id, created_at, array_to_tsvector(${[...words]}::text[])
    from tickets where site_id = ${ctx.site.id} and id = ${ticketId}
    on conflict (site_id, ticket_id) do update set words = excluded.words`.execute(ctx.db);
}

/** Whether a ticket (as `t`) contains every word of a query; the last word may be incomplete. */
export function matches({ site }: SiteContext, question: string): RawBuilder<SqlBool> {
  const query = searchQuery(site.id, question);
  if (query === undefined) return sql`false`;
  return sql`exists (
    select from ticket_words w
    where w.site_id = t.site_id and w.ticket_id = t.id and w.words @@ ${query}::tsquery)`;
}

/** The same for a prepared query, checked per ticket: never uses the index of all tickets. */
export const hasWords = (query: string): RawBuilder<SqlBool> => sql`(
  select w.words @@ ${query}::tsquery from ticket_words w where w.site_id = t.site_id and w.ticket_id = t.id)`;
