import type { SlaPause, SlaTarget } from '@foyer/protocol';
import type { SlaState } from '../db/column-types.ts';

/** The stored SLA columns of a ticket or chat. */
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

/** The values of a ticket or chat that decide about its targets. */
export interface SlaFacts {
  created_at: Date;
  /** The last answer of the team. */
  replied_at: Date | null;
  /** The customer's oldest unanswered message. */
  unanswered_since: Date | null;
  /** When it was solved or closed. */
  solved_at: Date | null;
  /** What pauses the time to resolution. */
  pauses: readonly SlaPause[];
}
