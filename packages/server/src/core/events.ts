import { randomBytes } from 'node:crypto';
import type { AuditSubject, DraftKind, Message, WebhookBody, WebhookEvent } from '@foyer/protocol';
import { sql } from 'kysely';
import { createCounter } from '../base/counters.ts';
import type { Db } from '../db/database.ts';
import type { Actor } from './actor.ts';

/** What changed, for every process. It only says where to look; the database has the data. */
export type Notice =
  /**
   * `record` exists only within this process: it saves subscribers that are up to date from reading the message
   * again.
   */
  | { kind: 'message'; sessionId: string; seq: number; record?: Message }
  | { kind: 'session'; sessionId: string }
  | { kind: 'note'; sessionId: string; noteId: number }
  | { kind: 'ticket'; ticketId: number }
  /** An agent's own draft in one chat or ticket; without a version, it was deleted. */
  | {
      kind: 'draft';
      agentId: number;
      sessionId: string | null;
      ticketId: number | null;
      draftKind: DraftKind;
      version: number | null;
    }
  | { kind: 'deliveries' }
  | { kind: 'tokens' }
  | { kind: 'site' }
  | { kind: 'agents' }
  /** Many records changed at once, by an import or a bulk change: desks reload everything they show. */
  | { kind: 'lists' }
  /** An inbox view changed: a private one of this agent, or a shared one. */
  | { kind: 'views'; agentId: number | null }
  /** A visitor came to the site, changed the page or left. */
  | { kind: 'visitors_here' }
  /** All of a person's sign-in sessions ended, from within one of their sites. */
  | { kind: 'signed_out'; userId: string }
  | { kind: 'visitor'; visitorId: number }
  /** A guest has sent something: the browser with this token (hashed) has a record now. */
  | { kind: 'device'; token: string; visitorId: number; deviceId: number }
  /** These notifications were updated or deleted. */
  | { kind: 'notified'; ids: readonly number[] };

const messages = createCounter('foyer_messages_total', 'Messages stored by this process, by sender', [
  'sender',
]);

type WebhookPart = { [E in WebhookEvent]: { event: E; body: WebhookBody<E> } }[WebhookEvent];

/** What the audit log stores about a change: the record, the action, and the changed fields. */
interface AuditPart {
  /** The kind of record and its id; null for a record without a number. */
  subject: 'ticket' | AuditSubject;
  subjectId: number | null;
  /** The record's name, for when the record no longer exists. */
  label?: string | null;
  /** The operation's name; for tickets, a past participle: `created`, `updated`, `replied`. */
  action: string;
  /** `{field: [before, after]}` in wire format, without long texts. */
  changes?: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
  /** The author, if it isn't the caller: a person who accepts an invitation is nobody until then. */
  actor?: Actor;
}

/** A change as its domain reports it: notices inform the team and the visitor, a webhook informs receivers. */
export interface DomainEvent {
  notices?: Notice[];
  webhook?: WebhookPart;
  audit?: AuditPart;
  /** The time of the record that a log has of it, for the webhook to bear: a receiver asks the log by that time (`since`). */
  at?: Date;
  /** False: reports need not count the record anew, because it was only read or what changed is in no sum. */
  counts?: false;
  /** The webhook goes to this subscription alone, whatever it subscribed to: the test button's `ping`. */
  onlyTo?: number;
}

interface EmitScope {
  siteId: number;
  actor: Actor;
  db: Db;
  now: Date;
  /** Where the caller is. */
  address: string | null;
}

export interface Emitted {
  emit(scope: EmitScope, event: DomainEvent, afterCommit: (tell: () => void) => void): Promise<void>;
}

const newEventId = (): string => `evt_${randomBytes(16).toString('base64url')}`;
const newDeliveryPrefix = (): string => `dlv_${randomBytes(12).toString('base64url')}`;

/** The bytes that every attempt sends: flat JSON of `id`, `event`, `site_id`, the event's fields and `created_utc`. */
export function eventBody(id: string, siteId: number, now: Date, { event, body }: WebhookPart): Buffer {
  return Buffer.from(JSON.stringify({ id, event, site_id: siteId, ...body, created_utc: now.toISOString() }));
}

/**
 * Writes the event and a delivery for each subscription in the transaction of the change, so there is no change without
 * its event and no event without its change. Writes nothing if nobody subscribed.
 */
async function writeDeliveries(
  { siteId, db, now }: EmitScope,
  part: WebhookPart,
  { onlyTo, at = now }: DomainEvent,
): Promise<boolean> {
  const id = newEventId();
  const chosen = onlyTo === undefined ? sql`${part.event} = any (events)` : sql`id = ${onlyTo}`;
  const { rows } = await sql`
    with receivers as materialized (
      select id from webhook_subscriptions
      where site_id = ${siteId} and disabled_at is null and ${chosen}
    ), event as (
      insert into webhook_events (site_id, id, event, body, created_at)
      select ${siteId}, ${id}, ${part.event}, ${eventBody(id, siteId, at, part)}, ${now}
      where exists (select from receivers)
    ), delivery as (
      insert into webhook_deliveries (site_id, delivery_id, event_id, subscription_id, created_at)
      select ${siteId}, ${newDeliveryPrefix()} || '_' || id, ${id}, id, ${now} from receivers
      returning id, subscription_id
    )
    insert into webhook_queue (site_id, delivery_id, subscription_id, next_attempt_at)
    select ${siteId}, id, subscription_id, ${now} from delivery returning delivery_id`.execute(db);
  return rows.length > 0;
}

/** Who acts, as the audit log keeps it; a name may change, so it is looked up when the log is read. */
function auditActor(actor: Actor): number | null {
  if (actor.kind === 'agent') return actor.agentId;
  if (actor.kind === 'token') return actor.tokenId;
  return actor.kind === 'visitor' ? actor.visitorId : null;
}

async function writeAudit(scope: EmitScope, part: AuditPart): Promise<void> {
  const { siteId, db, now, address } = scope;
  const actor = part.actor ?? scope.actor;
  await db
    .insertInto('audit_entries')
    .values({
      site_id: siteId,
      actor_kind: actor.kind,
      actor_id: auditActor(actor),
      subject: part.subject,
      subject_id: part.subjectId,
      action: part.action,
      label: part.label ?? null,
      address,
      changes: JSON.stringify(part.changes ?? {}),
      created_at: now,
    })
    .execute();
}

/** The record that a notice is about, where reports count it: of messages those of the bot and the team. */
function countedRecord(notice: Notice): string | undefined {
  if (notice.kind === 'session') return notice.sessionId;
  if (notice.kind === 'ticket') return String(notice.ticketId);
  const sender = notice.kind === 'message' ? notice.record?.sender : undefined;
  return notice.kind === 'message' && (sender === 'bot' || sender === 'agent') ? notice.sessionId : undefined;
}

/** Marks what reports have to count anew, in the transaction of the change: no change is left out, and none is lost. */
async function writeMarks({ siteId, db }: EmitScope, { notices = [], counts }: DomainEvent): Promise<void> {
  if (counts === false) return;
  const records = new Set(notices.map(countedRecord).filter((record) => record !== undefined));
  if (records.size === 0) return;
  const marks = [...records].map((record) => ({ site_id: siteId, record }));
  await db.insertInto('report_dirty_records').values(marks).execute();
}

/** The one way in which a change becomes known. */
export function createEmitter(tell: (siteId: number, notice: Notice) => void): Emitted {
  return {
    async emit(scope, event, afterCommit) {
      if (event.audit) await writeAudit(scope, event.audit);
      await writeMarks(scope, event);
      const delivers = event.webhook ? await writeDeliveries(scope, event.webhook, event) : false;
      const notices = [...(event.notices ?? []), ...(delivers ? [{ kind: 'deliveries' } as const] : [])];
      if (notices.length === 0) return;
      afterCommit(() => {
        for (const notice of notices) {
          if (notice.kind === 'message' && notice.record) messages.add(1, notice.record.sender);
          tell(scope.siteId, notice);
        }
      });
    },
  };
}
