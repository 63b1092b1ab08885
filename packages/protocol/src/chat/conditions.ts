import { z } from 'zod';
import { type CustomFieldCondition, customFieldCondition } from '../fields/field-filter.ts';
import { CONDITION_WORDS_MAX, CONDITIONS_DEPTH, CONDITIONS_MAX } from '../values/bounds.ts';
import { OFFICE_STATES } from '../values/wire-names.ts';
import { text } from '../values.ts';
import {
  type ConditionIssue,
  type ConditionLanguage,
  type Fields,
  nestedIssues,
  schemaIssues,
  tooManyConditions,
} from '../visitors/condition-groups.ts';
import {
  type AttributeCondition,
  attributeCondition,
  type EventCondition,
  eventCondition,
} from '../visitors/segments.ts';
import { inboxFilter } from './inbox-filter.ts';

/**
 * What the inbox filters by: one field or several, which all must match. A field added there is a condition here;
 * custom fields are conditions of their own.
 */
export const fieldCondition = inboxFilter
  .omit({ fields: true })
  .refine(
    (fields) => Object.values(fields).some((value) => value !== undefined),
    'must have at least one field',
  );
export type FieldCondition = z.output<typeof fieldCondition>;

/** A part of a ticket's subject or of what the customer wrote last, regardless of case. */
export const wordsCondition = z.strictObject({ contains: text(1, CONDITION_WORDS_MAX) });
export type WordsCondition = z.output<typeof wordsCondition>;

/** Whether the office hours of the record's team, or else of the site, are open now. Without any, they always are. */
export const officeCondition = z.strictObject({ office_hours: z.enum(OFFICE_STATES) });
export type OfficeCondition = z.output<typeof officeCondition>;

/** One condition on a chat or ticket, or on its visitor (`attribute`, `event`, as in segments). */
export type RecordCondition =
  | FieldCondition
  | WordsCondition
  | CustomFieldCondition
  | OfficeCondition
  | AttributeCondition
  | EventCondition;
export type ConditionPart = RecordCondition | ConditionGroup;
/** `none`: not a single one matches. */
export type ConditionGroup = { all: ConditionPart[] } | { any: ConditionPart[] } | { none: ConditionPart[] };

export const CONDITION_GROUPS = ['all', 'any', 'none'] as const;

const isGroup = (part: Fields): boolean => CONDITION_GROUPS.some((name) => name in part);
/** The parts of a group. */
export const partsOf = (group: ConditionGroup): readonly ConditionPart[] =>
  'all' in group ? group.all : 'any' in group ? group.any : group.none;
export const isConditionGroup = (part: ConditionPart): part is ConditionGroup => isGroup(part);

function schemaOf(value: Fields): z.ZodType<RecordCondition> {
  if ('contains' in value) return wordsCondition;
  if ('custom_field' in value) return customFieldCondition;
  if ('office_hours' in value) return officeCondition;
  if ('attribute' in value) return attributeCondition;
  return 'event' in value ? eventCondition : fieldCondition;
}

const conditionIssues = (value: Fields): ConditionIssue[] =>
  schemaIssues(schemaOf(value).safeParse(value).error);

const LANGUAGE: ConditionLanguage = {
  groups: CONDITION_GROUPS,
  depth: CONDITIONS_DEPTH,
  max: CONDITIONS_MAX,
  conditionIssues,
};

/** All conditions at any depth, left to right. */
export function conditionsIn(part: ConditionPart): RecordCondition[] {
  return isConditionGroup(part) ? partsOf(part).flatMap(conditionsIn) : [part];
}

/** The parts as their schemas parse them: trimmed. */
function parsed(part: ConditionPart): ConditionPart {
  if (!isConditionGroup(part)) return schemaOf(part).parse(part);
  if ('all' in part) return { all: part.all.map(parsed) };
  return 'any' in part ? { any: part.any.map(parsed) } : { none: part.none.map(parsed) };
}

const jsonOf = (schema: z.ZodType): object => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return json;
};
/** What has an `op` and mostly a `value`. Its variants would be five times as long. */
const comparison = (name: 'attribute' | 'custom_field') => ({
  type: 'object',
  properties: {
    [name]: { type: 'string' },
    op: { enum: ['eq', 'ne', 'contains', 'gt', 'lt', 'set', 'unset'] },
    value: { description: 'Text, number, boolean or ISO 8601 time; none for set and unset' },
  },
  required: [name, 'op'],
  additionalProperties: false,
});
/** Written by hand: unfolded to its depth, the schema would be ten times as long. */
const listOf = (...items: object[]) => ({ type: 'array', items: { anyOf: items } });
const META = {
  type: 'object',
  description: `One of all, any or none, with a list of conditions; each may be such an object again, at most ${CONDITIONS_DEPTH} deep`,
  additionalProperties: listOf(
    ...[fieldCondition, wordsCondition, officeCondition, eventCondition].map(jsonOf),
    comparison('attribute'),
    comparison('custom_field'),
    {
      type: 'object',
      minProperties: 1,
      maxProperties: 1,
      additionalProperties: { type: 'array', items: { type: 'object' } },
    },
  ),
};

/** As stored and returned. Input is parsed by `conditions`, which says what is wrong and where. */
export const conditionsShape = z.custom<ConditionGroup>().meta(META);

/** Nested conditions on a chat or ticket. */
export const conditions = z
  .custom<ConditionGroup>()
  .superRefine((value: unknown, ctx) => {
    for (const issue of nestedIssues(LANGUAGE, value)) ctx.addIssue({ code: 'custom', ...issue });
  })
  .meta(META)
  .transform((value) => parsed(value) as ConditionGroup)
  .refine((value) => conditionsIn(value).length <= CONDITIONS_MAX, tooManyConditions(CONDITIONS_MAX));
