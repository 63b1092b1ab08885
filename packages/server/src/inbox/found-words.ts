import type { FoundWords } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import { STRETCH_ENTRIES } from '../conversations/chat-words.ts';
import type { TicketRow } from '../tickets/tickets.ts';
import { excerptOf, hitsIn, type Question } from './excerpt.ts';
import type { ChatHit } from './found-chats.ts';

/** Of a ticket, the newest are looked at. */
const REPLIES_LOOKED_AT = 50;

interface Said {
  in: FoundWords['in'];
  at: number;
  text: string;
}

/** Where the most words of a question stand; the first of several in which as many do. */
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

/** Where in the stretches of chats that were found the words stand, by the chat's id. */
export async function wordsInChats(
  { db, site }: SiteContext,
  hits: readonly ChatHit[],
  question: Question,
): Promise<Map<number, FoundWords | null>> {
  const { rows } = await sql<Said & { conversation_id: number }>`
    with hits as (
      select w.conversation_id, w.last_seq, w.last_note_id, coalesce(b.last_seq, 0) as before_seq,
        coalesce(b.last_note_id, 0) as before_note_id
      from unnest(${hits.map((hit) => hit.conversation_id)}::bigint[], ${hits.map((hit) => hit.part)}::integer[])
        as h (conversation_id, part)
      join chat_words w on w.site_id = ${site.id} and w.conversation_id = h.conversation_id and w.part = h.part
      left join chat_words b on b.site_id = w.site_id and b.conversation_id = w.conversation_id and b.part = w.part - 1
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
  const said = Map.groupBy(rows, (row) => row.conversation_id);
  return new Map([...said].map(([id, texts]) => [id, bestOf(texts, question)]));
}

/** Where in tickets the words stand, by the ticket's id. */
export async function wordsInTickets(
  { db, site }: SiteContext,
  tickets: readonly TicketRow[],
  question: Question,
): Promise<Map<number, FoundWords | null>> {
  const { rows } = await sql<Said & { ticket_id: number }>`
    select t.id as ticket_id, r."in", r.at, r.text from unnest(${tickets.map(({ id }) => id)}::bigint[]) as t (id)
    cross join lateral (
      select case type when 'note' then 'note' else 'reply' end as "in", id as at, body as text from ticket_replies
      where site_id = ${site.id} and ticket_id = t.id order by id desc limit ${REPLIES_LOOKED_AT}
    ) r order by r.at desc`.execute(db);
  const replies = Map.groupBy(rows, (row) => row.ticket_id);
  const textsOf = ({ id, subject, description }: TicketRow): Said[] => [
    { in: 'subject', at: 0, text: subject },
    ...(replies.get(id) ?? []),
    { in: 'description', at: 0, text: description },
  ];
  return new Map(tickets.map((ticket) => [ticket.id, bestOf(textsOf(ticket), question)]));
}
