import type {
  CustomFieldCondition,
  DueState,
  InboxChannel,
  InboxFilter,
  InboxQueue,
  InboxSort,
  InboxSpan,
  InboxStatus,
  Language,
  StateQueue,
  TicketPriority,
} from '@foyer/protocol';
import { INBOX_PAGE_MAX, TAG_NAME_MAX } from '@foyer/protocol/values/bounds';
import { FIELD_FILTERS_MAX } from '@foyer/protocol/values/fields/field-names';
import { INBOX_CHANNELS, INBOX_SORTS, INBOX_SPANS, INBOX_STATUSES } from '@foyer/protocol/values/inbox-lists';
import { INBOX_QUEUES } from '@foyer/protocol/values/inbox-queues';
import { LANGUAGES } from '@foyer/protocol/values/languages';
import { DUE_STATES } from '@foyer/protocol/values/tickets/sla-names';
import { TICKET_PRIORITIES, TICKET_STATUSES } from '@foyer/protocol/values/wire-names';
import { given, idOf, oneOf, textOf } from '../../../address-search.ts';
import type { FoundSearch, TicketSearch } from '../../../queries.ts';

/** The filters of a list, under short names. */
export interface InboxFilters {
  channel?: InboxChannel;
  status?: InboxStatus;
  priority?: TicketPriority;
  assignee?: number | 'none';
  team?: number | 'none';
  tag?: string;
  due?: DueState;
  created?: InboxSpan;
  active?: InboxSpan;
  page?: string;
  language?: Language;
  segment?: number;
  /** Conditions on custom fields, which must all match. */
  fields?: CustomFieldCondition[];
}
/** Custom fields aren't one filter, but one for each. */
export type FilterName = Exclude<keyof InboxFilters, 'fields'>;

/** In the order in which they are offered and shown. */
export const FILTERS: readonly FilterName[] = [
  'channel',
  'status',
  'priority',
  'assignee',
  'team',
  'tag',
  'due',
  'active',
  'created',
  'page',
  'language',
  'segment',
];
/** The filters that a saved view of tickets has. */
export const TICKET_FILTERS: readonly FilterName[] = ['status', 'priority', 'assignee', 'team', 'tag', 'due'];

/**
 * The inbox's address: a queue, with or without filters; everything with filters, without a queue; a saved view; or
 * a search over everything.
 */
export interface InboxSearch extends InboxFilters {
  queue?: InboxQueue;
  view?: number;
  q?: string;
  sort?: InboxSort;
  /** The view of the inbox that the list was taken from, and its version. */
  base?: number;
  version?: number;
}

const OPS = ['eq', 'ne', 'contains', 'gt', 'lt', 'set', 'unset'] as const;

function conditionIn(given: unknown): CustomFieldCondition[] {
  if (typeof given !== 'object' || given === null) return [];
  const { custom_field, op, value } = given as Record<string, unknown>;
  const known = oneOf(op, OPS);
  if (typeof custom_field !== 'string' || custom_field === '' || !known) return [];
  if (known === 'set' || known === 'unset') return [{ custom_field, op: known }];
  const isSize = known === 'gt' || known === 'lt';
  if (typeof value === 'number') return [{ custom_field, op: known, value }];
  if (typeof value !== 'string' && (isSize || typeof value !== 'boolean')) return [];
  return value === '' ? [] : [{ custom_field, op: known, value } as CustomFieldCondition];
}

function conditionsIn(given: unknown): CustomFieldCondition[] | undefined {
  const found = Array.isArray(given) ? given.flatMap(conditionIn).slice(0, FIELD_FILTERS_MAX) : [];
  return found.length > 0 ? found : undefined;
}

/** Reads the address, ignoring invalid values. */
export const readInboxSearch = (search: Record<string, unknown>): InboxSearch =>
  given<InboxSearch>({
    queue: oneOf(search.queue, INBOX_QUEUES),
    view: idOf(search.view),
    q: textOf(search.q),
    sort: oneOf(search.sort, INBOX_SORTS),
    base: idOf(search.base),
    version: idOf(search.version),
    channel: oneOf(search.channel, INBOX_CHANNELS),
    status: oneOf(search.status, INBOX_STATUSES),
    priority: oneOf(search.priority, TICKET_PRIORITIES),
    assignee: search.assignee === 'none' ? 'none' : idOf(search.assignee),
    team: search.team === 'none' ? 'none' : idOf(search.team),
    tag: textOf(search.tag, TAG_NAME_MAX),
    due: oneOf(search.due, DUE_STATES),
    created: oneOf(search.created, INBOX_SPANS),
    active: oneOf(search.active, INBOX_SPANS),
    page: textOf(search.page, INBOX_PAGE_MAX),
    language: oneOf(search.language, LANGUAGES),
    segment: idOf(search.segment),
    fields: conditionsIn(search.fields),
  });

/** The filter in the server's form. */
export const filterOf = (search: InboxFilters): InboxFilter =>
  given<InboxFilter>({
    channel: search.channel,
    status: search.status,
    priority: search.priority,
    assignee_id: search.assignee,
    team_id: search.team,
    tag: search.tag,
    due: search.due,
    created_within: search.created,
    active_within: search.active,
    page: search.page,
    language: search.language,
    segment: search.segment,
    fields: search.fields,
  });

/** The request for a ticket view in this address. */
export const ticketSearchOf = ({
  view,
  q,
  status,
  priority,
  assignee,
  team,
  tag,
  due,
  fields,
}: InboxSearch): TicketSearch =>
  given<TicketSearch>({
    view,
    q,
    status: oneOf(status, TICKET_STATUSES),
    priority,
    assignee_id: assignee,
    team_id: team,
    tag,
    due,
    fields,
  });

/** The request for a search by words. From the queue Spam, it searches spam, which no other search finds. */
export const wordSearchOf = ({ view, q = '', ...search }: InboxSearch): FoundSearch =>
  given<FoundSearch>({ ...filterOf(search), view, q, spam: search.queue === 'spam' || undefined });

/** The filters that apply here: a ticket view has only those of tickets, mentions have none. */
export const filtersIn = ({ view, queue, q }: InboxSearch): readonly FilterName[] =>
  view !== undefined && !q ? TICKET_FILTERS : queue === 'mentions' && !q ? [] : FILTERS;

export const setFilters = (search: InboxSearch): FilterName[] =>
  filtersIn(search).filter((name) => search[name] !== undefined);
/** The conditions on custom fields that apply here. */
export const fieldsIn = (search: InboxSearch): readonly CustomFieldCondition[] =>
  filtersIn(search).length > 0 ? (search.fields ?? []) : [];
export const filterCount = (search: InboxSearch): number =>
  setFilters(search).length + fieldsIn(search).length;

export const withoutFilters = ({ queue, view, q, sort, base, version }: InboxSearch): InboxSearch =>
  given<InboxSearch>({ queue, view, q, sort, base, version });

/** Whether a search or view replaces the queue. */
export const isSearching = ({ view, q }: InboxSearch): boolean => view !== undefined || Boolean(q);

/** The current queue; undefined for everything with filters. */
export const queueOf = (search: InboxSearch): InboxQueue | undefined =>
  search.queue ??
  (search.fields || FILTERS.some((name) => search[name] !== undefined) ? undefined : 'waiting');

/** The queue of a list, undefined for everything; null if the list isn't a queue of states. */
export function stateQueueOf(search: InboxSearch): StateQueue | undefined | null {
  if (isSearching(search)) return null;
  const queue = queueOf(search);
  return queue === 'mentions' ? null : queue;
}
