import { z } from 'zod';
import { inboxFilterFields } from '../chat/inbox-filter.ts';
import { NAME_MAX, SLA_MINUTES_MAX } from '../values/bounds.ts';
import { SLA_HOURS, SLA_KINDS, SLA_PAUSES, SLA_STATES, SLA_TARGETS } from '../values/tickets/sla-names.ts';
import { TICKET_PRIORITIES } from '../values/wire-names.ts';
import { deleted, id, listPosition, page, paging, text, utc } from '../values.ts';

const { priority, team_id, tag, segment } = inboxFilterFields;

/** The fields of the inbox's filter that don't change with time or with every answer. */
export const slaConditions = z.strictObject({ priority, team_id, tag, segment });
export type SlaConditions = z.output<typeof slaConditions>;

const minutes = z
  .int('must be an integer')
  .min(1, 'must be at least 1')
  .max(SLA_MINUTES_MAX, `must be at most ${SLA_MINUTES_MAX}`);

const byPriority = z.object(
  Object.fromEntries(TICKET_PRIORITIES.map((name) => [name, minutes.nullable()])) as Record<
    (typeof TICKET_PRIORITIES)[number],
    z.ZodNullable<typeof minutes>
  >,
);
const targets = z.object({
  first_response: byPriority,
  next_response: byPriority,
  resolution: byPriority,
});
export type SlaTargets = z.infer<typeof targets>;

const byPriorityGiven = z.strictObject(byPriority.partial().shape);
const targetsGiven = z
  .strictObject({
    first_response: byPriorityGiven.optional(),
    next_response: byPriorityGiven.optional(),
    resolution: byPriorityGiven.optional(),
  })
  .refine((given) => Object.values(given).some((one) => one && Object.values(one).some(Number.isInteger)), {
    error: 'must have at least one time',
    params: { reason: 'no_target' },
  });

const appliesTo = z
  .array(z.enum(SLA_KINDS))
  .min(1, 'must have at least one kind')
  .refine((list) => new Set(list).size === list.length, {
    error: 'must not repeat a value',
    params: { reason: 'twice' },
  });
const hours = z.enum(SLA_HOURS);
const pauses = z.array(z.enum(SLA_PAUSES)).refine((list) => new Set(list).size === list.length, {
  error: 'must not repeat a value',
  params: { reason: 'twice' },
});

export const slaPolicy = z.object({
  id,
  name: z.string(),
  position: z.int().describe('The first policy whose conditions fit applies'),
  applies_to: appliesTo.describe('Chats count as tickets of normal priority'),
  conditions: slaConditions.describe('Fields of the inbox’s filter; none: everything'),
  targets: targets.describe('Minutes by priority; null: no target'),
  hours: hours.describe(
    'Whose office hours count: the team’s, or else the site’s (`team`), the site’s, or all hours (`always`)',
  ),
  warn_minutes: minutes.nullable().describe('How long before a target is due the team is warned; null: not'),
  pauses: pauses.describe('What stops the time to resolution. Responses are never paused'),
  created_utc: utc,
  updated_utc: utc,
});
export type SlaPolicy = z.infer<typeof slaPolicy>;

/** What was promised about a ticket or chat. */
export const sla = z.object({
  policy: z.object({ id, name: z.string() }),
  target: z.enum(SLA_TARGETS).nullable().describe('What is due next; null: nothing, or it is paused'),
  due_utc: utc.nullable().describe('When that is due; late once it is past'),
  warn_utc: utc.nullable().describe('From when it counts as due soon'),
  targets: z.array(
    z.object({
      target: z.enum(SLA_TARGETS),
      state: z.enum(SLA_STATES),
      due_utc: utc.nullable().describe('Null while paused'),
      missed_utc: utc.nullable().describe('When its time was over without it'),
    }),
  ),
});
export type Sla = z.infer<typeof sla>;

const fields = {
  applies_to: appliesTo.optional().describe('`tickets` by default'),
  conditions: slaConditions.optional(),
  hours: hours.optional().describe('`team` by default'),
  warn_minutes: minutes.nullable().optional(),
  pauses: pauses.optional().describe('`pending` and `snoozed` by default'),
  position: listPosition.optional(),
};

export const slaContract = {
  /** By `position`, then `id`; `order=desc` reverses it. */
  'sla_policies.list': {
    input: z.strictObject({
      ...paging,
      order: z.enum(['asc', 'desc']).default('asc'),
      id: id.optional().describe('Read one policy instead of a list'),
    }),
    output: z.union([page(slaPolicy), slaPolicy]),
  },
  'sla_policies.create': {
    input: z.strictObject({ name: text(1, NAME_MAX), targets: targetsGiven, ...fields }).meta({
      examples: [{ name: 'Standard', targets: { first_response: { normal: 240, urgent: 30 } } }],
    }),
    output: slaPolicy,
  },
  'sla_policies.update': {
    input: z.strictObject({
      id,
      name: text(1, NAME_MAX).optional(),
      targets: targetsGiven.optional().describe('Replaces all targets'),
      ...fields,
    }),
    output: slaPolicy,
  },
  'sla_policies.delete': { input: z.strictObject({ id }), output: deleted },
} as const;
