import { randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { currentTracer } from '../base/spans.ts';
import { prepared } from '../db/prepared.ts';
import { isForEveryone, recordChange } from './changes.ts';
import type { AuditPart, Change, DomainEvent, EmitScope, Notice, WebhookPart } from './domain-event.ts';
import { recordForRules, triggeringOf } from './rules/rule-events.ts';
import { auditActor, type SecurityEvent } from './security-events.ts';
import { chatsOfSessions, markChatSlas } from './sla/chat-marks.ts';

const newEventId = (): string => `evt_${randomBytes(16).toString('base64url')}`;
const newDeliveryPrefix = (): string => `dlv_${randomBytes(12).toString('base64url')}`;

/** The bytes that every attempt sends: flat JSON of `id`, `event`, `site_id`, the event's fields and `created_utc`. */
export function eventBody(id: string, siteId: number, now: Date, { event, body }: WebhookPart): Buffer {
  return Buffer.from(JSON.stringify({ id, event, site_id: siteId, ...body, created_utc: now.toISOString() }));
}

/** Part of a statement: `name as (…)`. */
export type Step = RawBuilder<unknown>;

/** A condition: the event's ticket or chat is spam. Then the only event that is sent is the change of the mark. */
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
 * event and no event without its change. Nothing if there are neither subscriptions nor open streams.
 * @param of prefix of the steps' names; the last one is `queued`
 */
function deliverySteps(
  { siteId, now }: EmitScope,
  part: WebhookPart,
  { onlyTo, at = now }: Pick<DomainEvent, 'onlyTo' | 'at'>,
  of = '',
): Step[] {
  const id = newEventId();
  const chosen = onlyTo === undefined ? sql`${part.event} = any (events)` : sql`id = ${onlyTo}`;
  const isStreamed = onlyTo === undefined && part.event !== 'security_event';
  const step = (name: string): RawBuilder<unknown> => sql.ref(`${of}${name}`);
  return [
    sql`${step('receivers')} as materialized (
      select id from webhook_subscriptions
      where site_id = ${siteId} and disabled_at is null and ${chosen} and not ${isOfSpam(siteId, part)}
    )`,
    sql`${step('recording')} as materialized (
      select pg_current_xact_id()::text::bigint as xid from stream_recordings
      where site_id = ${siteId} and kept_until > ${now} and ${isStreamed} and not ${isOfSpam(siteId, part)}
    )`,
    sql`${step('event')} as (
      insert into webhook_events (site_id, id, event, body, created_at, stream_xid, stream_n)
      select ${siteId}::bigint, ${id}::text, ${part.event}::text, ${eventBody(id, siteId, at, part)}::bytea,
        ${now}::timestamptz, (select xid from ${step('recording')}),
        (select nextval('stream_positions') from ${step('recording')})
      where exists (select from ${step('receivers')}) or exists (select from ${step('recording')})
    )`,
    sql`${step('delivery')} as (
      insert into webhook_deliveries (site_id, delivery_id, event_id, subscription_id, created_at)
      select ${siteId}::bigint, ${newDeliveryPrefix()}::text || '_' || id, ${id}::text, id, ${now}::timestamptz
      from ${step('receivers')}
      returning id, subscription_id
    )`,
    sql`${step('queued')} as (
      insert into webhook_queue (site_id, delivery_id, subscription_id, next_attempt_at, traceparent)
      select ${siteId}::bigint, id, subscription_id, ${now}::timestamptz, ${currentTracer()?.running() ?? null}::text
      from ${step('delivery')} returning delivery_id
    )`,
  ];
}

/** A security event: its deliveries, and its row for the syslog server if there is one. */
function securitySteps(scope: EmitScope, event: SecurityEvent, toSyslog: boolean): Step[] {
  const { siteId, now } = scope;
  const steps = deliverySteps(scope, { event: 'security_event', body: event }, {}, 'security_');
  if (!toSyslog) return steps;
  return [
    ...steps,
    sql`security_waiting as (
      insert into security_outbox (site_id, event, created_at)
      values (${siteId}, ${JSON.stringify(event)}, ${now})
    )`,
  ];
}

function auditStep({ siteId, now, address, ...scope }: EmitScope, part: AuditPart): Step {
  const { subject, subjectId, action, label = null, changes = {}, actor = scope.actor } = part;
  const { kind, id } = auditActor(actor);
  return sql`audited as (
      insert into audit_entries
        (site_id, actor_kind, actor_id, subject, subject_id, action, label, address, changes, created_at)
      values (${siteId}, ${kind}, ${id}, ${subject}, ${subjectId}, ${action}, ${label},
        ${address}, ${JSON.stringify(changes)}, ${now})
    )`;
}

/** The record of a notice, if reports count it: of messages only those of the bot and the team. */
function countedRecord(notice: Notice): string | undefined {
  if (notice.kind === 'session') return notice.sessionId;
  if (notice.kind === 'ticket') return String(notice.ticketId);
  const sender = notice.kind === 'message' ? notice.record?.sender : undefined;
  return notice.kind === 'message' && (sender === 'bot' || sender === 'agent') ? notice.sessionId : undefined;
}

/** Marks the records that reports must recount, in the transaction of the change, so that no change is missed. */
export function markStep({ siteId }: EmitScope, notices: readonly Notice[]): Step | undefined {
  const records = new Set(notices.map(countedRecord).filter((record) => record !== undefined));
  if (records.size === 0) return undefined;
  return sql`marked as (
      insert into report_dirty_records (site_id, record)
      select ${siteId}::bigint, unnest(${[...records]}::text[])
    )`;
}

/** Lets the clock look at the due times of chats that have changed. */
export function dueStep({ siteId, now }: EmitScope, notices: readonly Notice[]): Step | undefined {
  const ids = new Set(notices.flatMap((one) => (one.kind === 'session' ? [one.sessionId] : [])));
  if (ids.size === 0) return undefined;
  return sql`for_dues as (${markChatSlas(siteId, now, chatsOfSessions(siteId, [...ids]))})`;
}

/** Notices as the outbox has them: without the record, which its readers load. */
export const asRecorded = (notices: readonly Notice[]): string =>
  JSON.stringify(
    notices.map((notice) =>
      notice.kind === 'message' ? { ...notice, record: undefined, session: undefined } : notice,
    ),
  );

/** The event for rules. */
function ruleSteps(scope: EmitScope, part: WebhookPart): Step[] {
  const triggering = triggeringOf(scope.siteId, part);
  if (!triggering) return [];
  return [sql`for_rules as (${recordForRules(scope, triggering, { unless: isOfSpam(scope.siteId, part) })})`];
}

interface RecordedWith {
  /** The change under which the notices are recorded; undefined if there is none to record. */
  change: Change | undefined;
  /** The audit entry as security tools receive it. */
  security: SecurityEvent | undefined;
  /** Whether a syslog server receives it too. */
  toSyslog: boolean;
}

/**
 * Writes everything that belongs to a change into its transaction, in one statement: the audit entry, the marks for
 * reports, the events with their deliveries, and the notices.
 * @returns whether deliveries are due
 */
export async function recordEvent(
  scope: EmitScope,
  event: DomainEvent,
  { change, security, toSyslog }: RecordedWith,
): Promise<boolean> {
  const { notices = [], audit, webhook, counts, recorded } = event;
  const marks = counts === false || recorded ? undefined : markStep(scope, notices);
  const due = event.dues === false || recorded ? undefined : dueStep(scope, notices);
  const everyone = notices.some(isForEveryone);
  const list = sql`${asRecorded(notices)}::jsonb`;
  const steps = [
    ...(audit ? [auditStep(scope, audit)] : []),
    ...(marks ? [marks] : []),
    ...(due ? [due] : []),
    ...(webhook ? [...deliverySteps(scope, webhook, event), ...ruleSteps(scope, webhook)] : []),
    ...(security ? securitySteps(scope, security, toSyslog) : []),
    ...(change ? [sql`recorded as (${recordChange(scope.siteId, change, list, { everyone })})`] : []),
  ];
  if (steps.length === 0) return false;
  const queued = [...(webhook ? ['queued'] : []), ...(security ? ['security_queued'] : [])];
  const delivers = queued.map((step) => sql`exists (select from ${sql.ref(step)})`);
  const { rows } = await sql<{ delivers: boolean }>`${prepared}
    with ${sql.join(steps, sql`, `)}
    select ${delivers.length > 0 ? sql.join(delivers, sql` or `) : sql`false`} as delivers`.execute(scope.db);
  return rows[0]?.delivers ?? false;
}
