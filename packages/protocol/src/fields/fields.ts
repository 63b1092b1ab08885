import { z } from 'zod';
import { NAME_MAX } from '../values/bounds.ts';
import {
  FIELD_CHOICE_MAX,
  FIELD_CHOICES_MAX,
  FIELD_KEY_MAX,
  FIELD_KINDS,
  FIELD_OWNERS,
  FIELD_TEXT_MAX,
} from '../values/fields/field-names.ts';
import { TEAM_STATES } from '../values/wire-names.ts';
import { deleted, id, page, paging, text, utc } from '../values.ts';

/** A letter or `_`, then letters, digits and `_`: a name that JSON, addresses and attributes can have. */
export const fieldKey = z
  .string()
  .trim()
  .regex(
    new RegExp(`^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,${FIELD_KEY_MAX - 1}}$`),
    `must be at most ${FIELD_KEY_MAX} letters, digits and _`,
  );

/** What a field can hold, whatever its kind. The server checks the kind. */
export const fieldValue = z.union([
  z.string().max(FIELD_TEXT_MAX, `must have at most ${FIELD_TEXT_MAX} characters`),
  z.number(),
  z.boolean(),
  z.array(z.string().max(FIELD_CHOICE_MAX)).max(FIELD_CHOICES_MAX),
]);
export type FieldValue = z.infer<typeof fieldValue>;

/** Values by the keys of their fields; fields without a value are absent. */
export const fieldValues = z.record(z.string(), fieldValue);
export type FieldValues = z.infer<typeof fieldValues>;

/** An update: null clears a value, an absent one stays. */
export const fieldChanges = z
  .record(z.string(), fieldValue.nullable())
  .describe('Custom fields by key; null clears one, omitted ones stay');
export type FieldChanges = z.infer<typeof fieldChanges>;

export const fieldKind = z.enum(FIELD_KINDS);
export const fieldOwner = z.enum(FIELD_OWNERS);

export const field = z.object({
  id,
  applies_to: fieldOwner,
  key: z.string().describe('Names it in values and filters; of people, the attribute that holds the value'),
  name: z.string(),
  kind: fieldKind,
  choices: z.array(z.string()).describe('Of the kinds `choice` and `choices`, in order'),
  position: z.int(),
  required: z.boolean().describe('Agents can’t solve a ticket or close a chat without a value'),
  visible: z.boolean().describe('Customers see the value'),
  archived_utc: utc.nullable().describe('Its values are kept, but hidden'),
  created_utc: utc,
  updated_utc: utc,
});
export type Field = z.infer<typeof field>;

const choices = z
  .array(text(1, FIELD_CHOICE_MAX))
  .max(FIELD_CHOICES_MAX, `must have at most ${FIELD_CHOICES_MAX} choices`)
  .refine((all) => new Set(all.map((one) => one.toLowerCase())).size === all.length, {
    error: 'must not repeat a choice',
    params: { reason: 'twice' },
  });
const name = text(1, NAME_MAX);
const position = z
  .int('must be an integer')
  .min(0, 'must be at least 0')
  .max(1_000_000, 'must be at most 1000000');

export const fieldContract = {
  'fields.list': {
    input: z.strictObject({
      ...paging,
      order: z.enum(['asc', 'desc']).default('asc'),
      id: id.optional(),
      applies_to: fieldOwner.optional(),
      state: z.enum(TEAM_STATES).default('active'),
    }),
    output: z.union([page(field), field]),
  },
  'fields.create': {
    input: z
      .strictObject({
        applies_to: fieldOwner,
        name,
        key: fieldKey.optional().describe('By default from the name. It can’t be changed later'),
        kind: fieldKind.describe('It can’t be changed later'),
        choices: choices.optional(),
        position: position.optional().describe('By default after the last'),
        required: z.boolean().optional(),
        visible: z.boolean().optional(),
      })
      .meta({
        examples: [{ applies_to: 'tickets', name: 'Cause', kind: 'choice', choices: ['Carrier', 'Us'] }],
      }),
    output: field,
  },
  'fields.update': {
    input: z.strictObject({
      id,
      name: name.optional(),
      choices: choices.optional().describe('Replaces all. A value that is no longer a choice stays'),
      position: position.optional(),
      required: z.boolean().optional(),
      visible: z.boolean().optional(),
      archived: z.boolean().optional().describe('Hides the field and its values until it is restored'),
    }),
    output: field,
  },
  'fields.delete': { input: z.strictObject({ id }), output: deleted },
} as const;
