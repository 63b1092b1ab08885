import { z } from 'zod';
import { viewName, viewPosition } from '../tickets/saved-views.ts';
import { ticketFilter, ticketSort } from '../tickets/tickets.ts';
import { STATE_QUEUES } from '../values/inbox-queues.ts';
import { deleted, id } from '../values.ts';
import { inboxFilterFields, inboxSort } from './inbox-filter.ts';

/** An agent has no more views of their own. */
export const PRIVATE_VIEW_LIMIT = 50;

/** A list of the inbox: a queue, or everything, narrowed down and in an order. */
export const viewList = z.strictObject({
  queue: z.enum(STATE_QUEUES).optional(),
  sort: inboxSort,
  ...inboxFilterFields,
});
export type ViewList = z.infer<typeof viewList>;

/** As REST has it in `saved_views`. */
const viewTickets = z.strictObject({ filter: ticketFilter, sort: ticketSort });
export type ViewTickets = z.infer<typeof viewTickets>;

/** Either of the two. */
const shows = { list: viewList.optional(), tickets: viewTickets.optional() };
const isOne = ({ list, tickets }: { list?: unknown; tickets?: unknown }): boolean => !list !== !tickets;
const BOTH = { path: ['list'], message: 'must be given, or tickets: one of the two' };

export const viewPart = z.enum(['tag', 'assignee', 'segment']);

export const inboxView = z.object({
  id,
  name: z.string(),
  /** Within the team's views, or within the agent's own. */
  position: z.int(),
  /** The calling agent's own, which nobody else sees. */
  private: z.boolean(),
  /** Of filter and order; a change of them names the one that it is based on. */
  version: z.int(),
  /** Null: a view of tickets, which REST has too. */
  list: viewList.nullable(),
  tickets: viewTickets.nullable(),
  /** Chats and tickets in it now, counted up to 1,000; null where its queue has no count. */
  count: z.int().nullable(),
  /** What its filter names and the site doesn't have any more. */
  missing: z.array(viewPart),
});
export type InboxView = z.infer<typeof inboxView>;

export const inboxViewContract = {
  /** The team's views and the agent's own, each by position. */
  'inbox_views.list': { input: z.strictObject({}), output: z.object({ views: z.array(inboxView) }) },
  'inbox_views.create': {
    input: z.strictObject({ name: viewName, private: z.boolean(), ...shows }).refine(isOne, BOTH),
    output: inboxView,
  },
  /** `shared` gives the team a view of one's own. What it shows is replaced as a whole, and needs its `version`. */
  'inbox_views.update': {
    input: z
      .strictObject({
        id,
        name: viewName.optional(),
        position: viewPosition.optional(),
        shared: z.literal(true).optional(),
        version: z.int().optional(),
        ...shows,
      })
      .refine((input) => !(input.list && input.tickets), BOTH)
      .refine(({ list, tickets, version }) => !(list ?? tickets) || version !== undefined, {
        path: ['version'],
        message: 'must be given with list or tickets',
      }),
    output: inboxView,
  },
  'inbox_views.delete': { input: z.strictObject({ id }), output: deleted },
} as const;
