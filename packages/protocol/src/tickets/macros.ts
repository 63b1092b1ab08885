import { z } from 'zod';
import { session } from '../chat/conversations.ts';
import { fieldValue } from '../fields/fields.ts';
import { ACTION_SUBJECT_MAX, MACRO_ACTIONS_MAX, NAME_MAX } from '../values/bounds.ts';
import { FIELD_KEY_MAX } from '../values/fields/field-names.ts';
import {
  deleted,
  done,
  email,
  id,
  knowsPlaceholders,
  page,
  paging,
  sessionId,
  text,
  utc,
} from '../values.ts';
import { snoozeMinutes, tagNames, ticket, ticketPriority, ticketStatus, ticketText } from './tickets.ts';
import { hasItsTeam, ITS_TEAM, visibilityChange, visibilityFields, visibilityInput } from './visibility.ts';

const macroText = ticketText.superRefine(knowsPlaceholders());

export const someTagNames = tagNames.min(1, 'must have at least one tag');

/** A mail to each member of a team, or to one address. */
const sendEmail = z
  .strictObject({
    type: z.literal('send_email'),
    /** Each member gets the mail, with a link to the chat or ticket. */
    team_id: id.optional(),
    address: email.optional(),
    subject: text(1, ACTION_SUBJECT_MAX).superRefine(knowsPlaceholders()),
    body: macroText,
  })
  .refine(({ team_id, address }) => (team_id === undefined) !== (address === undefined), {
    message: 'either team_id or address must be given',
    path: ['team_id'],
  });

/** `assignee_id: null` unassigns the ticket. */
export const macroAction = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('reply'), body: macroText }),
  z.strictObject({ type: z.literal('note'), body: macroText }),
  z.strictObject({ type: z.literal('set_status'), status: ticketStatus }),
  z.strictObject({ type: z.literal('set_priority'), priority: ticketPriority }),
  z.strictObject({ type: z.literal('assign'), assignee_id: id.nullable() }),
  z.strictObject({ type: z.literal('assign_team'), team_id: id.nullable() }),
  z.strictObject({ type: z.literal('add_tags'), tags: someTagNames }),
  z.strictObject({ type: z.literal('remove_tags'), tags: someTagNames }),
  z.strictObject({ type: z.literal('snooze'), minutes: snoozeMinutes }),
  /** A custom field that the chat or ticket has; null clears it. */
  z.strictObject({
    type: z.literal('set_field'),
    field: text(1, FIELD_KEY_MAX),
    value: fieldValue.nullable(),
  }),
  sendEmail,
  /** Sends `webhook_called` to this webhook alone. */
  z.strictObject({ type: z.literal('call_webhook'), webhook_id: id }),
  /** The chat’s visitor, or the ticket’s requester. */
  z.strictObject({ type: z.literal('block') }),
]);
export type MacroAction = z.output<typeof macroAction>;

const actions = z
  .array(macroAction)
  .min(1, 'must have at least one action')
  .max(MACRO_ACTIONS_MAX, `must have at most ${MACRO_ACTIONS_MAX} actions`);
const name = text(1, NAME_MAX);

export const macro = z.object({
  id,
  name: z.string(),
  actions: z.array(macroAction),
  ...visibilityFields,
  created_utc: utc,
  updated_utc: utc,
});
export type Macro = z.infer<typeof macro>;

export const macroContract = {
  'macros.list': {
    input: z.strictObject({ ...paging, id: id.optional() }),
    output: z.union([page(macro), macro]),
  },
  'macros.create': {
    input: z.strictObject({ name, actions, ...visibilityInput }).refine(hasItsTeam, ITS_TEAM),
    output: macro,
  },
  'macros.update': {
    input: z
      .strictObject({ id, name: name.optional(), actions: actions.optional(), ...visibilityChange })
      .refine(hasItsTeam, ITS_TEAM),
    output: macro,
  },
  'macros.delete': { input: z.strictObject({ id }), output: deleted },
  /** How often each was used. */
  'macros.uses': {
    input: z.strictObject({}),
    output: z.object({ macros: z.array(z.object({ id, uses: z.int(), last_used_utc: utc.nullable() })) }),
  },
  /** Counts that its text was inserted into a reply. Applying it counts automatically. */
  'macros.note_use': { input: z.strictObject({ id }), output: done },
  /** All of its actions on one ticket, or none of them. */
  'macros.apply': { input: z.strictObject({ macro_id: id, ticket_id: id }), output: ticket },
  /** Those of its actions that chats have (`worksInChat`), or none of them. */
  'macros.apply_to_chat': { input: z.strictObject({ macro_id: id, session_id: sessionId }), output: session },
} as const;
