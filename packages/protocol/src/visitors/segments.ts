import { z } from 'zod';
import {
  ATTRIBUTE_NAME_MAX,
  ATTRIBUTE_SOUGHT_MAX,
  NAME_MAX,
  SEGMENT_CONDITIONS_MAX,
  SEGMENT_COUNT_MAX,
  SEGMENT_DAYS_MAX,
  SEGMENT_DEPTH,
} from '../values/bounds.ts';
import { deleted, id, page, paging, text, time, utc } from '../values.ts';
import {
  type ConditionIssue,
  type ConditionLanguage,
  type Fields,
  nestedIssues,
  schemaIssues,
  tooManyConditions,
} from './condition-groups.ts';
import { eventName } from './visitors.ts';

/** A visitor's own fields, which a segment's rule can use like attributes. */
export const OWN_TEXTS = ['email', 'name', 'key'] as const;
export const OWN_TIMES = ['first_seen_utc', 'last_seen_utc'] as const;
const isOwnText = (name: string): boolean => OWN_TEXTS.some((own) => own === name);
const isOwnTime = (name: string): boolean => OWN_TIMES.some((own) => own === name);

const attribute = text(1, ATTRIBUTE_NAME_MAX);
/** What a condition compares with. */
export const scalar = z.union([text(1, ATTRIBUTE_SOUGHT_MAX), z.number(), z.boolean()], {
  error: `must be text of at most ${ATTRIBUTE_SOUGHT_MAX} characters, a number, true or false`,
});
/** What a condition orders by. */
export const size = z.union([z.number(), time], { error: 'must be a number or an ISO 8601 time' });

const attributeConditions = z.discriminatedUnion(
  'op',
  [
    z.strictObject({ attribute, op: z.enum(['eq', 'ne', 'contains']), value: scalar }),
    z.strictObject({ attribute, op: z.enum(['gt', 'lt']), value: size }),
    z.strictObject({ attribute, op: z.enum(['set', 'unset']) }),
  ],
  { error: 'must be eq, ne, gt, lt, contains, set or unset' },
);

export const attributeCondition = attributeConditions.superRefine(({ attribute: name, ...rest }, ctx) => {
  const value = 'value' in rest ? rest.value : undefined;
  const isSize = rest.op === 'gt' || rest.op === 'lt';
  const refuse = (field: string, message: string) =>
    ctx.addIssue({ code: 'custom', path: [field], message: `${message} for ${name}` });
  if (isOwnTime(name)) {
    if (value !== undefined && !isSize) refuse('op', 'must be gt, lt, set or unset');
    else if (isSize && typeof value === 'number') refuse('value', 'must be an ISO 8601 time');
  } else if (isOwnText(name)) {
    if (isSize) refuse('op', 'must be eq, ne, contains, set or unset');
    else if (value !== undefined && typeof value !== 'string') refuse('value', 'must be text');
  }
});
export type AttributeCondition = z.output<typeof attributeCondition>;

export const eventCondition = z.strictObject({
  event: eventName,
  op: z.enum(['gte', 'lt'], 'must be gte or lt'),
  count: z
    .int('must be an integer')
    .min(1, 'must be at least 1')
    .max(SEGMENT_COUNT_MAX, `must be at most ${SEGMENT_COUNT_MAX}`),
  within_days: z
    .int('must be an integer')
    .min(1, 'must be at least 1')
    .max(SEGMENT_DAYS_MAX, `must be at most ${SEGMENT_DAYS_MAX}`)
    .optional(),
});
export type EventCondition = z.output<typeof eventCondition>;

const group = <T extends z.ZodType>(part: T) => {
  const parts = z.array(part).min(1).max(SEGMENT_CONDITIONS_MAX);
  return z.union([z.strictObject({ all: parts }), z.strictObject({ any: parts })]);
};
const condition = z.union([attributeConditions, eventCondition]);
const innermost = group(condition);
const middle = group(z.union([condition, innermost]));

/** A rule as stored and returned. Input is parsed by `segmentRule`, which says what is wrong and where. */
export const segmentRuleShape = group(z.union([condition, middle]));
export type SegmentRule = z.output<typeof segmentRuleShape>;
export type SegmentPart = SegmentRule | z.output<typeof condition> | z.output<typeof middle>;

function conditionIssues(value: Fields): ConditionIssue[] {
  if ('attribute' in value === 'event' in value) {
    return [{ path: [], message: 'must have one of attribute, event, all or any' }];
  }
  return schemaIssues(('event' in value ? eventCondition : attributeCondition).safeParse(value).error);
}

const tooMany = tooManyConditions(SEGMENT_CONDITIONS_MAX);

const countConditions = (part: SegmentPart): number =>
  'all' in part
    ? part.all.reduce((sum, one) => sum + countConditions(one), 0)
    : 'any' in part
      ? part.any.reduce((sum, one) => sum + countConditions(one), 0)
      : 1;

const LANGUAGE: ConditionLanguage = {
  groups: ['all', 'any'],
  depth: SEGMENT_DEPTH,
  max: SEGMENT_CONDITIONS_MAX,
  conditionIssues,
};

/** `z.union` would only say that something is wrong somewhere. */
export const segmentRule = z
  .custom<SegmentRule>()
  .superRefine((value: unknown, ctx) => {
    for (const issue of nestedIssues(LANGUAGE, value)) ctx.addIssue({ code: 'custom', ...issue });
  })
  .meta({ ...z.toJSONSchema(segmentRuleShape, { io: 'input', unrepresentable: 'any' }), $schema: undefined })
  .transform((value) => segmentRuleShape.parse(value))
  .refine((rule) => countConditions(rule) <= SEGMENT_CONDITIONS_MAX, tooMany);

const name = text(1, NAME_MAX);

export const segment = z.object({
  id,
  name: z.string(),
  rule: segmentRuleShape,
  /** The number of visitors in it: exact once `ready`. */
  size: z.int(),
  /** False while a new or changed rule is being applied to the existing visitors. */
  ready: z.boolean(),
  created_utc: utc,
  updated_utc: utc,
});
export type Segment = z.infer<typeof segment>;

export const PREVIEW_EXAMPLES_MAX = 5;

export const segmentPreview = z.object({
  size: z.int(),
  /** False: estimated from a sample spread over all visitors. */
  is_exact: z.boolean(),
  /** All visitors of the site. */
  total: z.int(),
  /** Some matching visitors, at most `PREVIEW_EXAMPLES_MAX`. */
  examples: z.array(
    z.object({
      key: z.string(),
      name: z.string().nullable(),
      email: z.string().nullable(),
      last_seen_utc: utc,
    }),
  ),
});
export type SegmentPreview = z.infer<typeof segmentPreview>;

export const segmentContract = {
  'segments.list': {
    input: z.strictObject({ ...paging, id: id.optional() }),
    output: z.union([page(segment), segment]),
  },
  'segments.create': { input: z.strictObject({ name, rule: segmentRule }), output: segment },
  'segments.update': {
    input: z.strictObject({ id, name: name.optional(), rule: segmentRule.optional() }),
    output: segment,
  },
  /** How many visitors a rule would match, before it is saved. */
  'segments.preview': { input: z.strictObject({ rule: segmentRule }), output: segmentPreview },
  'segments.delete': { input: z.strictObject({ id }), output: deleted },
} as const;
