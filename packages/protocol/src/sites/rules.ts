import { z } from 'zod';
import { conditions, conditionsShape, type RecordCondition } from '../chat/conditions.ts';
import { failure } from '../tickets/bulk.ts';
import { macroAction } from '../tickets/macros.ts';
import {
  INBOX_PAGE_MAX,
  NAME_MAX,
  RULE_ACTIONS_MAX,
  RULE_MINUTES_MAX,
  RULE_TRIED_MAX,
  SITE_RULES_MAX,
} from '../values/bounds.ts';
import {
  CHANGED_FIELDS,
  MESSAGE_SENDERS,
  REPLY_SENDERS,
  RULE_EVENTS,
  RULE_ONLY_ACTIONS,
  RULE_OUTCOMES,
  type RuleEvent,
  TIME_TRIGGERS,
} from '../values/rules/rule-triggers.ts';
import { deleted, id, page, paging, sessionId, text, utc } from '../values.ts';
import { eventName } from '../visitors/visitors.ts';

const name = text(1, NAME_MAX);

const WITH_DETAILS = [
  'ticket_updated',
  'ticket_replied',
  'message_created',
  'page_viewed',
  'event_tracked',
  ...TIME_TRIGGERS,
] as const;
type PlainEvent = Exclude<RuleEvent, (typeof WITH_DETAILS)[number]>;
const isPlain = (event: RuleEvent): event is PlainEvent => !WITH_DETAILS.some((one) => one === event);
const plainEvents = RULE_EVENTS.filter(isPlain) as [PlainEvent, ...PlainEvent[]];

const changed = z
  .array(z.enum(CHANGED_FIELDS))
  .min(1, 'must have at least one field')
  .max(CHANGED_FIELDS.length)
  .refine((list) => new Set(list).size === list.length, {
    error: 'must not repeat a field',
    params: { reason: 'twice' },
  });

const minutes = z
  .int('must be an integer')
  .min(1, 'must be at least 1')
  .max(RULE_MINUTES_MAX, `must be at most ${RULE_MINUTES_MAX}`);

/**
 * What makes a rule look at a chat or ticket. Names of webhook events mean the same as there. What a visitor does on the
 * site concerns their open chat.
 */
export const ruleTrigger = z.discriminatedUnion('on', [
  z.strictObject({ on: z.enum(plainEvents) }),
  z.strictObject({
    on: z.literal('ticket_updated'),
    /** Only if one of these fields has changed. */
    changed: changed.optional(),
  }),
  z.strictObject({ on: z.literal('ticket_replied'), from: z.enum(REPLY_SENDERS).optional() }),
  z.strictObject({ on: z.literal('message_created'), from: z.enum(MESSAGE_SENDERS).optional() }),
  z.strictObject({ on: z.enum(TIME_TRIGGERS), minutes }),
  z.strictObject({
    on: z.literal('page_viewed'),
    /** A part of the page’s address. */
    page: text(1, INBOX_PAGE_MAX).optional(),
  }),
  z.strictObject({ on: z.literal('event_tracked'), name: eventName.optional() }),
]);
export type RuleTrigger = z.output<typeof ruleTrigger>;

/** What a rule does: everything a macro can, and what only programs need. Actions that a record doesn't have are skipped. */
export const ruleAction = z.discriminatedUnion('type', [
  ...macroAction.options,
  /**
   * Calls a person to a chat that the bot has, returns a chat to the bot, or asks its visitor for a rating once it is
   * closed, at most once.
   */
  z.strictObject({ type: z.enum(RULE_ONLY_ACTIONS) }),
]);
export type RuleAction = z.output<typeof ruleAction>;

const actions = z
  .array(ruleAction)
  .min(1, 'must have at least one action')
  .max(RULE_ACTIONS_MAX, `must have at most ${RULE_ACTIONS_MAX} actions`);

export const rule = z.object({
  id,
  name: z.string(),
  enabled: z.boolean(),
  position: z.int().describe('Rules run in this order, from 1'),
  trigger: ruleTrigger,
  conditions: conditionsShape.nullable().describe('Null: always'),
  actions: z.array(ruleAction),
  final: z.boolean().describe('After it, no further rule runs on this change'),
  /** Set when Foyer switched it off, until it is enabled again. */
  disabled_reason: z.string().nullable().describe('Why Foyer switched it off'),
  disabled_failure: failure.nullable().describe('The last failure before that, as `failure` of rule_runs'),
  created_utc: utc,
  updated_utc: utc,
});
export type Rule = z.infer<typeof rule>;

const matchedCondition = z.custom<RecordCondition>().meta({ type: 'object' });

/** One run of a rule on one chat or ticket. */
export const ruleRun = z.object({
  id,
  rule: z.object({ id, name: z.string() }),
  ticket_id: id.nullable(),
  session_id: sessionId.nullable(),
  title: z.string().describe('The subject of a ticket; what a chat is about, or who it is with'),
  event: z.enum(RULE_EVENTS).describe('What triggered it'),
  /** The conditions that matched; empty for a rule without any. */
  because: z.array(matchedCondition),
  /** `failed`: nothing was changed. `stopped`: it would have run in a loop. */
  outcome: z.enum(RULE_OUTCOMES),
  message: z.string().nullable().describe('Why it failed or was stopped'),
  failure: failure
    .nullable()
    .describe('The same for programs: `code` as in errors, `reason` more exactly if there is one'),
  /** The rules whose changes led to this one, in order. */
  chain: z.array(id),
  created_utc: utc,
});
export type RuleRun = z.infer<typeof ruleRun>;

export const ruleTrial = z.object({
  /** How many of the newest records were looked at. */
  tried: z.int(),
  matched: z.int(),
  /** Some that match, the newest first. */
  examples: z.array(
    z.object({
      ticket_id: id.nullable(),
      session_id: sessionId.nullable(),
      title: z.string(),
      because: z.array(matchedCondition),
    }),
  ),
});
export type RuleTrial = z.infer<typeof ruleTrial>;

const position = z
  .int('must be an integer')
  .min(1, 'must be at least 1')
  .max(SITE_RULES_MAX, `must be at most ${SITE_RULES_MAX}`)
  .optional();

export const ruleContract = {
  'rules.list': {
    input: z.strictObject({ ...paging, id: id.optional() }),
    output: z.union([page(rule), rule]),
  },
  'rules.create': {
    input: z.strictObject({
      name,
      trigger: ruleTrigger,
      conditions: conditions.nullable().default(null),
      actions,
      final: z.boolean().default(false),
      enabled: z.boolean().default(false),
      position,
    }),
    output: rule,
  },
  'rules.update': {
    input: z.strictObject({
      id,
      name: name.optional(),
      trigger: ruleTrigger.optional(),
      conditions: conditions.nullable().optional(),
      actions: actions.optional(),
      final: z.boolean().optional(),
      enabled: z.boolean().optional(),
      position,
    }),
    output: rule,
  },
  'rules.delete': { input: z.strictObject({ id }), output: deleted },
  /** On which of the last records a rule would act, without acting. */
  'rules.try': {
    input: z.strictObject({
      trigger: ruleTrigger,
      conditions: conditions.nullable().default(null),
      limit: z.int().min(1).max(RULE_TRIED_MAX).default(RULE_TRIED_MAX),
    }),
    output: ruleTrial,
  },
  /** When each ran last, and how often it failed in the last seven days, of the newest thousand failures. */
  'rules.uses': {
    input: z.strictObject({}),
    output: z.object({
      rules: z.array(z.object({ id, last_run_utc: utc.nullable(), failures: z.int() })),
    }),
  },
  /** Newest first. Kept for 30 days. */
  'rule_runs.list': {
    input: z.strictObject({
      ...paging,
      rule_id: id.optional(),
      ticket_id: id.optional(),
      session_id: sessionId.optional(),
      outcome: z.enum(RULE_OUTCOMES).optional(),
    }),
    output: page(ruleRun),
  },
} as const;
