import { z } from 'zod';
import { handoffReason, sender } from '../chat/conversations.ts';
import { REDACTION_TARGETS } from '../chat/redactions.ts';
import { messageAttachment } from '../chat/uploads.ts';
import { fieldValues } from '../fields/fields.ts';
import { reply, replyAuthor, ticketChanges, ticketPriority, ticketStatus } from '../tickets/tickets.ts';
import { URL_MAX, WEBHOOK_DESCRIPTION_MAX } from '../values/bounds.ts';
import { SLA_TARGETS } from '../values/tickets/sla-names.ts';
import { DELIVERY_STATUSES, SECURITY_SEVERITIES, SPAM_REASONS } from '../values/wire-names.ts';
import {
  agentRef,
  deleted,
  id,
  page,
  paging,
  sessionId,
  TIME_FORM,
  teamRef,
  text,
  time,
  utc,
} from '../values.ts';
import { visitorRef } from '../visitors/visitors.ts';
import { auditEntry } from './audit.ts';

const eventVisitor = visitorRef;
const segmentRef = z.object({ id, name: z.string() });

/** How something reached the site: `portal` is the customer's page of a ticket. */
const channel = z.enum(['chat', 'email', 'portal', 'desk', 'api']);
export type EventChannel = z.infer<typeof channel>;
const chatChannel = channel.extract(['chat', 'email']);

const eventMessage = z.object({
  id,
  seq: z.int(),
  sender,
  author: z.object({ id: id.nullable(), name: z.string() }).nullable(),
  text: z.string(),
  attachments: z.array(messageAttachment),
  created_utc: utc,
});

/** A chat, its visitor, and its custom fields that have a value, by key. */
const ofChat = { session_id: sessionId, visitor: eventVisitor, fields: fieldValues };
/** A change of a chat, and the agent who made it; null for time-based changes and for programs without an agent. */
const aboutChat = z.object({ ...ofChat, by: agentRef.nullable() });

const slaEvent = z.object({
  ticket_id: id.nullable(),
  session_id: sessionId.nullable(),
  subject: z.string().nullable(),
  priority: ticketPriority,
  policy: z.object({ id, name: z.string() }),
  target: z.enum(SLA_TARGETS),
  due_utc: utc,
  assignee: agentRef.nullable(),
  team: teamRef.nullable(),
});

/** The fields of each event's body, besides `id`, `event`, `site_id` and `created_utc`, which every event has. */
export const webhookEvents = {
  handoff: z.object({
    session_id: sessionId,
    visitor: eventVisitor,
    handoff_reason: handoffReason,
    summary: z.string(),
  }),
  feedback: z.object({
    session_id: sessionId,
    visitor: eventVisitor,
    rating: z.int(),
    comment: z.string().optional(),
  }),
  conversation_started: z.object({
    ...ofChat,
    page_url: z.string().nullable(),
    /** `email`: the visitor answered a closed chat by email. */
    channel: chatChannel,
  }),
  conversation_closed: z.object({
    ...ofChat,
    closed_by: z.enum(['visitor', 'agent']),
  }),
  /** An unassigned chat got an assignee; `by` is null if routing or a program assigned it. */
  conversation_assigned: aboutChat.extend({ assignee: agentRef, team: teamRef.nullable() }),
  /** From one agent to another, or back to the queue. */
  conversation_transferred: aboutChat.extend({
    from: agentRef,
    to: agentRef.nullable(),
    team: teamRef.nullable(),
  }),
  /** To the bot. */
  conversation_returned: aboutChat,
  /** To a team, to another or to none; the assignee stays. */
  conversation_team_changed: aboutChat.extend({ from: teamRef.nullable(), to: teamRef.nullable() }),
  conversation_tagged: aboutChat.extend({
    tags: z.array(z.string()),
    added: z.array(z.string()),
    removed: z.array(z.string()),
  }),
  /** `{fields.KEY: [before, after]}`, as of tickets. */
  conversation_fields_changed: aboutChat.extend({ changes: ticketChanges }),
  /** Null: the snooze ended, by an agent or by time. */
  conversation_snoozed: aboutChat.extend({ snoozed_until_utc: utc.nullable() }),
  conversation_reopened: aboutChat,
  /** On a chat. Notes on tickets aren't reported. */
  note_created: z.object({
    session_id: sessionId,
    visitor: eventVisitor,
    note: z.object({ id, author: agentRef, text: z.string(), created_utc: utc }),
  }),
  message_created: z.object({
    session_id: sessionId,
    channel: chatChannel,
    message: eventMessage,
  }),
  /** The site's own bot should answer by `answer_by_utc`; otherwise the chat is handed over. */
  bot_turn_requested: z.object({
    session_id: sessionId,
    visitor: eventVisitor,
    verified: z.boolean(),
    language: z.string().nullable(),
    page_url: z.string().nullable(),
    /** Of the newest message. */
    seq: z.int(),
    /** The last messages, oldest first. */
    messages: z.array(eventMessage),
    answer_by_utc: utc,
  }),
  ticket_created: z.object({
    ticket_id: id,
    session_id: sessionId.nullable(),
    subject: z.string(),
    requester: visitorRef,
    channel,
    /** Custom fields that have a value, by key. */
    fields: fieldValues,
  }),
  ticket_updated: z.object({
    ticket_id: id,
    session_id: sessionId.nullable(),
    subject: z.string(),
    status: ticketStatus,
    priority: ticketPriority,
    requester: visitorRef,
    assignee: agentRef.nullable(),
    team: teamRef.nullable(),
    tags: z.array(z.string()),
    fields: fieldValues,
    /** `{field: [before, after]}`, in the ticket's wire format. */
    changes: ticketChanges,
    by: replyAuthor,
  }),
  /** For public replies only: notes are internal. */
  ticket_replied: z.object({
    ticket_id: id,
    session_id: sessionId.nullable(),
    subject: z.string(),
    requester: visitorRef,
    channel,
    reply,
  }),
  /** A ticket is nearly due by its SLA policy. */
  sla_warning: slaEvent,
  /** It is late. */
  sla_breached: slaEvent,
  /** The only event of a chat or ticket while it is spam. One of the two ids is null. */
  spam_changed: z.object({
    session_id: sessionId.nullable(),
    ticket_id: id.nullable(),
    spam: z.boolean(),
    reason: z.enum(SPAM_REASONS).nullable(),
    by: agentRef.nullable(),
  }),
  /**
   * Without the text. `session_id` with `message_id`, or `ticket_id`, with `reply_id` unless it is the first message.
   */
  content_redacted: z.object({
    session_id: sessionId.nullable(),
    ticket_id: id.nullable(),
    message_id: id.nullable(),
    reply_id: id.nullable(),
    target: z.enum(REDACTION_TARGETS),
    by: agentRef.nullable(),
  }),
  /** A security entry of the audit log, without its `id`, which isn't known yet when the event is written. */
  security_event: auditEntry
    .pick({ address: true, subject: true, subject_id: true, label: true, action: true, changes: true })
    .extend({
      /** `warning`: something was refused, or security was weakened. */
      severity: z.enum(SECURITY_SEVERITIES),
      actor: auditEntry.shape.actor.omit({ name: true }),
    }),
  /** A rule or macro called this webhook. One of the two ids is null. */
  webhook_called: z.object({
    session_id: sessionId.nullable(),
    ticket_id: id.nullable(),
    visitor: eventVisitor,
    /** Null if a macro called it. */
    rule_id: id.nullable(),
    by: agentRef.nullable(),
  }),
  visitor_identified: z.object({ visitor: visitorRef }),
  segment_entered: z.object({ visitor: visitorRef, segment: segmentRef }),
  segment_left: z.object({ visitor: visitorRef, segment: segmentRef }),
  ping: z.object({ message: z.string() }),
} as const;

export type WebhookEvent = keyof typeof webhookEvents;
export type WebhookBody<E extends WebhookEvent> = z.infer<(typeof webhookEvents)[E]>;
export const WEBHOOK_EVENTS = Object.keys(webhookEvents) as [WebhookEvent, ...WebhookEvent[]];

/** `ping` is sent to one subscription by the test button; nobody subscribes to it. */
export const SUBSCRIBABLE_EVENTS = WEBHOOK_EVENTS.filter((event) => event !== 'ping');

export const deliveryStatus = z.enum(DELIVERY_STATUSES);

export const webhookSubscription = z.object({
  id,
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  description: z.string().nullable(),
  enabled: z.boolean(),
  disabled_reason: z.string().nullable().describe('Why deliveries were stopped'),
  created_utc: utc,
  updated_utc: utc,
  last_delivery_utc: utc.nullable().describe('Time of the last attempt'),
  /** The first failure since the last success. */
  failing_since_utc: utc.nullable(),
  secret_hint: z.string().describe('The secret’s last four characters'),
});
export type WebhookSubscription = z.infer<typeof webhookSubscription>;
/** `secret` only in the response that creates or rotates it. */
const withSecret = webhookSubscription.extend({ secret: z.string().optional() });

export const deliveryAttempt = z.object({
  number: z.int(),
  at_utc: utc,
  status_code: z.int().nullable().describe('Null if there was no answer'),
  duration_ms: z.int(),
  error: z.string().nullable().describe('Null on success'),
  response_excerpt: z.string().nullable().describe('At most 4 KB'),
  request_headers: z
    .record(z.string(), z.string())
    .nullable()
    .describe('As sent, including signatures; null if nothing was sent'),
});
export type DeliveryAttempt = z.infer<typeof deliveryAttempt>;

export const webhookDelivery = z.object({
  id,
  delivery_id: z.string().describe('The header `X-Service-Delivery`'),
  subscription_id: id,
  event: z.enum(WEBHOOK_EVENTS),
  status: deliveryStatus,
  attempts: z.array(deliveryAttempt),
  next_attempt_utc: utc.nullable(),
  payload: z.json().describe('The body sent'),
  created_utc: utc,
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

/** Attempts within one hour. */
export const webhookHour = z.object({
  hour_utc: utc,
  succeeded: z.int(),
  failed: z.int(),
  mean_duration_ms: z.int(),
});
export type WebhookHour = z.infer<typeof webhookHour>;

const events = z
  .array(z.enum(SUBSCRIBABLE_EVENTS as [WebhookEvent, ...WebhookEvent[]]))
  .min(1, 'must have at least one event')
  .refine((list) => new Set(list).size === list.length, {
    error: 'must not repeat an event',
    params: { reason: 'twice' },
  });
const secret = z
  .string()
  .regex(/^[\x21-\x7e]{16,128}$/, 'must be 16 to 128 printable ASCII characters without spaces');
const url = text(1, URL_MAX);
const description = text(0, WEBHOOK_DESCRIPTION_MAX).nullable().optional();

export const webhookContract = {
  'webhook_subscriptions.list': {
    input: z.strictObject({
      ...paging,
      id: id.optional().describe('Read one subscription instead of a list'),
    }),
    output: z.union([page(webhookSubscription), webhookSubscription]),
  },
  'webhook_subscriptions.create': {
    input: z.strictObject({
      url,
      events,
      description,
      secret: secret.optional().describe('Your own, or generated if omitted. Returned only once'),
    }),
    output: withSecret,
  },
  'webhook_subscriptions.update': {
    input: z.strictObject({
      id,
      url: url.optional(),
      events: events.optional().describe('Replaces the whole list'),
      description,
      enabled: z.boolean().optional().describe('While false, deliveries wait'),
      rotate_secret: z
        .literal(true)
        .optional()
        .describe('Creates a new secret; for 24 hours deliveries are also signed with the old one'),
      secret: secret.optional().describe('Your own new secret; requires `rotate_secret`'),
    }),
    output: withSecret,
  },
  'webhook_subscriptions.delete': { input: z.strictObject({ id }), output: deleted },
  'webhook_subscriptions.test': { input: z.strictObject({ id }), output: webhookDelivery },
  'webhook_deliveries.list': {
    input: z.strictObject({
      ...paging,
      subscription_id: id.optional(),
      status: deliveryStatus.optional(),
      event: z.enum(WEBHOOK_EVENTS).optional(),
      since: time.optional().describe(`At or after this time. ${TIME_FORM}`),
    }),
    output: page(webhookDelivery),
  },
  /** Resends one by `id`, or queues all dead deliveries since a time. */
  'webhook_deliveries.resend': {
    input: z
      .strictObject({
        id: id.optional().describe('Retry one delivery'),
        dead_since: time.optional().describe(`Retry all that are dead since this time. ${TIME_FORM}`),
        subscription_id: id.optional().describe('Only those of this subscription'),
      })
      .refine((input) => (input.id === undefined) !== (input.dead_since === undefined), {
        message: 'either id or dead_since must be given',
        path: ['id'],
      }),
    output: z.union([webhookDelivery, z.object({ queued: z.int() })]),
  },
  'webhook_hours.list': {
    input: z.strictObject({ subscription_id: id, days: z.int().min(1).max(30).default(7) }),
    output: z.object({ hours: z.array(webhookHour) }),
  },
} as const;
