import type { InboxQueue, TicketPriority, TicketStatus } from '@foyer/protocol';
import { TAG_NAME_MAX } from '@foyer/protocol/values/bounds';
import { INBOX_QUEUES } from '@foyer/protocol/values/inbox-queues';
import { TICKET_PRIORITIES, TICKET_STATUSES } from '@foyer/protocol/values/wire-names';
import { given, idOf, oneOf, textOf } from '../../../address-search.ts';
import type { TicketSearch } from '../../../queries.ts';

/** What the address of the inbox says: a queue, or a saved view, or a search over everything. */
export interface InboxSearch {
  queue?: InboxQueue;
  view?: number;
  q?: string;
  status?: TicketStatus;
  priority?: TicketPriority;
  assignee?: number | 'none';
  tag?: string;
}

/** Reads the address; what makes no sense in it counts as not there. */
export const readInboxSearch = (search: Record<string, unknown>): InboxSearch =>
  given<InboxSearch>({
    queue: oneOf(search.queue, INBOX_QUEUES),
    view: idOf(search.view),
    q: textOf(search.q),
    status: oneOf(search.status, TICKET_STATUSES),
    priority: oneOf(search.priority, TICKET_PRIORITIES),
    assignee: search.assignee === 'none' ? 'none' : idOf(search.assignee),
    tag: textOf(search.tag, TAG_NAME_MAX),
  });

/** What the server is asked for tickets by this address. */
export const ticketSearchOf = ({ view, q, status, priority, assignee, tag }: InboxSearch): TicketSearch =>
  given<TicketSearch>({ view, q, status, priority, assignee_id: assignee, tag });

export const filterCount = ({ status, priority, assignee, tag }: InboxSearch): number =>
  [status, priority, assignee, tag].filter((value) => value !== undefined).length;

export const withoutFilters = ({ queue, view, q }: InboxSearch): InboxSearch =>
  given<InboxSearch>({ queue, view, q });

/** Whether a search or a view takes the place of the queue. */
export const isSearching = (search: InboxSearch): boolean =>
  search.view !== undefined || Boolean(search.q) || filterCount(search) > 0;
