import { z } from 'zod';
import {
  ATTRIBUTE_BYTES,
  ATTRIBUTE_NAME_MAX,
  EVENT_NAME_MAX,
  PROPERTIES_BYTES,
  SEARCH_MAX,
  URL_MAX,
} from '../values/bounds.ts';
import { email, id, page, paging, TIME_FORM, text, time, utc, visitorKey, visitorName } from '../values.ts';

/** The visitor of a chat, handoff, rating or ticket; `key` is null after an erasure. */
export const visitorRef = z.object({
  key: z.string().nullable().describe('Null once the visitor is erased'),
  name: z.string().nullable(),
  email: z.string().nullable(),
});
export type VisitorRef = z.infer<typeof visitorRef>;

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type Scalar = z.infer<typeof scalar>;

export const ATTRIBUTE_LIMIT = 100;
/** The maximum nesting of objects and lists in an event's properties. */
export const PROPERTIES_DEPTH = 8;

const bytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;
/** JSON escapes NUL and unpaired surrogates; a backslash that is itself escaped is ordinary text. */
const clean = (value: unknown): boolean =>
  !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i.test(JSON.stringify(value) ?? '');
/** Stops at the maximum depth, so that a body of nothing but brackets can't exhaust the stack. */
const isFlat = (value: unknown, depth: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every((part) => isFlat(part, depth - 1)));

const attributeName = text(1, ATTRIBUTE_NAME_MAX);
const attributeValue = z
  .union([scalar, z.array(scalar).max(100)])
  .refine((value) => bytes(value) <= ATTRIBUTE_BYTES, `must be at most ${ATTRIBUTE_BYTES} bytes`)
  .refine(clean, 'must not contain NUL or unpaired surrogates');

/** Null clears an attribute; absent leaves it unchanged. */
export const attributes = z
  .record(attributeName, attributeValue)
  .refine(
    (value) => Object.keys(value).length <= ATTRIBUTE_LIMIT,
    `must have at most ${ATTRIBUTE_LIMIT} attributes`,
  );
export type Attributes = z.infer<typeof attributes>;

export const eventName = text(1, EVENT_NAME_MAX);
export const properties = z
  .record(z.string().max(100), z.unknown())
  .refine((value) => isFlat(value, PROPERTIES_DEPTH), {
    error: `must be nested at most ${PROPERTIES_DEPTH} deep`,
    abort: true,
  })
  .refine((value) => bytes(value) <= PROPERTIES_BYTES, `must be at most ${PROPERTIES_BYTES} bytes`)
  .refine(clean, 'must not contain NUL or unpaired surrogates');
/** An event's properties as stored. */
export type EventProperties = Record<string, z.core.util.JSONType>;

export const visitor = z.object({
  key: z.string().describe('Your own key, or `anon_…` created by Foyer'),
  email: z.string().nullable(),
  name: z.string().nullable(),
  attributes: z.record(z.string(), z.json()).describe('Custom fields'),
  segments: z.array(z.string()).describe('Names of the visitor’s segments'),
  first_seen_utc: utc,
  last_seen_utc: utc,
  created_utc: utc,
  updated_utc: utc,
});
export type Visitor = z.infer<typeof visitor>;

export const trackedEvent = z.object({
  event_id: z.int(),
  key: z.string(),
  name: z.string(),
  created_utc: utc.describe('Time of the event'),
});

export const visitorDetail = visitor.extend({
  event_count: z.int().describe('Number of all events'),
  recent_events: z.array(
    z.object({
      event_id: z.int(),
      name: z.string(),
      properties: z.record(z.string(), z.json()),
      created_utc: utc,
    }),
  ),
});
export type VisitorDetail = z.infer<typeof visitorDetail>;

/** Required of a browser token, which anybody can read, to report about a known person if the site has a secret. */
const userHash = z
  .string()
  .max(128)
  .optional()
  .describe('For browser tokens: hex HMAC-SHA256 of the key, keyed with the site’s identity secret');

/** Unknown top-level fields become attributes. */
export const visitorUpsert = z
  .object({
    key: visitorKey.describe('A stable key of your choice, usually the user’s id in your system'),
    email: email.nullable().optional(),
    name: visitorName.nullable().optional(),
    attributes: attributes.optional().describe('Merged with the existing ones; null removes one'),
    previous_key: visitorKey
      .optional()
      .describe('An `anon_…` key, whose chats and events are merged into this visitor'),
    user_hash: userHash,
  })
  .catchall(attributeValue)
  .superRefine((value, ctx) => {
    for (const name of Object.keys(value)) {
      const issue = attributeName.safeParse(name).error?.issues[0];
      if (issue) ctx.addIssue({ code: 'custom', path: [name], message: `its name ${issue.message}` });
    }
  });

export const COLLECT_EVENTS_MAX = 50;
export const COLLECT_MAX_BYTES = 64 * 1024;

/**
 * Body of `POST /widget/collect?site=PUBLIC_KEY`: what the SDK sends without an `apiToken`. Sent as `text/plain`,
 * so that it needs no preflight and works with `keepalive` while the page closes.
 */
export const collectBody = z.strictObject({
  key: visitorKey,
  previous_key: visitorKey.optional(),
  user_hash: userHash,
  /** `email` and `name` among them are the visitor's own fields. */
  attributes: z.record(attributeName, attributeValue).optional(),
  events: z
    .array(
      z.strictObject({
        /** Created by the sender: 32 hex digits or a UUID. A repeated send is stored once. */
        id: z.string().regex(/^[0-9a-f]{8}(-?)([0-9a-f]{4}\1){3}[0-9a-f]{12}$/i, 'must be 128 bits in hex'),
        name: eventName,
        properties: properties.optional(),
        occurred_utc: time,
      }),
    )
    .max(COLLECT_EVENTS_MAX, `must have at most ${COLLECT_EVENTS_MAX} events`)
    .optional(),
});

/**
 * Body of `POST /widget/live?site=PUBLIC_KEY`, sent as `text/plain` like `collectBody`: a page reports that it is
 * open. `live` in the response is false if the site has switched live visitors off.
 */
export const liveBeat = z.strictObject({
  /** Random id of the open page, which only the page knows. */
  tab: z.string().regex(/^[0-9a-f]{16}$/, 'must be 64 bits in hex'),
  key: visitorKey,
  page_url: z.string().max(URL_MAX),
  page_title: z.string().max(URL_MAX).optional(),
  /** The referrer of the page load. */
  referrer: z.string().max(URL_MAX).optional(),
  time_zone: z.string().max(64).optional(),
  /** The page is being left. */
  left: z.literal(true).optional(),
});

/** The response to a report. */
export interface LiveAnswer {
  /** Whether the site has live visitors switched on. */
  live: boolean;
  /** An agent wants to write to this visitor: the page connects the chat without opening it. */
  call?: boolean;
  /** When to report again, if not after a minute. */
  again_s?: number;
}

export const visitorContract = {
  'visitors.find': {
    input: z.strictObject({
      ...paging,
      key: visitorKey.optional().describe('Read one visitor instead of a list'),
      email: email.optional().describe('This email, ignoring case'),
      /** The id of a segment. */
      segment: id.optional(),
      q: text(1, SEARCH_MAX).optional().describe('Name, email or key contains this'),
    }),
    output: z.union([page(visitor), visitorDetail]),
  },
  'visitors.upsert': { input: visitorUpsert, output: visitor },
  'visitors.erase': {
    input: z.strictObject({ key: visitorKey }),
    output: z.object({ key: z.string(), deleted: z.literal(true) }),
  },
  'track.create': {
    input: z.strictObject({
      key: visitorKey.describe('Key of the visitor; an unknown key creates the visitor'),
      name: eventName.describe('Name of the event, such as `order_placed`'),
      properties: properties.nullable().optional().describe('At most 8 KB of JSON, nested at most 8 deep'),
      occurred_utc: time
        .nullable()
        .optional()
        .describe(`Now by default; at most one day in the future. ${TIME_FORM}`),
      user_hash: userHash,
    }),
    output: trackedEvent,
  },
} as const;
