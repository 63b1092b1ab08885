import type { AuditSubject, DraftKind, Message, Session, WebhookBody, WebhookEvent } from '@foyer/protocol';
import type { Db } from '../db/database.ts';
import type { Actor } from './actor.ts';

/** What changed, for every process. Notices say where to look; some contain the changed record. */
export type Notice =
  /**
   * `record` saves subscribers that are up to date from reading the message again, and `session` the desks' lists from
   * reading the chat: as it is with this message.
   */
  | {
      kind: 'message';
      sessionId: string;
      seq: number;
      record?: Message | undefined;
      session?: Session | undefined;
    }
  | { kind: 'session'; sessionId: string }
  /** Messages of the chat were redacted: browsers that have them receive them again. */
  | { kind: 'redacted'; sessionId: string }
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
  /** The suspended mails have changed. */
  | { kind: 'suspended' }
  /** A visitor came to the site, changed the page or left. */
  | { kind: 'visitors_here' }
  /** All of a person's sign-in sessions ended, from within one of their sites. */
  | { kind: 'signed_out'; userId: string }
  | { kind: 'visitor'; visitorId: number }
  /** A guest has sent a message: the browser with this token (hashed) has a record now. */
  | { kind: 'device'; token: string; visitorId: number; deviceId: number }
  /** These notifications of these agents were updated or deleted. */
  | { kind: 'notified'; ids: readonly number[]; agentIds?: readonly number[] | undefined };

/** Identifies a change: the process that made it, and its number there. */
export interface Change {
  node: string;
  n: number;
}

export type WebhookPart = { [E in WebhookEvent]: { event: E; body: WebhookBody<E> } }[WebhookEvent];

/** What the audit log stores about a change: the record, the action, and the changed fields. */
export interface AuditPart {
  /** The kind of record and its id; null for a record without a number. */
  subject: 'ticket' | AuditSubject;
  subjectId: number | null;
  /** The record's name, for when the record no longer exists. */
  label?: string | null;
  /** The operation's name; for tickets, a past participle: `created`, `updated`, `replied`. */
  action: string;
  /** `{field: [before, after]}` in wire format, without long texts. */
  changes?: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
  /** The author, if it isn't the caller: a person who accepts an invitation isn't known before. */
  actor?: Actor;
}

/** A change as its domain reports it: notices inform the team and the visitor, a webhook informs receivers. */
export interface DomainEvent {
  notices?: Notice[];
  webhook?: WebhookPart;
  audit?: AuditPart;
  /** The time of the record in its log, for the webhook: receivers query the log from that time (`since`). */
  at?: Date;
  /** False: reports need not recount the record, because it was only read or the change is in no sum. */
  counts?: false;
  /** False: the change is a result of computing a chat's due times, so these aren't computed again. */
  dues?: false;
  /** The caller's own statement has recorded the notices as this change, and marked the records for reports. */
  recorded?: Change;
  /** The webhook goes to this subscription alone, whatever it subscribed to: the test button's `ping`. */
  onlyTo?: number;
}

/** The rules that led to a change, in order, and the event that the last of them ran on. */
export interface RuleCause {
  readonly eventId: number;
  readonly chain: readonly number[];
}

export interface EmitScope {
  siteId: number;
  actor: Actor;
  db: Db;
  now: Date;
  /** The caller's address. */
  address: string | null;
  /** Set for changes that a rule makes. */
  cause?: RuleCause | undefined;
}
