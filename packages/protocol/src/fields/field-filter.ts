import { z } from 'zod';
import { FIELD_FILTERS_MAX, FIELD_KEY_MAX } from '../values/fields/field-names.ts';
import { text } from '../values.ts';
import { scalar, size } from '../visitors/segments.ts';

/** The key of a custom field of tickets or chats. */
const custom_field = text(1, FIELD_KEY_MAX);
/** A custom field of the chat or ticket. Those of people are attributes. Of several choices, `eq` asks for one of them. */
export const customFieldCondition = z.discriminatedUnion(
  'op',
  [
    z.strictObject({ custom_field, op: z.enum(['eq', 'ne', 'contains']), value: scalar }),
    z.strictObject({ custom_field, op: z.enum(['gt', 'lt']), value: size }),
    z.strictObject({ custom_field, op: z.enum(['set', 'unset']) }),
  ],
  { error: 'must be eq, ne, gt, lt, contains, set or unset' },
);
export type CustomFieldCondition = z.output<typeof customFieldCondition>;

/** The conditions on custom fields in a list's filter. */
export const fieldFilter = z
  .array(customFieldCondition, 'must be a list of conditions on custom fields')
  .min(1, 'must have at least 1 condition')
  .max(FIELD_FILTERS_MAX, `must have at most ${FIELD_FILTERS_MAX} conditions`)
  .describe('Conditions on custom fields, which must all match. In a query, as JSON');
