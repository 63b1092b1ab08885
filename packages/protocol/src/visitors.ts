import { z } from 'zod';
import { email, page, paging, text, utc, visitorKey } from './values.ts';

/** Who a chat, handoff, rating or ticket is about; `key` is null once the visitor was erased. */
export const visitorRef = z.object({
  key: z.string().nullable(),
  name: z.string().nullable(),
  email: z.string().nullable(),
});
export type VisitorRef = z.infer<typeof visitorRef>;

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type Scalar = z.infer<typeof scalar>;

export const ATTRIBUTE_LIMIT = 100;
export const ATTRIBUTE_BYTES = 2048;
export const PROPERTIES_BYTES = 8192;

const bytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;
const clean = (value: unknown): boolean => {
  const json = JSON.stringify(value) ?? '';
  return !/\\u0000|\\ud[89a-f]/i.test(json);
};

const attributeName = text(1, 100);
const attributeValue = z
  .union([scalar, z.array(scalar).max(100)])
  .refine((value) => bytes(value) <= ATTRIBUTE_BYTES, `must be at most ${ATTRIBUTE_BYTES} bytes`)
  .refine(clean, 'must not hold NUL or unpaired surrogates');

/** Null clears an attribute; absent leaves it as it is. */
export const attributes = z
  .record(attributeName, attributeValue)
  .refine(
    (value) => Object.keys(value).length <= ATTRIBUTE_LIMIT,
    `must have at most ${ATTRIBUTE_LIMIT} attributes`,
  );
export type Attributes = z.infer<typeof attributes>;

export const eventName = text(1, 100);
export const properties = z
  .record(z.string().max(100), z.json())
  .refine((value) => bytes(value) <= PROPERTIES_BYTES, `must be at most ${PROPERTIES_BYTES} bytes`)
  .refine(clean, 'must not hold NUL or unpaired surrogates');

export const visitor = z.object({
  key: z.string(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  attributes: z.record(z.string(), z.json()),
  segments: z.array(z.string()),
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
  created_utc: utc,
});

export const visitorDetail = visitor.extend({
  event_count: z.int(),
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

/** Other top-level fields with scalar values are kept as attributes (decisions 3). */
export const visitorUpsert = z
  .object({
    key: visitorKey,
    email: email.nullable().optional(),
    name: text(1, 200).nullable().optional(),
    attributes: attributes.optional(),
    previous_key: visitorKey.optional(),
  })
  .catchall(attributeValue);

export const visitorContract = {
  'visitors.find': {
    input: z.strictObject({
      ...paging,
      key: visitorKey.optional(),
      email: email.optional(),
      q: text(1, 200).optional(),
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
      key: visitorKey,
      name: eventName,
      properties: properties.optional(),
      occurred_utc: z.string().optional(),
    }),
    output: trackedEvent,
  },
} as const;
