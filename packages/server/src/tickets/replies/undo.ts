import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import type { ReplyUndo } from '../../db/column-types.ts';
import type { TicketRow } from '../tickets.ts';

/** Stores with a reply, in its transaction, what undoing it restores. */
export async function keepUndo(
  { db, site }: SiteContext,
  replyId: number,
  { before, after, until }: { before: TicketRow; after: TicketRow; until: Date },
): Promise<void> {
  const { status, snoozed_until, last_activity_at, unanswered_since, replied_at } = before;
  const undo: Record<keyof ReplyUndo, unknown> = {
    until,
    status,
    status_after: after.status,
    snoozed_until,
    last_activity_at,
    unanswered_since,
    replied_at,
  };
  await sql`update ticket_replies set undo = ${JSON.stringify(undo)} where site_id = ${site.id} and id = ${replyId}`.execute(
    db,
  );
}

/**
 * Ends the time in which a reply can be undone, before its mail is sent: the first to lock the row decides.
 * @returns false if it was undone
 */
export async function endUndo({ db, site }: SiteContext, replyId: number): Promise<boolean> {
  const { rows } = await sql`
    update ticket_replies set undo = null where site_id = ${site.id} and id = ${replyId} returning id`.execute(
    db,
  );
  return rows.length > 0;
}
