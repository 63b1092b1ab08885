import { z } from 'zod';
import {
  ACTION_EXAMPLES_MAX,
  ACTION_HEADER_VALUE_MAX,
  ACTION_HEADERS_MAX,
  ACTION_LABEL_MAX,
  ACTION_NAME_MAX,
  ACTION_PURPOSE_MAX,
  ACTION_STEPS_MAX,
  ACTION_TEXT_MAX,
  ACTION_TIMEOUT_MAX_S,
  ACTION_VALUE_MAX,
  URL_MAX,
} from '../values/bounds.ts';
import {
  ACTION_CALL_STATUSES,
  ACTION_CALLERS,
  ACTION_INPUT_KINDS,
  ACTION_METHODS,
  CONDITION_OPERATORS,
} from '../values/wire-names.ts';
import { deleted, id, page, paging, sessionId, storable, text, utc } from '../values.ts';

/** Identifies a step within its action, so that conditions still refer to it when steps are moved. */
const stepId = z.string().regex(/^[a-z0-9_-]{1,20}$/, 'must be 1-20 of a-z, 0-9, - and _');
const inputName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'must begin with a letter and consist of a-z, 0-9 and _');
const headerName = z.string().regex(/^[A-Za-z0-9-]{1,60}$/, 'must consist of letters, digits and hyphens');
/** Visible ASCII and spaces: nothing that ends a header. */
const headerValue = z
  .string()
  .max(ACTION_HEADER_VALUE_MAX)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be visible ASCII characters');
const said = text(1, ACTION_TEXT_MAX);

export const actionInput = z.strictObject({
  name: inputName,
  kind: z.enum(ACTION_INPUT_KINDS),
  /** Of a text its length, of a number its value. */
  min: z.number().nullable().default(null),
  max: z.number().nullable().default(null),
  /** Of a choice. */
  choices: z.array(text(1, ACTION_LABEL_MAX)).max(10).default([]),
  required: z.boolean().default(true),
  /** The log doesn't show what was entered. */
  masked: z.boolean().default(false),
});
export type ActionInput = z.infer<typeof actionInput>;

const ask = z.strictObject({ id: stepId, type: z.literal('ask'), question: said, input: actionInput });
const say = z.strictObject({ id: stepId, type: z.literal('say'), text: said });
const confirm = z.strictObject({ id: stepId, type: z.literal('confirm'), text: said });
const call = z.strictObject({
  id: stepId,
  type: z.literal('call'),
  method: z.enum(ACTION_METHODS),
  url: text(1, URL_MAX),
  /** A header without a value keeps the one that is stored. Answers never have values. */
  headers: z
    .array(z.strictObject({ name: headerName, value: headerValue.optional() }))
    .max(ACTION_HEADERS_MAX)
    .default([]),
  /** JSON; empty: none. */
  body: text(0, ACTION_TEXT_MAX * 4).default(''),
  timeout_s: z.int().min(1).max(ACTION_TIMEOUT_MAX_S).default(ACTION_TIMEOUT_MAX_S),
  /** Said where the receiver answers 400, 404, 409, 410 or 422; empty: words of the bot's own. */
  refused_text: text(0, ACTION_TEXT_MAX).default(''),
});
const condition = z.strictObject({
  id: stepId,
  type: z.literal('if'),
  field: text(1, 100),
  operator: z.enum(CONDITION_OPERATORS),
  value: text(0, ACTION_VALUE_MAX).default(''),
  /** The step to continue with if the condition is true; otherwise the next step. */
  go_to: stepId,
});
const handoff = z.strictObject({ id: stepId, type: z.literal('handoff'), text: text(0, ACTION_TEXT_MAX) });
const end = z.strictObject({ id: stepId, type: z.literal('end') });

export const actionStep = z.discriminatedUnion('type', [ask, say, confirm, call, condition, handoff, end]);
export type ActionStep = z.infer<typeof actionStep>;
export type ActionStepOf<T extends ActionStep['type']> = Extract<ActionStep, { type: T }>;

const fields = {
  name: text(1, ACTION_NAME_MAX),
  label: text(1, ACTION_LABEL_MAX),
  purpose: text(0, ACTION_PURPOSE_MAX),
  examples: z.array(text(1, 200)).max(ACTION_EXAMPLES_MAX),
  verified: z.boolean(),
  steps: z.array(actionStep).min(1).max(ACTION_STEPS_MAX),
  enabled: z.boolean(),
};

export const action = z.object({
  id,
  name: z.string(),
  /** On the button, and what pressing it says. */
  label: z.string(),
  /** Its purpose, as described to a language model. */
  purpose: z.string(),
  /** What visitors ask who need it. */
  examples: z.array(z.string()),
  /** Only for visitors whose identity the site has proven. */
  verified: z.boolean(),
  steps: z.array(actionStep),
  enabled: z.boolean(),
  updated_utc: utc,
});
export type Action = z.infer<typeof action>;

export const actionCall = z.object({
  id,
  action_id: id.nullable(),
  action_name: z.string(),
  session_id: sessionId.nullable(),
  by: z.enum(ACTION_CALLERS),
  method: z.enum(ACTION_METHODS),
  /** The input; masked values are dots. */
  input: z.record(z.string(), z.string()),
  /** `unknown`: the process ended before there was an answer. */
  status: z.enum(ACTION_CALL_STATUSES),
  status_code: z.int().nullable(),
  duration_ms: z.int().nullable(),
  error: z.string().nullable(),
  response_excerpt: z.string().nullable(),
  started_utc: utc,
});
export type ActionCall = z.infer<typeof actionCall>;

/** The request of a test, without the values of headers. */
export const actionTest = z.object({
  call: actionCall,
  request: z.object({
    method: z.enum(ACTION_METHODS),
    url: z.string(),
    headers: z.array(z.string()),
    body: z.string().nullable(),
  }),
  /** The fields of the answer that texts and conditions can use. */
  fields: z.record(z.string(), z.string()),
});
export type ActionTest = z.infer<typeof actionTest>;

/** Actions of the bot, at the desk. */
export const actionContract = {
  'actions.list': { input: z.strictObject({}), output: z.array(action) },
  'actions.create': {
    input: z.strictObject({
      ...fields,
      purpose: fields.purpose.default(''),
      examples: fields.examples.default([]),
      verified: fields.verified.default(false),
      enabled: fields.enabled.default(true),
    }),
    output: action,
  },
  'actions.update': {
    input: z.strictObject({ id, ...z.object(fields).partial().shape }),
    output: action,
  },
  'actions.delete': { input: z.strictObject({ id }), output: deleted },
  /** Makes the call of one step with these values, for real, and says what was sent and answered. */
  'actions.test': {
    input: z.strictObject({
      id,
      step_id: stepId,
      values: z.record(storable.max(100), storable.max(ACTION_VALUE_MAX)).default({}),
    }),
    output: actionTest,
  },
  'action_calls.list': {
    input: z.strictObject({
      ...paging,
      action_id: id.optional(),
      session_id: sessionId.optional(),
      status: z.enum(ACTION_CALL_STATUSES).optional(),
    }),
    output: page(actionCall),
  },
} as const;
