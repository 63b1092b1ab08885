import type { InboxSort, Session, StateQueue, TicketSummary } from '@foyer/protocol';
import { INBOX_SORTS, type SortKey, sortKey } from '@foyer/protocol/values/inbox-lists';
import { oneOf } from '../../../address-search.ts';
import { store } from '../../../storage.ts';
import { type InboxSearch, stateQueueOf } from './inbox-search.ts';

/** A queue, or everything. */
type Scope = StateQueue | 'all';
const scopeOf = (queue: StateQueue | undefined): Scope => queue ?? 'all';

const isArchive = (scope: Scope): boolean => scope === 'closed' || scope === 'all';

/** The orders that make sense there, the default first. */
function sortsOf(scope: Scope): readonly InboxSort[] {
  if (isArchive(scope) || scope === 'spam') return ['newest', 'oldest'];
  if (scope === 'snoozed') return ['due', 'newest', 'oldest'];
  return scope === 'waiting'
    ? ['waiting', 'newest', 'oldest', 'priority', 'next_due']
    : ['newest', 'oldest', 'waiting', 'priority', 'next_due'];
}

const keptAs = (agentId: number, scope: Scope): string => `foyer.inbox-sort.${agentId}.${scope}`;

interface Sorting {
  /** Undefined: this list has its own order. */
  choices: readonly InboxSort[] | undefined;
  sort: InboxSort;
}

/** The order of a list: from its address, or the agent's last choice. */
export function sortingOf(search: InboxSearch, agentId: number): Sorting {
  const queue = stateQueueOf(search);
  if (queue === null) return { choices: undefined, sort: 'newest' };
  const scope = scopeOf(queue);
  const choices = sortsOf(scope);
  const wanted = search.sort ?? oneOf(store.getItem(keptAs(agentId, scope)), INBOX_SORTS);
  return { choices, sort: oneOf(wanted, choices) ?? choices[0] ?? 'newest' };
}

export function keepSort(search: InboxSearch, agentId: number, sort: InboxSort): void {
  const queue = stateQueueOf(search);
  if (queue !== null) store.setItem(keptAs(agentId, scopeOf(queue)), sort);
}

const msOf = (utc: string): number => Date.parse(utc);

/** The sort key of a chat. Closed chats are listed by start time, regardless of the order. */
export function chatKey(session: Session, sort: InboxSort, queue: StateQueue | undefined): SortKey {
  const { status, unanswered_since_utc, last_message, started_utc, snoozed_until_utc, sla } = session;
  const startedMs = msOf(started_utc);
  const waits = status === 'waiting' || status === 'active' ? unanswered_since_utc : null;
  return sortKey(sort, {
    kind: 'chat',
    activeMs: isArchive(scopeOf(queue)) || !last_message ? startedMs : msOf(last_message.created_utc),
    createdMs: startedMs,
    waitingSinceMs: waits === null ? undefined : msOf(waits),
    priority: 'normal',
    dueMs: snoozed_until_utc === null ? undefined : msOf(snoozed_until_utc),
    slaDueMs: sla?.due_utc ? msOf(sla.due_utc) : undefined,
  });
}

export function ticketKey(ticket: TicketSummary, sort: InboxSort): SortKey {
  const { status, unanswered_since_utc, snoozed_until_utc, sla } = ticket;
  const waits = status === 'new' || status === 'open' ? unanswered_since_utc : null;
  return sortKey(sort, {
    kind: 'ticket',
    activeMs: msOf(ticket.last_activity_utc),
    createdMs: msOf(ticket.created_utc),
    waitingSinceMs: waits === null ? undefined : msOf(waits),
    priority: ticket.priority,
    dueMs: snoozed_until_utc === null ? undefined : msOf(snoozed_until_utc),
    slaDueMs: sla?.due_utc ? msOf(sla.due_utc) : undefined,
  });
}
