import type { Feedback, Transcript } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { cursorTime, decodeCursor, type Page, pageOf } from '../db/keyset.ts';
import { logTail } from './handoffs.ts';
import {
  citedIn,
  linksOf,
  type MessageRow,
  messageColumns,
  namedAuthor,
  presentMessage,
} from './messages.ts';
import { getSession, visitorOf } from './sessions.ts';

interface Paging {
  limit: number;
  order: 'asc' | 'desc';
  cursor?: string | undefined;
}

/**
 * The whole chat in order, without internal notes.
 * @param part for a long chat: at most `limit` messages after `after_seq`
 */
export async function getTranscript(
  ctx: SiteContext,
  sessionId: string,
  part: { after_seq?: number | undefined; limit?: number | undefined } = {},
): Promise<Transcript> {
  const session = await getSession(ctx, sessionId);
  const { rows } = await sql<MessageRow>`
    select ${messageColumns} from messages m
    where m.site_id = ${ctx.site.id} and m.conversation_id = ${session.id} and m.seq > ${part.after_seq ?? 0}
    order by m.seq limit ${part.limit ?? null}`.execute(ctx.db);
  return {
    session_id: session.session_id,
    status: session.status,
    visitor: visitorOf(session),
    tags: session.tags,
    page_url: session.page_url,
    started_utc: session.started_at.toISOString(),
    ended_utc: session.ended_at?.toISOString() ?? null,
    messages: rows.map((row) => {
      const message = presentMessage(ctx.site.id, linksOf(ctx), row);
      const { client_id: _, event: __, sources: ___, created_utc, ...said } = message;
      return { ...said, author: namedAuthor(message), ...citedIn(message), created_utc };
    }),
  };
}

interface FeedbackRow {
  id: number;
  session_id: string;
  visitor_key: string | null;
  visitor_name: string | null;
  visitor_email: string | null;
  rating: number;
  comment: string | null;
  agent_id: number | null;
  agent_name: string | null;
  created_at: Date;
}

const presentFeedback = (row: FeedbackRow): Feedback => ({
  id: row.id,
  session_id: row.session_id,
  visitor: visitorOf(row),
  rating: row.rating,
  comment: row.comment,
  agent: row.agent_id === null ? null : { id: row.agent_id, name: row.agent_name ?? '' },
  created_utc: row.created_at.toISOString(),
});

/** Ratings (as `l`) matching a condition, except of spam, with what is still known about the visitor. */
const feedbackRows = async (ctx: SiteContext, tail: RawBuilder<unknown>): Promise<FeedbackRow[]> => {
  const { rows } = await sql<FeedbackRow>`
    select l.id, c.session_id, case when v.erased_at is null then v.key end as visitor_key, v.name as visitor_name,
      v.email as visitor_email, l.rating, l.comment, l.agent_id, a.name as agent_name, l.created_at
    from feedback l
    join conversations c on c.site_id = l.site_id and c.id = l.conversation_id
    join visitors v on v.site_id = c.site_id and v.id = c.visitor_id
    left join agents a on a.site_id = l.site_id and a.id = l.agent_id
    where l.site_id = ${ctx.site.id} and c.spam_at is null and ${tail}`.execute(ctx.db);
  return rows;
};

/** By id, in `input.order`; `since` is inclusive. */
export async function listFeedback(ctx: SiteContext, input: Paging & { since?: string | undefined }) {
  const rows = await feedbackRows(ctx, logTail(ctx, 'feedback', input));
  return pageOf(rows, input.limit, (row) => [row.id], presentFeedback);
}

/** Ratings matching a condition on `l`, ordered by time. */
export async function feedbackPage(
  ctx: SiteContext,
  which: RawBuilder<unknown>,
  { limit, order, cursor }: Paging,
): Promise<Page<Feedback>> {
  const [ms, id] = decodeCursor(cursor, 2) ?? [];
  const [direction, behind] = order === 'asc' ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  const beyond =
    ms === undefined || id === undefined
      ? sql`true`
      : sql`(l.created_at, l.id) ${behind} (${cursorTime(ms)}::timestamptz, ${id}::bigint)`;
  const rows = await feedbackRows(
    ctx,
    sql`${which} and ${beyond} order by l.created_at ${direction}, l.id ${direction} limit ${limit + 1}`,
  );
  return pageOf(rows, limit, (row) => [row.created_at.getTime(), row.id], presentFeedback);
}
