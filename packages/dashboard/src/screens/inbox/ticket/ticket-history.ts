import type { TicketHistoryEntry } from '@foyer/protocol';
import { TICKET_PRIORITIES, TICKET_STATUSES } from '@foyer/protocol/values/wire-names';
import { formatList } from '../../../language.ts';
import { ticketReasons } from '../routing/reasons.ts';
import { t } from './t.ts';
import { priorityWord, statusWord } from './ticket-words.ts';

type Done =
  | 'created'
  | 'replied'
  | 'reply_undone'
  | 'split'
  | 'noted'
  | 'woken'
  | 'snoozed'
  | 'marked_spam'
  | 'unmarked_spam'
  | 'closed'
  | 'deleted'
  | 'merged'
  | 'sla_warning'
  | 'sla_breached'
  | 'portal_link_created'
  | 'portal_link_revoked';
type Field =
  | 'subject'
  | 'status'
  | 'priority'
  | 'assignee'
  | 'team'
  | 'tags'
  | 'external_id'
  | 'snoozed_until_utc';

const DONE: Record<Done, true> = {
  created: true,
  replied: true,
  reply_undone: true,
  split: true,
  noted: true,
  woken: true,
  snoozed: true,
  marked_spam: true,
  unmarked_spam: true,
  closed: true,
  deleted: true,
  merged: true,
  sla_warning: true,
  sla_breached: true,
  portal_link_created: true,
  portal_link_revoked: true,
};
const FIELDS: Record<Field, true> = {
  subject: true,
  status: true,
  priority: true,
  assignee: true,
  team: true,
  tags: true,
  external_id: true,
  snoozed_until_utc: true,
};
const isDone = (action: string): action is Done => Object.hasOwn(DONE, action);
const isField = (field: string): field is Field => Object.hasOwn(FIELDS, field);

function valueWords(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return t('history_none');
  if (Array.isArray(value)) return value.length === 0 ? t('history_none') : formatList(value.map(String));
  if (typeof value === 'boolean') return t(value ? 'history_yes' : 'history_no');
  if (typeof value === 'object') return 'name' in value ? String(value.name) : JSON.stringify(value);
  const status = field === 'status' && TICKET_STATUSES.find((one) => one === value);
  if (status) return statusWord(status);
  const priority = field === 'priority' && TICKET_PRIORITIES.find((one) => one === value);
  return priority ? priorityWord(priority) : String(value);
}

/** What routing did, whose changes need a reason. */
function routingWords({ action, changes, routing }: TicketHistoryEntry): string | undefined {
  const [before, after] = changes.assignee ?? [null, null];
  if (action === 'routed' && routing)
    return t('history_routed', { name: valueWords('assignee', after), reasons: ticketReasons(routing) });
  if (action === 'not_routed' && routing) return t('history_not_routed', { needs: ticketReasons(routing) });
  if (action === 'agent_removed' || action === 'left_team')
    return t(`history_${action}`, { name: valueWords('assignee', before) });
  return undefined;
}

/** What somebody did to a ticket, to follow their name. */
export function historyWords(entry: TicketHistoryEntry): string {
  const { action, changes } = entry;
  const routed = routingWords(entry);
  if (routed) return routed;
  if (isDone(action)) return t(`history_${action}`);
  const parts = Object.entries(changes).map(([field, [before, after]]) =>
    t('history_change', {
      field: isField(field) ? t(`field_${field}`) : field.replace(/^fields\./, ''),
      before: valueWords(field, before),
      after: valueWords(field, after),
    }),
  );
  return parts.length > 0 ? t('history_changed', { changes: formatList(parts) }) : action;
}
