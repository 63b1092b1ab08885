import { z } from 'zod';
import {
  ATTRIBUTE_NAME_MAX,
  ATTRIBUTE_SOUGHT_MAX,
  SEARCH_MAX,
  VISITOR_COLUMNS_MAX,
} from '../values/bounds.ts';
import { id, page, paging, text, time, utc } from '../values.ts';
import { visitor } from './visitors.ts';

/** Filters the site's visitors; all given conditions must match. */
const visitorFilter = {
  q: text(1, SEARCH_MAX).optional(),
  segment: id.optional(),
  /** `identified`: with a key of the site's own; `anonymous`: with one created by the browser. */
  identity: z.enum(['identified', 'anonymous']).optional(),
  /** The site has proved the visitor's identity with `userHash`. */
  verified: z.boolean().optional(),
  has_email: z.boolean().optional(),
  blocked: z.boolean().optional(),
  first_seen_since: time.optional(),
  first_seen_until: time.optional(),
  last_seen_since: time.optional(),
  last_seen_until: time.optional(),
  /** Has this attribute; if a value is given, with that value, ignoring case. */
  attribute: z
    .strictObject({ name: text(1, ATTRIBUTE_NAME_MAX), value: text(1, ATTRIBUTE_SOUGHT_MAX).optional() })
    .optional(),
};

export const VISITOR_SORTS = ['-last_seen', 'last_seen', '-created', 'created'] as const;
export type VisitorSort = (typeof VISITOR_SORTS)[number];

/** A visitor in the desk's list. */
export const listedVisitor = visitor.extend({
  /** When the site last proved the visitor's identity; null: never. */
  verified_utc: utc.nullable(),
  blocked_utc: utc.nullable(),
  event_count: z.int(),
  /** Counted up to `VISITOR_COUNT_MAX`. */
  chat_count: z.int(),
  ticket_count: z.int(),
});
export type ListedVisitor = z.infer<typeof listedVisitor>;

export const ATTRIBUTE_KINDS = ['text', 'number', 'boolean', 'list'] as const;
export type AttributeKind = (typeof ATTRIBUTE_KINDS)[number];

export const VISITOR_FIELDS_MAX = 200;

/** The attributes and events that the site's visitors have had lately. */
export const visitorFields = z.object({
  attributes: z.array(
    z.object({
      name: z.string(),
      kinds: z.array(z.enum(ATTRIBUTE_KINDS)),
      /** Frequent values, as text. */
      values: z.array(z.string()),
    }),
  ),
  events: z.array(z.string()),
});
export type VisitorFields = z.infer<typeof visitorFields>;

const { limit, cursor } = paging;

/** What agents do with visitors in the desk, beyond what REST offers. */
export const visitorDeskContract = {
  /**
   * A page may have fewer visitors than `limit`, or none, and still continue: of very many, only some are read per
   * page.
   */
  'visitors.list': {
    input: z.strictObject({
      limit,
      cursor,
      sort: z.enum(VISITOR_SORTS).default('-last_seen'),
      ...visitorFilter,
    }),
    output: page(listedVisitor),
  },
  'visitors.export': {
    /** `after`: the `next` of the previous part. `columns`: attributes that get a column each. */
    input: z.strictObject({
      ...visitorFilter,
      columns: z.array(text(1, ATTRIBUTE_NAME_MAX)).max(VISITOR_COLUMNS_MAX).default([]),
      after: cursor,
    }),
    output: z.object({ text: z.string(), next: z.string().nullable() }),
  },
  'visitor_fields.list': { input: z.strictObject({}), output: visitorFields },
} as const;
