import { randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { currentTracer } from '../base/spans.ts';
import { prepared } from '../db/prepared.ts';
import type { Actor } from './actor.ts';
import { isForEveryone, recordChange } from './changes.ts';
import type { AuditPart, Change, DomainEvent, EmitScope, Notice, WebhookPart } from './domain-event.ts';

const newEventId = (): string => `evt_${randomBytes(16).toString('base64url')}`;
const newDeliveryPrefix = (): string => `dlv_${randomBytes(12).toString('base64url')}`;

/** The bytes that every attempt sends: flat JSON of `id`, `event`, `site_id`, the event's fields and `created_utc`. */
export function eventBody(id: string, siteId: number, now: Date, { event, body }: WebhookPart): Buffer {
  return Buffer.from(JSON.stringify({ id, event, site_id: siteId, ...body, created_utc: now.toISOString() }));
}

/** Part of a statement: `name as (…)`. */
type Step = RawBuilder<unknown>;

/**
 * A condition: the event's ticket or chat is spam. Then nobody gets it, except that the mark changed.
 */
function isOfSpam(siteId: number, { event, body }: WebhookPart): RawBuilder<boolean> {
  if (event === 'spam_changed') return sql`false`;
  if ('ticket_id' in body)
    return sql`exists (select from tickets where site_id = ${siteId} and id = ${body.ticket_id} and spam_at is not null)`;
  if (!('session_id' in body)) return sql`false`;
  return sql`exists (select from conversations
        where site_id = ${siteId} and session_id = ${body.session_id} and spam_at is not null)`;
}

/**
 * The event and a delivery for each subscription: in the transaction of the change, so there is no change without its
 * event and no event without its change. Nothing if nobody subscribed.
 */
function deliverySteps(
  { siteId, now }: EmitScope,
  part: WebhookPart,
  { onlyTo, at = now }: DomainEvent,
): Step[] {
  const id = newEventId();
  const chosen = onlyTo === undefined ? sql`${part.event} = any (events)` : sql`id = ${onlyTo}`;
  return [
    sql`receivers as materialized (
      select id from webhook_subscriptions
      where site_id = ${siteId} and disabled_at is null and ${chosen} and not ${isOfSpam(siteId, part)}
    )`,
    sql`event as (
      insert into webhook_events (site_id, id, event, body, created_at)
      select ${siteId}::bigint, ${id}::text, ${part.event}::text, ${eventBody(id, siteId, at, part)}::bytea, ${now}::timestamptz
      where exists (select from receivers)
    )`,
    sql`delivery as (
      insert into webhook_deliveries (site_id, delivery_id, event_id, subscription_id, created_at)
      select ${siteId}::bigint, ${newDeliveryPrefix()}::text || '_' || id, ${id}::text, id, ${now}::timestamptz from receivers
      returning id, subscription_id
    )`,
    sql`queued as (
      insert into webhook_queue (site_id, delivery_id, subscription_id, next_attempt_at, traceparent)
      select ${siteId}::bigint, id, subscription_id, ${now}::timestamptz, ${currentTracer()?.running() ?? null}::text
      from delivery returning delivery_id
    )`,
  ];
}

/** Who acts, as the audit log keeps it; a name may change, so it is looked up when the log is read. */
function auditActor(actor: Actor): number | null {
  if (actor.kind === 'agent') return actor.agentId;
  if (actor.kind === 'token') return actor.tokenId;
  return actor.kind === 'visitor' ? actor.visitorId : null;
}

function auditStep({ siteId, now, address, ...scope }: EmitScope, part: AuditPart): Step {
  const { subject, subjectId, action, label = null, changes = {}, actor = scope.actor } = part;
  return sql`audited as (
      insert into audit_entries
        (site_id, actor_kind, actor_id, subject, subject_id, action, label, address, changes, created_at)
      values (${siteId}, ${actor.kind}, ${auditActor(actor)}, ${subject}, ${subjectId}, ${action}, ${label},
        ${address}, ${JSON.stringify(changes)}, ${now})
    )`;
}

/** The record that a notice is about, where reports count it: of messages those of the bot and the team. */
function countedRecord(notice: Notice): string | undefined {
  if (notice.kind === 'session') return notice.sessionId;
  if (notice.kind === 'ticket') return String(notice.ticketId);
  const sender = notice.kind === 'message' ? notice.record?.sender : undefined;
  return notice.kind === 'message' && (sender === 'bot' || sender === 'agent') ? notice.sessionId : undefined;
}

/** Marks what reports have to count anew, in the transaction of the change: no change is left out, and none is lost. */
function markStep({ siteId }: EmitScope, notices: readonly Notice[]): Step | undefined {
  const records = new Set(notices.map(countedRecord).filter((record) => record !== undefined));
  if (records.size === 0) return undefined;
  return sql`marked as (
      insert into report_dirty_records (site_id, record)
      select ${siteId}::bigint, unnest(${[...records]}::text[])
    )`;
}

/** Notices as the outbox has them: without the record, which its readers load. */
const asRecorded = (notices: readonly Notice[]): string =>
  JSON.stringify(
    notices.map((notice) =>
      notice.kind === 'message' ? { ...notice, record: undefined, session: undefined } : notice,
    ),
  );

/**
 * Writes all that belongs to a change into its transaction, in one statement: the audit entry, the marks for reports,
 * the event with its deliveries, and the notices.
 * @param change under which the notices are recorded; undefined if there is none to record
 * @returns whether deliveries are due
 */
export async function recordEvent(
  scope: EmitScope,
  event: DomainEvent,
  change: Change | undefined,
): Promise<boolean> {
  const { notices = [], audit, webhook, counts, recorded } = event;
  const marks = counts === false || recorded ? undefined : markStep(scope, notices);
  const everyone = notices.some(isForEveryone);
  const list = sql`${asRecorded(notices)}::jsonb`;
  const steps = [
    ...(audit ? [auditStep(scope, audit)] : []),
    ...(marks ? [marks] : []),
    ...(webhook ? deliverySteps(scope, webhook, event) : []),
    ...(change ? [sql`recorded as (${recordChange(scope.siteId, change, list, { everyone })})`] : []),
  ];
  if (steps.length === 0) return false;
  const { rows } = await sql<{ delivers: boolean }>`${prepared}
    with ${sql.join(steps, sql`, `)}
    select ${webhook ? sql`exists (select from queued)` : sql`false`} as delivers`.execute(scope.db);
  return rows[0]?.delivers ?? false;
}
