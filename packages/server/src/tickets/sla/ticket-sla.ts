import type { SlaPause } from '@foyer/protocol';
import type { SiteContext } from '../../core/context.ts';
import { notifyDue, settleDue } from '../../notifications/notify.ts';
import { type SlaResult, slaAfter } from '../../sla/due-times.ts';
import { findPolicy } from '../../sla/standing.ts';
import type { SlaColumns } from '../../sla/state.ts';
import { assigneeOf, type TicketRow } from '../tickets.ts';

/** The fields that decide about a ticket's targets, besides its tags. */
const DECIDING = [
  'status',
  'priority',
  'team_id',
  'snoozed_until',
  'unanswered_since',
  'replied_at',
  'spam_at',
] as const satisfies readonly (keyof TicketRow)[];

const same = (one: unknown, other: unknown): boolean =>
  one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other;

/** Whether a change may move the due times. */
export const movesSla = (before: TicketRow, after: TicketRow): boolean =>
  before.tags !== after.tags || DECIDING.some((field) => !same(before[field], after[field]));

function pausesOf({ status, snoozed_until }: TicketRow): SlaPause[] {
  const byStatus = status === 'pending' || status === 'hold' ? [status] : [];
  return snoozed_until === null ? byStatus : [...byStatus, 'snoozed'];
}

/** The ticket's SLA state according to this row. Undefined: it has no due times, and gets none. */
export async function slaOfTicket(
  tx: SiteContext,
  row: TicketRow,
  now: Date,
): Promise<SlaResult | undefined> {
  if (row.sla_version === 0) return undefined;
  const counts = row.spam_at === null && !row.is_imported;
  const applying = counts
    ? await findPolicy(tx, row.sla_version, {
        kind: 'tickets',
        priority: row.priority,
        teamId: row.team_id,
        tags: row.tags,
        visitorId: row.requester_id,
      })
    : undefined;
  if (!applying && !row.sla) return undefined;
  return slaAfter(row.sla, applying, { ...row, pauses: pausesOf(row) }, now);
}

/** The columns for a statement. */
export const storedSla = ({ sla, ...times }: SlaColumns) => ({ ...times, sla: sla && JSON.stringify(sla) });

/** Stores the due times of a locked ticket; the row gets them too. */
export async function writeTicketSla(
  tx: SiteContext,
  row: TicketRow,
  columns: SlaColumns,
): Promise<TicketRow> {
  await tx.db
    .updateTable('tickets')
    .set(storedSla(columns))
    .where('site_id', '=', tx.site.id)
    .where('id', '=', row.id)
    .execute();
  return { ...row, ...columns };
}

/**
 * Reports targets that are nearly due or late: in the ticket's history, to webhooks, to the desk and to those
 * concerned.
 */
export async function reportTicketSla(
  tx: SiteContext,
  row: TicketRow,
  { events, isSettled }: SlaResult,
): Promise<void> {
  if (isSettled) await settleDue(tx, { ticketId: row.id });
  if (!row.sla) return;
  const asClock = tx.as({ kind: 'job' });
  for (const { kind, target, due } of events) {
    const due_utc = due.toISOString();
    await asClock.emit({
      audit: {
        subject: 'ticket',
        subjectId: row.id,
        action: `sla_${kind}`,
        changes: { [target]: [null, due_utc] },
      },
      notices: [{ kind: 'ticket', ticketId: row.id }],
      webhook: {
        event: `sla_${kind}`,
        body: {
          ticket_id: row.id,
          session_id: row.session_id,
          subject: row.subject,
          priority: row.priority,
          policy: row.sla.policy,
          target,
          due_utc,
          assignee: assigneeOf(row),
          team: row.team,
        },
      },
    });
    await notifyDue(asClock, `sla_${kind}`, {
      assigneeId: row.assignee_id,
      teamId: row.team_id,
      ticketId: row.id,
    });
  }
}

/** Computes and stores the due times of a locked ticket. @returns the row with them */
export async function renewTicketSla(tx: SiteContext, row: TicketRow): Promise<TicketRow> {
  const result = await slaOfTicket(tx, row, tx.now());
  if (!result) return row;
  const after = await writeTicketSla(tx, row, result.columns);
  await reportTicketSla(tx, after, result);
  return after;
}
