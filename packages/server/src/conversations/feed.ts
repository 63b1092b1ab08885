import type { VisitorSession } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import type { Db } from '../db/database.ts';
import { findNote } from './desk.ts';
import { messagesAfter } from './messages.ts';
import { findSession, loadSessions, presentSession, presentVisitorSession, readableBy } from './sessions.ts';

/** How many of a visitor's chats the widget lists. */
const VISITOR_SESSIONS = 20;

/** What the hub asks of the database to bring sockets up to date. */
export function createFeed(db: Db) {
  return {
    messagesAfter: (siteId: number, sessionId: string, afterSeq: number, limit: number) =>
      messagesAfter(db, siteId, sessionId, afterSeq, limit),
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
    note: (siteId: number, noteId: number) => findNote(db, siteId, noteId),
  };
}

export async function mayRead(ctx: SiteContext, sessionId: string): Promise<boolean> {
  const { rows } =
    await sql`select from conversations c where c.site_id = ${ctx.site.id} and c.session_id = ${sessionId} and ${readableBy(ctx)}`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** A visitor's own chats, newest first. */
export async function ownSessions(ctx: SiteContext): Promise<VisitorSession[]> {
  const rows = await loadSessions(
    ctx.db,
    ctx.site.id,
    sql`${readableBy(ctx)} order by c.id desc limit ${VISITOR_SESSIONS}`,
  );
  return rows.map(presentVisitorSession);
}
