import { z } from 'zod';
import { viewName } from '../tickets/saved-views.ts';
import { ticketFilter, ticketSort } from '../tickets/tickets.ts';
import {
  hasItsTeam,
  ITS_TEAM,
  visibilityChange,
  visibilityFields,
  visibilityInput,
} from '../tickets/visibility.ts';
import { STATE_QUEUES } from '../values/inbox-queues.ts';
import { deleted, id, listPosition } from '../values.ts';
import { inboxFilterFields, inboxSort } from './inbox-filter.ts';

/** The maximum number of private views per agent. */
export const PRIVATE_VIEW_LIMIT = 50;

/** A list of the inbox: a queue or everything, with a filter and an order. */
export const viewList = z.strictObject({
  queue: z.enum(STATE_QUEUES).optional(),
  sort: inboxSort,
  ...inboxFilterFields,
});
export type ViewList = z.infer<typeof viewList>;

/** The form of `saved_views` in REST. */
const viewTickets = z.strictObject({ filter: ticketFilter, sort: ticketSort });
export type ViewTickets = z.infer<typeof viewTickets>;

/** One of the two. */
const shows = { list: viewList.optional(), tickets: viewTickets.optional() };
const isOne = ({ list, tickets }: { list?: unknown; tickets?: unknown }): boolean => !list !== !tickets;
const BOTH = { path: ['list'], message: 'must be given, or tickets: one of the two' };

export const viewPart = z.enum(['tag', 'assignee', 'team', 'segment', 'field']);

export const inboxView = z.object({
  id,
  name: z.string(),
  /** Among the shared views, or among the agent's private ones. */
  position: z.int(),
  ...visibilityFields,
  /** The version of filter and order. A change of them names the version that it is based on. */
  version: z.int(),
  /** Null: a view of tickets, which REST offers too. */
  list: viewList.nullable(),
  tickets: viewTickets.nullable(),
  /** Its chats and tickets, counted up to 1,000; null if its queue has no count. */
  count: z.int().nullable(),
  /** What its filter refers to and the site no longer has. */
  missing: z.array(viewPart),
});
export type InboxView = z.infer<typeof inboxView>;

export const inboxViewContract = {
  /** The shared views and the agent's private ones, each by position. */
  'inbox_views.list': { input: z.strictObject({}), output: z.object({ views: z.array(inboxView) }) },
  'inbox_views.create': {
    input: z
      .strictObject({ name: viewName, ...visibilityInput, ...shows })
      .refine(isOne, BOTH)
      .refine(hasItsTeam, ITS_TEAM),
    output: inboxView,
  },
  /** `visibility` shares a private view, or changes with whom. Replacing filter and order requires their `version`. */
  'inbox_views.update': {
    input: z
      .strictObject({
        id,
        name: viewName.optional(),
        position: listPosition.optional(),
        ...visibilityChange,
        version: z.int().optional(),
        ...shows,
      })
      .refine((input) => !(input.list && input.tickets), BOTH)
      .refine(hasItsTeam, ITS_TEAM)
      .refine(({ list, tickets, version }) => !(list ?? tickets) || version !== undefined, {
        path: ['version'],
        message: 'must be given with list or tickets',
      }),
    output: inboxView,
  },
  'inbox_views.delete': { input: z.strictObject({ id }), output: deleted },
} as const;
