import { sql } from 'kysely';
import { jsonRows, prepared } from '../db/prepared.ts';
import { isForEveryone, recordChange } from './changes.ts';
import type { AuditPart, Change, DomainEvent, EmitScope } from './domain-event.ts';
import { asRecorded, dueStep, markStep, type Step } from './event-record.ts';
import { auditActor } from './security-events.ts';

/** Events that can be recorded together: without the parts that only some events have. */
export type PlainEvent = Pick<DomainEvent, 'notices' | 'webhook' | 'audit'>;

function auditRow({ actor: caller }: EmitScope, part: AuditPart) {
  const { subject, subjectId, action, label = null, changes = {}, actor = caller } = part;
  const { kind, id } = auditActor(actor);
  return { actor_kind: kind, actor_id: id, subject, subject_id: subjectId, action, label, changes };
}

const auditsStep = ({ siteId, now, address, ...scope }: EmitScope, parts: readonly AuditPart[]): Step =>
  sql`audited as (
      insert into audit_entries
        (site_id, actor_kind, actor_id, subject, subject_id, action, label, address, changes, created_at)
      select ${siteId}::bigint, actor_kind, actor_id, subject, subject_id, action, label, ${address}::text, changes,
        ${now}::timestamptz
      from ${jsonRows(parts.map((part) => auditRow({ siteId, now, address, ...scope }, part)))} as a (
        actor_kind text, actor_id bigint, subject text, subject_id bigint, action text, label text, changes jsonb)
    )`;

/**
 * Writes everything that belongs to several changes into their transaction, in one statement, except webhooks and
 * rules.
 * @returns whether a subscription, a stream or a rule waits for one of their events
 */
export async function recordTogether(
  scope: EmitScope,
  events: readonly PlainEvent[],
  change: Change | undefined,
): Promise<boolean> {
  const { siteId, now } = scope;
  const audits = events.flatMap(({ audit }) => audit ?? []);
  const notices = events.flatMap((event) => event.notices ?? []);
  const names = [...new Set(events.flatMap(({ webhook }) => webhook?.event ?? []))];
  const marks = markStep(scope, notices);
  const dues = dueStep(scope, notices);
  const everyone = notices.some(isForEveryone);
  const list = sql`${asRecorded(notices)}::jsonb`;
  const steps = [
    ...(audits.length > 0 ? [auditsStep(scope, audits)] : []),
    ...(marks ? [marks] : []),
    ...(dues ? [dues] : []),
    ...(change ? [sql`recorded as (${recordChange(siteId, change, list, { everyone })})`] : []),
  ];
  const { rows } = await sql<{ is_heard: boolean }>`${prepared}
    ${steps.length > 0 ? sql`with ${sql.join(steps, sql`, `)}` : sql``}
    select exists (
      select from webhook_subscriptions
      where site_id = ${siteId} and disabled_at is null and events && ${names}::text[]
    ) or exists (
      select from stream_recordings where site_id = ${siteId} and kept_until > ${now}
    ) or exists (
      select from rules where site_id = ${siteId} and enabled_at is not null and events && ${names}::text[]
    ) as is_heard`.execute(scope.db);
  return names.length > 0 && rows[0]?.is_heard === true;
}
