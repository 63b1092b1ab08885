import type { InboxQueue, TicketPriority, TicketStatus } from '@foyer/protocol';
import type { TicketSearch } from '../../queries.ts';

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

const QUEUES: Record<InboxQueue, true> = {
  waiting: true,
  mine: true,
  unassigned: true,
  open: true,
  snoozed: true,
  closed: true,
};
const STATUSES: Record<TicketStatus, true> = {
  new: true,
  open: true,
  pending: true,
  hold: true,
  solved: true,
  closed: true,
};
const PRIORITIES: Record<TicketPriority, true> = { low: true, normal: true, high: true, urgent: true };

const oneOf = <T extends string>(value: unknown, allowed: Readonly<Record<T, unknown>>): T | undefined =>
  typeof value === 'string' && Object.hasOwn(allowed, value) ? (value as T) : undefined;
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined;
const idOf = (value: unknown): number | undefined => {
  const id = Number(value);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
};

/** Without what is not there: an address says nothing of it. */
function given<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** Reads the address; what makes no sense in it counts as not there. */
export const readInboxSearch = (search: Record<string, unknown>): InboxSearch =>
  given<InboxSearch>({
    queue: oneOf(search.queue, QUEUES),
    view: idOf(search.view),
    q: textOf(search.q),
    status: oneOf(search.status, STATUSES),
    priority: oneOf(search.priority, PRIORITIES),
    assignee: search.assignee === 'none' ? 'none' : idOf(search.assignee),
    tag: textOf(search.tag),
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
