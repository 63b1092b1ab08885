import {
  type FieldChanges,
  type FieldValues,
  TICKET_TAGS_MAX,
  type TicketChanges,
  type TicketPriority,
  type TicketRouting,
  type TicketStatus,
} from '@foyer/protocol';
import { invalidInput } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { notify, notifyTeam, settleTicket } from '../notifications/notify.ts';
import { assignableAgent } from '../sites/agents/assignable.ts';
import { checkRequired, fieldsBetween, readChanges } from '../sites/fields/field-values.ts';
import { changedTexts } from '../sites/fields/field-words.ts';
import { writeFields } from '../sites/fields/stored-values.ts';
import { holdTeam } from '../sites/teams/assignable.ts';
import { authorOf } from './replies/authors.ts';
import { renewWords } from './search/search.ts';
import { movesSla, reportTicketSla, slaOfTicket, storedSla } from './sla/ticket-sla.ts';
import { changeByHand, isSolved, settled, touched } from './states.ts';
import { sameTags, setTicketTags } from './tags/ticket-tags.ts';
import { assigneeOf, presentTicket, requesterOf, type TicketRow } from './tickets.ts';

/** What a person, a token, a bulk change or a macro may change. Absent fields stay. */
export interface TicketChange {
  subject?: string | undefined;
  status?: TicketStatus | undefined;
  priority?: TicketPriority | null | undefined;
  assignee_id?: number | null | undefined;
  /** Null: no team. */
  team_id?: number | null | undefined;
  /** The exact tags; `add_tags` and `remove_tags` are applied afterwards. */
  tags?: string[] | null | undefined;
  add_tags?: string[] | undefined;
  remove_tags?: string[] | undefined;
  external_id?: string | null | undefined;
  /** Null clears a field. */
  fields?: FieldChanges | undefined;
}

const AUDITED = [
  'subject',
  'status',
  'priority',
  'assignee',
  'team',
  'tags',
  'external_id',
  'snoozed_until_utc',
] as const;

/** The fields whose values changed, in wire format. */
function changesBetween(before: TicketRow, after: TicketRow): TicketChanges {
  const [old, now] = [presentTicket(before), presentTicket(after)];
  const changed = AUDITED.filter((field) => JSON.stringify(old[field]) !== JSON.stringify(now[field]));
  return {
    ...Object.fromEntries(changed.map((field) => [field, [old[field], now[field]]])),
    ...fieldsBetween(before.fields, after.fields),
  };
}

/** Why a ticket was changed, for its history. */
export interface Cause {
  action: string;
  routing?: TicketRouting;
}

/** Records and emits the change of a ticket; does nothing if nothing changed. */
export async function reportChange(
  tx: SiteContext,
  before: TicketRow,
  after: TicketRow,
  { action, routing }: Cause = { action: 'updated' },
): Promise<void> {
  const changes = changesBetween(before, after);
  if (Object.keys(changes).length === 0) return;
  await tx.emit({
    audit: {
      subject: 'ticket',
      subjectId: after.id,
      action,
      changes: { ...changes, ...(routing && { routing: [null, routing] }) },
    },
    notices: [{ kind: 'ticket', ticketId: after.id }],
    webhook: {
      event: 'ticket_updated',
      body: {
        ticket_id: after.id,
        session_id: after.session_id,
        subject: after.subject,
        status: after.status,
        priority: after.priority,
        requester: requesterOf(after),
        assignee: assigneeOf(after),
        team: after.team,
        tags: after.tags,
        fields: after.fields,
        changes,
        by: await authorOf(tx),
      },
    },
  });
}

type Written = Partial<
  Pick<
    TicketRow,
    | 'subject'
    | 'status'
    | 'priority'
    | 'assignee_id'
    | 'team_id'
    | 'external_id'
    | 'snoozed_until'
    | 'reply_count'
    | 'merged_into_id'
    | 'unread_since'
    | 'last_activity_at'
    | 'unanswered_since'
    | 'replied_at'
  >
>;

/**
 * Writes columns of a locked ticket, and those that depend on its status or are due times. The tags of `row` may be new.
 * @returns the row afterwards; the caller fills in the names of referenced records
 */
export async function writeTicket(
  tx: SiteContext,
  row: TicketRow,
  written: Written,
  tags = row.tags,
): Promise<TicketRow> {
  const now = tx.now();
  const wanted = { ...row, ...written, tags };
  const columns = { ...written, ...settled(wanted, wanted.status, now), updated_at: now };
  const after = { ...wanted, ...columns };
  const sla = movesSla(row, after) ? await slaOfTicket(tx, after, now) : undefined;
  await tx.db
    .updateTable('tickets')
    .set({ ...columns, ...(sla && storedSla(sla.columns)) })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', row.id)
    .execute();
  if (!sla) return after;
  const due = { ...after, ...sla.columns };
  await reportTicketSla(tx, due, sla);
  return due;
}

const folded = (name: string): string => name.toLowerCase();

/** The resulting tag names. @throws AppError 400 for too many */
function tagsAfter(row: TicketRow, { tags, add_tags = [], remove_tags = [] }: TicketChange): string[] {
  const names = new Map((tags === undefined ? row.tags : (tags ?? [])).map((name) => [folded(name), name]));
  for (const name of add_tags) if (!names.has(folded(name))) names.set(folded(name), name);
  for (const name of remove_tags) names.delete(folded(name));
  if (names.size > TICKET_TAGS_MAX && names.size > row.tags.length) {
    const message = `must have at most ${TICKET_TAGS_MAX} tags, those already set included`;
    throw invalidInput([{ path: 'tags', message, reason: 'too_many', values: { count: TICKET_TAGS_MAX } }]);
  }
  return [...names.values()];
}

/** Without values that the ticket already has. */
function onlyNew(row: TicketRow, written: Written): Written {
  const fields = Object.entries(written).filter(([field, value]) => row[field as keyof TicketRow] !== value);
  return Object.fromEntries(fields);
}

/**
 * Whether the team may set this status by its required fields.
 * @throws AppError 400 that names those without a value, if the ticket becomes solved
 */
export async function checkSolvable(
  tx: SiteContext,
  row: TicketRow,
  status: TicketStatus,
  fields: FieldValues = row.fields,
): Promise<void> {
  if (status === 'solved' && row.status !== 'solved') await checkRequired(tx, 'tickets', fields);
}

/**
 * Changes a locked ticket by hand, checks the state machine, and reports it once; without any change, nothing is
 * reported.
 * @throws AppError 409 that names both states, 404 for an unknown agent, 400 for too many tags, for a field’s wrong
 * value, and if it is solved without a required one
 */
export async function changeTicket(
  tx: SiteContext,
  row: TicketRow,
  change: TicketChange,
  cause?: Cause,
): Promise<TicketRow> {
  const { subject, priority, assignee_id, team_id, external_id } = change;
  const assignee =
    assignee_id === undefined || assignee_id === null || assignee_id === row.assignee_id
      ? undefined
      : await assignableAgent(tx, assignee_id);
  const team = team_id && team_id !== row.team_id ? await holdTeam(tx, team_id) : undefined;
  const status = change.status === undefined ? row.status : changeByHand(row.status, change.status);
  const written = onlyNew(row, {
    status: assignee ? touched(status) : status,
    ...(subject === undefined ? {} : { subject }),
    ...(priority === undefined ? {} : { priority: priority ?? 'normal' }),
    ...(assignee_id === undefined ? {} : { assignee_id }),
    ...(team_id === undefined ? {} : { team_id }),
    ...(external_id === undefined ? {} : { external_id }),
  });
  const tags = tagsAfter(row, change);
  const retags = !sameTags(tags, row.tags);
  const fields = await readChanges(tx, 'tickets', row.fields, change.fields);
  await checkSolvable(tx, row, status, fields.after);
  if (Object.keys(written).length === 0 && !retags && fields.changed.length === 0) return row;
  const tagged = retags ? await setTicketTags(tx, row, tags) : row.tags;
  const after = await writeTicket(tx, row, written, tagged);
  await writeFields(tx, 'tickets', row.id, fields);
  after.fields = fields.after;
  if (assignee_id !== undefined)
    after.assignee_name = assignee?.name ?? (assignee_id ? row.assignee_name : null);
  if (written.team_id !== undefined) after.team = team ?? null;
  if (written.subject !== undefined || changedTexts(fields)) await renewWords(tx, row.id);
  if (written.assignee_id !== undefined) await settleTicket(tx, row.id, after.assignee_id);
  if (assignee) await notify(tx, { kind: 'ticket_assigned', agentIds: [assignee.id], ticketId: row.id });
  const isOffered = written.assignee_id !== undefined || written.team_id !== undefined;
  if (isOffered && after.assignee_id === null && !isSolved(after.status))
    await notifyTeam(tx, row.id, after.team_id);
  await reportChange(tx, row, after, cause);
  return after;
}
