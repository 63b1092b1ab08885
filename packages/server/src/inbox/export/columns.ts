import type { ExportKind, FieldValue } from '@foyer/protocol';
import type { CsvCell } from '../../base/csv.ts';
import type { SessionRow } from '../../conversations/sessions.ts';
import type { TicketRow } from '../../tickets/tickets.ts';

type Columns<Row> = Readonly<Record<string, (row: Row) => CsvCell>>;

const at = (time: Date | null): string | null => time?.toISOString() ?? null;
const listed = (names: readonly string[]): string => names.join(', ');

/** The columns of a ticket, by their names in the header row. */
export const TICKET_COLUMNS: Columns<TicketRow> = {
  id: ({ id }) => id,
  subject: ({ subject }) => subject,
  description: ({ description }) => description,
  status: ({ status }) => status,
  priority: ({ priority }) => priority,
  requester_key: (row) => row.requester_key,
  requester_name: (row) => row.requester_name,
  requester_email: (row) => row.requester_email,
  assignee: (row) => row.assignee_name,
  team: ({ team }) => team?.name ?? null,
  tags: ({ tags }) => listed(tags),
  replies: (row) => row.reply_count,
  created_utc: (row) => at(row.created_at),
  updated_utc: (row) => at(row.updated_at),
  solved_utc: (row) => at(row.solved_at),
  snoozed_until_utc: (row) => at(row.snoozed_until),
  due_utc: (row) => at(row.sla_due_at),
  session_id: (row) => row.session_id,
  external_id: (row) => row.external_id,
};

/** The same of a chat. */
export const CHAT_COLUMNS: Columns<SessionRow> = {
  session_id: (row) => row.session_id,
  status: ({ status }) => status,
  about: ({ about }) => about,
  visitor_key: (row) => row.visitor_key,
  visitor_name: (row) => row.visitor_name,
  visitor_email: (row) => row.visitor_email ?? row.contact_email,
  assignee: (row) => row.agent_name,
  team: ({ team }) => team?.name ?? null,
  tags: ({ tags }) => listed(tags),
  language: ({ language }) => language,
  page_url: (row) => row.page_url,
  rating: ({ rating }) => rating,
  handoff_reason: (row) => row.handoff_reason,
  started_utc: (row) => at(row.started_at),
  ended_utc: (row) => at(row.ended_at),
  last_message_utc: (row) => at(row.last_message_at),
  snoozed_until_utc: (row) => at(row.snoozed_until),
  due_utc: (row) => at(row.sla_due_at),
  ticket_id: (row) => row.ticket_id,
};

/** A custom field's value: as an import reads it. */
export function fieldCell(value: FieldValue | undefined): CsvCell {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  // An import tells choices apart by semicolons, because a choice may have commas.
  return Array.isArray(value) ? value.join('; ') : value;
}

/** The names of the columns in their order, without custom fields. */
export const namesOf = (kind: ExportKind): string[] =>
  Object.keys(kind === 'tickets' ? TICKET_COLUMNS : CHAT_COLUMNS);
