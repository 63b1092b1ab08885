import type { Feedback, Queue, Transcript } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import { containsPattern, cursorId, decodeCursor, pageOf } from '../db/keyset.ts';
import { logTail } from './handoffs.ts';
import { type MessageRow, presentMessage } from './messages.ts';
import { getSession, loadSessions, presentSession, visitorOf } from './sessions.ts';

interface Paging {
  limit: number;
  order: 'asc' | 'desc';
  cursor?: string | undefined;
}

/**
 * The whole chat in order, without internal notes (decisions 3).
 * @param part of a long one: at most `limit` messages, from the one behind `after_seq` on.
 */
export async function getTranscript(
  ctx: SiteContext,
  sessionId: string,
  part: { after_seq?: number | undefined; limit?: number | undefined } = {},
): Promise<Transcript> {
  const session = await getSession(ctx, sessionId);
  const { rows } = await sql<MessageRow>`
    select * from messages
    where site_id = ${ctx.site.id} and conversation_id = ${session.id} and seq > ${part.after_seq ?? 0}
    order by seq limit ${part.limit ?? null}`.execute(ctx.db);
  return {
    session_id: session.session_id,
    status: session.status,
    visitor: visitorOf(session),
    tags: session.tags,
    page_url: session.page_url,
    started_utc: session.started_at.toISOString(),
    ended_utc: session.ended_at?.toISOString() ?? null,
    messages: rows.map((row) => {
      const { client_id: _, event: __, ...message } = presentMessage(row);
      return message;
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

export async function listFeedback(ctx: SiteContext, input: Paging & { since?: string | undefined }) {
  const { rows } = await sql<FeedbackRow>`
    select l.id, c.session_id, case when v.erased_at is null then v.key end as visitor_key, v.name as visitor_name,
      v.email as visitor_email, l.rating, l.comment, l.agent_id, a.name as agent_name, l.created_at
    from feedback l
    join conversations c on c.site_id = l.site_id and c.id = l.conversation_id
    join visitors v on v.site_id = c.site_id and v.id = c.visitor_id
    left join agents a on a.site_id = l.site_id and a.id = l.agent_id
    where l.site_id = ${ctx.site.id} and ${logTail(input)}`.execute(ctx.db);
  return pageOf(rows, input.limit, (row) => [row.id], presentFeedback);
}

const ownAgent = ({ actor }: SiteContext): number => (actor.kind === 'agent' ? actor.agentId : 0);

const inQueue = (ctx: SiteContext, queue: Queue) => {
  switch (queue) {
    case 'waiting':
      return sql<boolean>`c.status = 'waiting'`;
    case 'mine':
      return sql<boolean>`c.status = 'active' and c.agent_id = ${ownAgent(ctx)}`;
    case 'open':
      return sql<boolean>`c.status <> 'closed'`;
    case 'closed':
      return sql<boolean>`c.status = 'closed'`;
    case 'all':
      return sql<boolean>`true`;
  }
};

/** By the last message, for the queues that hold what is going on now; the archive is listed by its beginning. */
export async function listSessions(
  ctx: SiteContext,
  input: Paging & { queue: Queue; q?: string | undefined },
) {
  const { queue, order, limit } = input;
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  const compare = order === 'asc' ? sql`>` : sql`<`;
  const pattern = input.q === undefined ? undefined : containsPattern(input.q);
  const matches =
    pattern === undefined
      ? sql`true`
      : sql`(v.name ilike ${pattern} or v.email ilike ${pattern} or c.last_text ilike ${pattern})`;
  if (queue === 'closed' || queue === 'all') {
    const after = cursorId(input.cursor);
    const beyond = after === undefined ? sql`true` : sql`c.id ${compare} ${after}`;
    const rows = await loadSessions(
      ctx.db,
      ctx.site.id,
      sql`${inQueue(ctx, queue)} and ${matches} and ${beyond} order by c.id ${direction} limit ${limit + 1}`,
    );
    return pageOf(rows, limit, (row) => [row.id], presentSession);
  }
  const after = decodeCursor(input.cursor, 2);
  const at = sql`(extract(epoch from coalesce(c.last_message_at, c.started_at)) * 1000)::bigint`;
  const beyond =
    after === undefined
      ? sql`true`
      : sql`(${at}, c.id) ${compare} (${after[0]}::bigint, ${after[1]}::bigint)`;
  const rows = await loadSessions(
    ctx.db,
    ctx.site.id,
    sql`${inQueue(ctx, queue)} and ${matches} and ${beyond} order by ${at} ${direction}, c.id ${direction} limit ${limit + 1}`,
  );
  return pageOf(
    rows,
    limit,
    (row) => [(row.last_message_at ?? row.started_at).getTime(), row.id],
    presentSession,
  );
}

export async function countSessions(
  ctx: SiteContext,
): Promise<{ waiting: number; mine: number; open: number }> {
  const { rows } = await sql<{ waiting: number; mine: number; open: number }>`
    select count(*) filter (where status = 'waiting') as waiting,
      count(*) filter (where status = 'active' and agent_id = ${ownAgent(ctx)}) as mine, count(*) as open
    from conversations where site_id = ${ctx.site.id} and status <> 'closed'`.execute(ctx.db);
  return rows[0] ?? { waiting: 0, mine: 0, open: 0 };
}
