import type { FoundItem, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { loadSessions, presentSession } from '../conversations/sessions.ts';
import { agentActor } from '../core/actor.ts';
import type { SiteContext } from '../core/context.ts';
import { cursorId, pageOf } from '../db/keyset.ts';
import { presentTicketSummary, ticketsOfIds } from '../tickets/tickets.ts';
import { excerptOf, questionOf } from './search/excerpt.ts';

/** The condition on `mention_queue q` for the calling agent. */
const isOwn = (ctx: SiteContext): RawBuilder<SqlBool> =>
  sql`q.site_id = ${ctx.site.id} and q.agent_id = ${agentActor(ctx).agentId} and q.is_open`;

/** The condition on the site's chats `c`. */
export const isMentionedChat = (ctx: SiteContext): RawBuilder<SqlBool> =>
  sql`c.id in (select q.conversation_id from mention_queue q where ${isOwn(ctx)})`;

/** The condition on the site's tickets `t`. */
export const isMentionedTicket = (ctx: SiteContext): RawBuilder<SqlBool> =>
  sql`t.id in (select q.ticket_id from mention_queue q where ${isOwn(ctx)})`;

/** The number of chats and tickets, at most `most`, as an SQL expression. */
export const countOfMentions = (ctx: SiteContext, most: number): RawBuilder<number> =>
  sql`(select count(*)::int from (select from mention_queue q where ${isOwn(ctx)} limit ${sql.lit(most)}) q)`;

interface MentionRow {
  mention_id: number;
  conversation_id: number | null;
  ticket_id: number | null;
  /** The agent's name in the note. */
  name: string;
  /** The id of the note or reply. */
  at: number;
  text: string;
}

/** Open chats and tickets in which the agent is mentioned, the latest mention first. */
export async function listMentions(
  ctx: SiteContext,
  { limit, cursor, order }: ParsedInputOf<'inbox.mentions'>,
): Promise<OutputOf<'inbox.mentions'>> {
  const { db, site } = ctx;
  const after = cursorId(cursor);
  const beyond =
    after === undefined ? sql`true` : sql`q.mention_id ${sql.raw(order === 'asc' ? '>' : '<')} ${after}`;
  const byMention = sql`order by q.mention_id ${sql.raw(order)}`;
  const { rows } = await sql<MentionRow>`
    select q.mention_id, q.conversation_id, q.ticket_id, m.name, coalesce(n.id, r.id) as at,
      coalesce(n.text, r.body) as text
    from (select * from mention_queue q where ${isOwn(ctx)} and ${beyond} ${byMention} limit ${limit + 1}) q
    join mentions m on m.site_id = q.site_id and m.id = q.mention_id
    left join notes n on n.site_id = m.site_id and n.id = m.note_id
    left join ticket_replies r on r.site_id = m.site_id and r.id = m.reply_id
    ${byMention}`.execute(db);
  const page = pageOf(
    rows,
    limit,
    (row) => [row.mention_id],
    (row) => row,
  );
  const chatIds = page.items.flatMap(({ conversation_id }) => conversation_id ?? []);
  const ticketIds = page.items.flatMap(({ ticket_id }) => ticket_id ?? []);
  const [chats, tickets] = await Promise.all([
    loadSessions(db, site.id, sql`c.id = any (${chatIds}::bigint[])`),
    ticketsOfIds(ctx, ticketIds),
  ]);
  const items = page.items.flatMap(({ conversation_id, ticket_id, name, at, text }): FoundItem[] => {
    const found = { in: 'note' as const, at, excerpt: excerptOf(text, questionOf(name)) };
    const chat = chats.find(({ id }) => id === conversation_id);
    if (chat) return [{ kind: 'chat', session: presentSession(chat), found }];
    const ticket = tickets.find(({ id }) => id === ticket_id);
    return ticket ? [{ kind: 'ticket', ticket: presentTicketSummary(ticket), found }] : [];
  });
  return { ...page, items };
}
