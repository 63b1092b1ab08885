import type { SlaPause, SlaTarget } from '@foyer/protocol';
import type { SlaState } from '../db/column-types.ts';

/** What is stored of a ticket's or chat's SLA. */
export interface SlaColumns {
  sla: SlaState | null;
  sla_due_at: Date | null;
  sla_event_at: Date | null;
}

/** What the clock has to report: the time is nearly over, or over. */
export interface SlaEvent {
  kind: 'warning' | 'breached';
  target: SlaTarget;
  due: Date;
}

/** What of a ticket or chat decides about its targets. */
export interface SlaFacts {
  created_at: Date;
  /** The last answer of the team. */
  replied_at: Date | null;
  /** The customer's oldest unanswered message. */
  unanswered_since: Date | null;
  /** When it was solved or closed. */
  solved_at: Date | null;
  /** What may stop the time to resolution. */
  pauses: readonly SlaPause[];
}
