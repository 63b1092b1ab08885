import type { FoundWords } from '@foyer/protocol';
import { sql } from 'kysely';
import { STRETCH_ENTRIES } from '../../conversations/search/chat-words.ts';
import { FIELDS_PART } from '../../conversations/search/field-words.ts';
import type { SiteContext } from '../../core/context.ts';
import { prepared } from '../../db/prepared.ts';
import { type Said, saidInFields, saidInTickets } from '../../tickets/search/message-search.ts';
import type { TicketRow } from '../../tickets/tickets.ts';
import type { ChatHit } from './chat-hit.ts';
import { excerptOf, hitsIn, type Question } from './excerpt.ts';

/** The message with the most words of the query; ties go to the first. */
function bestOf(said: Iterable<Said>, question: Question): FoundWords | null {
  let best: Said | undefined;
  let most = 0;
  for (const one of said) {
    const hits = hitsIn(one.text, question);
    if (hits <= most) continue;
    [best, most] = [one, hits];
    if (hits === question.size) break;
  }
  return best ? { in: best.in, at: best.at, excerpt: excerptOf(best.text, question) } : null;
}

/**
 * How many chunks of a long chat are read for a phrase, the newest that have its words. Older ones aren't found.
 */
const STRETCHES_READ = 10;

/**
 * The messages in the matching chunks of chats, latest first, by chat id; with a query, also older chunks with its
 * words.
 */
export async function saidInChats(
  ctx: SiteContext,
  hits: readonly ChatHit[],
  query?: string,
): Promise<Map<number, Said[]>> {
  const { db, site } = ctx;
  const isRead =
    query === undefined ? sql`part = h.part` : sql`part <= h.part and (words @@ ${query}::tsquery) is true`;
  const { rows } = await sql<Said & { conversation_id: number }>`${prepared}
    with hits as (
      select w.conversation_id, w.last_seq, w.last_note_id, coalesce(b.last_seq, 0) as before_seq,
        coalesce(b.last_note_id, 0) as before_note_id
      from unnest(${hits.map((hit) => hit.conversation_id)}::bigint[], ${hits.map((hit) => hit.part)}::integer[])
        as h (conversation_id, part)
      cross join lateral (
        select site_id, conversation_id, part, last_seq, last_note_id from message_search_chunks
        where site_id = ${site.id} and conversation_id = h.conversation_id and ${isRead}
        order by part desc limit ${STRETCHES_READ}
      ) w
      left join message_search_chunks b on b.site_id = w.site_id and b.conversation_id = w.conversation_id and b.part = w.part - 1
    )
    select h.conversation_id, s."in", s.at, s.text from hits h cross join lateral (
      (select 'message' as "in", seq::bigint as at, text, created_at from messages
        where site_id = ${site.id} and conversation_id = h.conversation_id and seq > h.before_seq and seq <= h.last_seq
          and sender <> 'system' order by seq desc limit ${STRETCH_ENTRIES})
      union all
      (select 'note', id, text, created_at from notes
        where site_id = ${site.id} and conversation_id = h.conversation_id and id > h.before_note_id
          and id <= h.last_note_id order by id desc limit ${STRETCH_ENTRIES})
    ) s order by s.created_at desc`.execute(db);
  const said = new Map<number, Said[]>(Map.groupBy(rows, (row) => row.conversation_id));
  // Its part is the last that is read, so nothing else of the chat has the words.
  const byFields = hits.filter(({ part }) => part === FIELDS_PART).map((hit) => hit.conversation_id);
  if (byFields.length === 0) return said;
  return new Map([...said, ...(await saidInFields(ctx, 'chats', byFields))]);
}

/** Where the words occur in the matching chats, by chat id. */
export async function wordsInChats(
  ctx: SiteContext,
  hits: readonly ChatHit[],
  question: Question,
): Promise<Map<number, FoundWords | null>> {
  const said = await saidInChats(
    ctx,
    hits.filter((hit) => hit.said === undefined),
  );
  for (const hit of hits) if (hit.said) said.set(hit.conversation_id, hit.said);
  return new Map([...said].map(([id, texts]) => [id, bestOf(texts, question)]));
}

/** Where the words occur in tickets, by ticket id. */
export async function wordsInTickets(
  ctx: SiteContext,
  tickets: readonly TicketRow[],
  question: Question,
): Promise<Map<number, FoundWords | null>> {
  const said = await saidInTickets(ctx, tickets);
  return new Map([...said].map(([id, texts]) => [id, bestOf(texts, question)]));
}
