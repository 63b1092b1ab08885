import { sql } from 'kysely';
import type { VisitorRow, VisitorScope } from '../visitors/rows.ts';

const NOBODY = JSON.stringify({ key: null, name: null, email: null });
/** Replaces a text whose record no longer exists. */
const ERASED = '[erased]';

/** As PostgreSQL writes a body that was changed before: with a space after each name. */
const spaced = (trace: string): string => trace.replace('":', '": ');

/** Byte sequences in an event that is about this visitor, one of their chats or one of their tickets. */
async function tracesOf({ db, siteId }: VisitorScope, { id, key, email }: VisitorRow): Promise<Buffer[]> {
  const { rows } = await sql<{ trace: string }>`
    select '"session_id":' || to_json(session_id) as trace from conversations
    where site_id = ${siteId} and visitor_id = ${id}
    union all
    select '"ticket_id":' || id || ',' from tickets where site_id = ${siteId} and requester_id = ${id}`.execute(
    db,
  );
  return [
    `"key":${JSON.stringify(key)}`,
    ...(email ? [`"email":${JSON.stringify(email)}`] : []),
    ...rows.map(({ trace }) => trace),
  ]
    .flatMap((trace) => [trace, spaced(trace)])
    .map((trace) => Buffer.from(trace));
}

/**
 * Bodies of webhook events contain the visitor. Pending deliveries are sent without them: the right to be forgotten
 * outweighs the promise that every attempt is the same. Texts are taken from their records, so this runs after chats
 * and tickets have lost the visitor. Receivers' responses may repeat what they got, so they are deleted.
 */
export async function eraseFromEvents(scope: VisitorScope, visitor: VisitorRow): Promise<void> {
  const { db, siteId } = scope;
  const { id, key, email } = visitor;
  const traces = await tracesOf(scope, visitor);
  const ownChat = sql`exists (select from conversations c where c.site_id = ${siteId} and c.visitor_id = ${id}
    and c.session_id = sent ->> 'session_id')`;
  const ownTicket = sql`exists (select from tickets t where t.site_id = ${siteId} and t.requester_id = ${id}
    and t.id = (sent ->> 'ticket_id')::bigint)`;
  const isTheirs = (field: string) =>
    sql`(sent -> ${field}::text ->> 'key' = ${key} or sent -> ${field}::text ->> 'email' = ${email})`;
  await sql`
    with named as materialized (
      select id, convert_from(body, 'UTF8')::jsonb as sent from webhook_events
      where site_id = ${siteId}
        and exists (select from unnest(${traces}::bytea[]) as trace where position(trace in body) > 0)
    ), unnamed as (
      select id, sent
        || case when sent ? 'visitor' and (${ownChat} or ${isTheirs('visitor')})
          then jsonb_build_object('visitor', ${NOBODY}::jsonb) else '{}'::jsonb end
        || case when sent ? 'requester' and (${ownTicket} or ${isTheirs('requester')})
          then jsonb_build_object('requester', ${NOBODY}::jsonb) else '{}'::jsonb end
        || case when sent ? 'page_url' then '{"page_url": null}'::jsonb else '{}'::jsonb end
        || case when sent ? 'summary' then jsonb_build_object('summary', coalesce((
          select h.summary from handoffs h join conversations c on c.site_id = h.site_id and c.id = h.conversation_id
          where c.site_id = ${siteId} and c.session_id = sent ->> 'session_id'
            and h.created_at = (sent ->> 'created_utc')::timestamptz order by h.id limit 1
        ), ${ERASED})) else '{}'::jsonb end
        || case when sent ? 'subject' then jsonb_build_object('subject', coalesce((
          select t.subject from tickets t where t.site_id = ${siteId} and t.id = (sent ->> 'ticket_id')::bigint
        ), ${ERASED})) else '{}'::jsonb end
        || case when sent ? 'changes' then jsonb_build_object('changes', (
          select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(sent -> 'changes')
          where key <> 'subject' and key not like 'fields.%')) else '{}'::jsonb end
        || case when sent ? 'fields' then '{"fields": {}}'::jsonb else '{}'::jsonb end
        || case when sent #>> '{by,type}' = 'requester'
          then jsonb_build_object('by', sent -> 'by' || '{"name": ""}'::jsonb) else '{}'::jsonb end
        || case when sent ? 'reply' then jsonb_build_object('reply', sent -> 'reply' || jsonb_build_object('body', coalesce((
          select r.body from ticket_replies r where r.site_id = ${siteId} and r.id = (sent #>> '{reply,id}')::bigint
        ), ${ERASED})) || case when sent #>> '{reply,author,type}' = 'requester'
          then jsonb_build_object('author', sent #> '{reply,author}' || '{"name": ""}'::jsonb, 'attachments', '[]'::jsonb)
          else '{}'::jsonb end) else '{}'::jsonb end
        || case when sent ? 'messages' then '{"messages": []}'::jsonb else '{}'::jsonb end
        || case when sent ? 'note' then jsonb_build_object('note', sent -> 'note' || jsonb_build_object('text', coalesce((
          select n.text from notes n where n.site_id = ${siteId} and n.id = (sent #>> '{note,id}')::bigint
        ), ${ERASED}))) else '{}'::jsonb end
        || case when sent ? 'message' then jsonb_build_object('message', sent -> 'message' || jsonb_build_object('text', coalesce((
          select m.text from messages m where m.site_id = ${siteId} and m.id = (sent #>> '{message,id}')::bigint
        ), ${ERASED})) || case when sent #>> '{message,sender}' = 'visitor'
          then '{"author": null, "attachments": []}'::jsonb else '{}'::jsonb end) else '{}'::jsonb end as sent
      from named
    ), quiet as (
      update webhook_attempts a set response_excerpt = null
      from webhook_deliveries d join named n on n.id = d.event_id
      where d.site_id = ${siteId} and a.site_id = d.site_id and a.delivery_id = d.id
    )
    update webhook_events e set body = convert_to(u.sent::text, 'UTF8')
    from unnamed u where e.site_id = ${siteId} and e.id = u.id`.execute(db);
}
