import type { TicketHistoryEntry } from '@foyer/protocol';

const ACTIONS: Record<string, string> = {
  created: 'made the ticket',
  replied: 'answered',
  noted: 'left a note',
  woken: 'woke it',
  snoozed: 'snoozed it',
  closed: 'closed it',
  deleted: 'deleted it',
  merged: 'merged it',
};

const FIELDS: Record<string, string> = {
  subject: 'the subject',
  status: 'the status',
  priority: 'the priority',
  assignee: 'the assignee',
  tags: 'the tags',
  external_id: 'the external id',
  snoozed_until_utc: 'the snooze',
};

function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  if (typeof value === 'object') return 'name' in value ? String(value.name) : JSON.stringify(value);
  return String(value);
}

/** What somebody did to a ticket, behind their name. */
export function historyWords({ action, changes }: TicketHistoryEntry): string {
  const done = ACTIONS[action];
  if (done) return done;
  const parts = Object.entries(changes).map(
    ([field, [before, after]]) =>
      `${FIELDS[field] ?? field} from ${valueWords(before)} to ${valueWords(after)}`,
  );
  return parts.length > 0 ? `changed ${parts.join(', ')}` : action;
}
