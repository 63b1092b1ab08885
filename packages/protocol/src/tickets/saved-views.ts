import { z } from 'zod';
import { NAME_MAX } from '../values/bounds.ts';
import { deleted, id, listPosition, page, paging, text } from '../values.ts';
import { ticketFilter, ticketSort } from './tickets.ts';
import {
  hasItsTeam,
  ITS_TEAM,
  sharedVisibilityInput,
  visibilityChange,
  visibilityFields,
} from './visibility.ts';

/** The maximum number of views: listing them counts each. */
export const VIEW_LIMIT = 100;
/** Counting stops here: a view with this many shows "1,000 or more". */
export const VIEW_COUNT_MAX = 1_000;

export const viewName = text(1, NAME_MAX);

export const savedView = z.object({
  id,
  name: z.string(),
  filter: ticketFilter,
  sort: ticketSort,
  position: z.int(),
  ...visibilityFields,
  count: z.int().describe('Tickets in it now, counted up to 1,000'),
});
export type SavedView = z.infer<typeof savedView>;

export const savedViewContract = {
  /** By `position`, then `id`; `order=desc` reverses it. */
  'saved_views.list': {
    input: z.strictObject({ ...paging, order: z.enum(['asc', 'desc']).default('asc'), id: id.optional() }),
    output: z.union([page(savedView), savedView]),
  },
  'saved_views.create': {
    input: z
      .strictObject({
        name: viewName,
        filter: ticketFilter.optional(),
        sort: ticketSort.optional(),
        position: listPosition.optional(),
        ...sharedVisibilityInput,
      })
      .refine(hasItsTeam, ITS_TEAM),
    output: savedView,
  },
  /** `filter` is replaced completely. */
  'saved_views.update': {
    input: z
      .strictObject({
        id,
        name: viewName.optional(),
        filter: ticketFilter.optional().describe('Replaces the whole filter'),
        sort: ticketSort.optional(),
        position: listPosition.optional(),
        ...visibilityChange,
      })
      .refine(hasItsTeam, ITS_TEAM),
    output: savedView,
  },
  'saved_views.delete': { input: z.strictObject({ id }), output: deleted },
} as const;
