import type { VisitorSession } from '@foyer/protocol';
import { sql } from 'kysely';
import type { FileLinks } from '../attachments/attachments.ts';
import type { SiteContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { findNote } from './desk.ts';
import { messagesAfter, redactedMessages } from './messages.ts';
import { findSession, loadSessions, presentSession, presentVisitorSession, readableBy } from './sessions.ts';

/** How many of a visitor's chats the widget lists. */
const VISITOR_SESSIONS = 20;
/** Among how many open chats the changed ones are searched after a gap in notices. */
const OPEN_SESSIONS = 1_000;
const CLOSED_SESSIONS = 200;

/** The database queries with which the hub brings sockets up to date. */
export function createFeed(db: Db, links: FileLinks) {
  return {
    messagesAfter: (siteId: number, sessionId: string, afterSeq: number, limit: number) =>
      messagesAfter(db, links, siteId, sessionId, afterSeq, limit),
    redactedUpTo: (siteId: number, sessionId: string, upTo: number) =>
      redactedMessages(db, links, siteId, sessionId, upTo),
    async session(siteId: number, sessionId: string) {
      const row = await findSession(db, siteId, sessionId);
      return (
        row && {
          visitorId: row.visitor_id,
          deviceId: row.device_id,
          forVisitor: presentVisitorSession(row),
          forAgents: presentSession(row),
        }
      );
    },
    async changedSince(siteId: number, since: Date): Promise<string[]> {
      const { rows } = await sql<{ session_id: string }>`
        select session_id from (
          (select session_id, greatest(last_message_at, marked_unread_at) as changed_at from conversations
           where site_id = ${siteId} and status <> 'closed' order by id desc limit ${OPEN_SESSIONS})
          union all
          (select session_id, last_message_at from conversations
           where site_id = ${siteId} and status = 'closed' order by id desc limit ${CLOSED_SESSIONS})
        ) newest where changed_at >= ${since}`.execute(db);
      return rows.map(({ session_id }) => session_id);
    },
    note: (siteId: number, noteId: number) => findNote(db, siteId, noteId),
  };
}

/** The number of a chat's last message; undefined for a chat that the actor may not read. */
export async function lastSeqOf(ctx: SiteContext, sessionId: string): Promise<number | undefined> {
  const { rows } = await sql<{ last_seq: number }>`${prepared}
    select c.last_seq from conversations c
    where c.site_id = ${ctx.site.id} and c.session_id = ${sessionId} and ${readableBy(ctx)}`.execute(ctx.db);
  return rows[0]?.last_seq;
}

/** A visitor's own chats, newest first. */
export async function ownSessions(ctx: SiteContext): Promise<VisitorSession[]> {
  const rows = await loadSessions(
    ctx.db,
    ctx.site.id,
    sql`${readableBy(ctx)} order by c.id desc limit ${sql.lit(VISITOR_SESSIONS)}`,
    prepared,
  );
  return rows.map(presentVisitorSession);
}
