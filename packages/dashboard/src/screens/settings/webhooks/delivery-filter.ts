import type { DeliveryStatus, WebhookEvent } from '@foyer/protocol';
import { HOUR_MS } from '@foyer/protocol/values/durations';
import { timeBefore } from '../../../times.ts';

/** Time spans in the address. */
const SINCE_MS = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
} as const;
export type Since = keyof typeof SINCE_MS;
export const SINCE_CHOICES = Object.keys(SINCE_MS) as Since[];

/** Whether an address contains a known span. */
export const isSince = (value: unknown): value is Since =>
  typeof value === 'string' && Object.hasOwn(SINCE_MS, value);

/** The start of a span, in the API's form. */
export const sinceTime = (since: Since, now = Date.now()): string => timeBefore(SINCE_MS[since], now);

/** Written out, because the protocol's list would bring its schemas into the first load. */
const EVENTS_KNOWN: Readonly<Record<WebhookEvent, true>> = {
  handoff: true,
  feedback: true,
  conversation_started: true,
  conversation_closed: true,
  conversation_assigned: true,
  conversation_transferred: true,
  conversation_returned: true,
  conversation_team_changed: true,
  conversation_tagged: true,
  conversation_fields_changed: true,
  conversation_snoozed: true,
  conversation_reopened: true,
  note_created: true,
  message_created: true,
  bot_turn_requested: true,
  ticket_created: true,
  ticket_updated: true,
  ticket_replied: true,
  sla_warning: true,
  sla_breached: true,
  spam_changed: true,
  content_redacted: true,
  security_event: true,
  webhook_called: true,
  visitor_identified: true,
  segment_entered: true,
  segment_left: true,
  ping: true,
};
export const WEBHOOK_EVENTS = Object.keys(EVENTS_KNOWN) as WebhookEvent[];

/** The filter of a delivery log. */
export interface DeliveryFilter {
  status?: DeliveryStatus;
  event?: WebhookEvent;
  since?: Since;
}
