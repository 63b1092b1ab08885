import { sql } from 'kysely';
import type { VisitorRow, VisitorScope } from '../rows.ts';
import { leaveAll } from '../segments/settle.ts';

/**
 * Moves everything of one visitor to the other; the caller has locked both rows. The first row stays, empty, and
 * points to the other.
 */
export async function moveVisitor(scope: VisitorScope, from: VisitorRow, to: VisitorRow): Promise<void> {
  const { db, siteId, now } = scope;
  // The same client id under both keys is one event that was sent twice.
  await sql`
    delete from visitor_events e using visitor_events known
    where e.site_id = ${siteId} and e.visitor_id = ${from.id} and known.site_id = e.site_id
      and known.visitor_id = ${to.id} and known.client_id = e.client_id`.execute(db);
  const moved = await db
    .updateTable('visitor_events')
    .set({ visitor_id: to.id })
    .where('site_id', '=', siteId)
    .where('visitor_id', '=', from.id)
    .executeTakeFirst();
  // Two chats with the same client id are still two chats.
  await sql`
    update conversations c set visitor_id = ${to.id},
      start_client_id = case when exists (
        select from conversations known where known.site_id = c.site_id and known.visitor_id = ${to.id}
          and known.start_client_id = c.start_client_id
      ) then gen_random_uuid() else c.start_client_id end
    where c.site_id = ${siteId} and c.visitor_id = ${from.id}`.execute(db);
  for (const table of ['visitor_devices', 'visitor_notes', 'visitor_consents', 'visitor_pages'] as const) {
    await db
      .updateTable(table)
      .set({ visitor_id: to.id })
      .where('site_id', '=', siteId)
      .where('visitor_id', '=', from.id)
      .execute();
  }
  await db
    .updateTable('tickets')
    .set({ requester_id: to.id })
    .where('site_id', '=', siteId)
    .where('requester_id', '=', from.id)
    .execute();
  await moveReceipts(scope, from.id, to.id);
  await emptyVisitor(scope, from.id, to.id);
  await db
    .updateTable('visitors')
    .set((eb) => ({
      event_count: eb('event_count', '+', Number(moved.numUpdatedRows)),
      first_seen_at: from.first_seen_at < to.first_seen_at ? from.first_seen_at : to.first_seen_at,
      last_seen_at: now,
    }))
    .where('site_id', '=', siteId)
    .where('id', '=', to.id)
    .execute();
}

/** A message that was shown under both keys was shown to one visitor. */
async function moveReceipts({ db, siteId }: VisitorScope, fromId: number, toId: number): Promise<void> {
  await sql`
    with twice as (
      delete from proactive_receipts r using proactive_receipts known
      where r.site_id = ${siteId} and r.visitor_id = ${fromId} and known.site_id = r.site_id
        and known.visitor_id = ${toId} and known.message_id = r.message_id
      returning r.message_id, r.opened_at, r.answered_at, known.opened_at as known_opened, known.answered_at as known_answered
    ), joined as (
      update proactive_receipts r set opened_at = coalesce(r.opened_at, t.opened_at),
        answered_at = coalesce(r.answered_at, t.answered_at)
      from twice t where r.site_id = ${siteId} and r.visitor_id = ${toId} and r.message_id = t.message_id
    ), moved as (
      update proactive_receipts r set visitor_id = ${toId}
      where r.site_id = ${siteId} and r.visitor_id = ${fromId}
        and not exists (select from twice t where t.message_id = r.message_id)
    )
    update proactive_messages m set seen = m.seen - 1,
      opened = m.opened - (t.opened_at is not null and t.known_opened is not null)::integer,
      answered = m.answered - (t.answered_at is not null and t.known_answered is not null)::integer
    from twice t where m.site_id = ${siteId} and m.id = t.message_id`.execute(db);
}

/** Removes all personal data from a row and frees its key. The row stays for the chats that refer to it. */
export async function emptyVisitor(
  scope: VisitorScope,
  visitorId: number,
  mergedIntoId: number | null,
): Promise<void> {
  const { db, siteId, now } = scope;
  await leaveAll(scope, visitorId);
  await db
    .updateTable('visitors')
    .set({
      key: null,
      email: null,
      name: null,
      attributes: '{}',
      verified_fields: [],
      event_count: 0,
      segment_ids: [],
      segments_due_at: null,
      verified_at: null,
      blocked_at: null,
      blocked_by: null,
      erased_at: now,
      merged_into_id: mergedIntoId,
      updated_at: now,
    })
    .where('site_id', '=', siteId)
    .where('id', '=', visitorId)
    .execute();
}
