import { z } from 'zod';
import { NAME_MAX, TEAM_DESCRIPTION_MAX, TEAM_EMOJI_MAX, TEAM_MEMBERS_MAX } from '../values/bounds.ts';
import { ROUTINGS, TEAM_STATES } from '../values/wire-names.ts';
import { agentRef, deleted, id, page, paging, text, utc } from '../values.ts';
import { officeHours } from './office-hours.ts';

export const team = z.object({
  id,
  name: z.string(),
  description: z.string(),
  emoji: z.string().nullable(),
  lead: agentRef.nullable().describe('Always one of the members'),
  members: z.array(agentRef).describe('By name; agents may be in several teams'),
  office_hours: officeHours.nullable().describe('Null: the site’s'),
  routing: z.enum(ROUTINGS).nullable().describe('How its waiting chats get an assignee; null: as the site’s'),
  ticket_routing: z
    .enum(ROUTINGS)
    .nullable()
    .describe('How its tickets get an assignee; null: as the site’s'),
  archived_utc: utc.nullable(),
  created_utc: utc,
  updated_utc: utc,
});
export type Team = z.infer<typeof team>;

const name = text(1, NAME_MAX);
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** One character as people see it, which begins like an emoji or a flag. */
const isEmoji = (value: string): boolean =>
  [...graphemes.segment(value)].length === 1 &&
  /^[\p{Extended_Pictographic}\p{Regional_Indicator}]/u.test(value);

const emoji = text(1, TEAM_EMOJI_MAX).refine(isEmoji, 'must be an emoji');

const fields = {
  description: text(0, TEAM_DESCRIPTION_MAX).optional(),
  emoji: emoji.nullable().optional(),
  member_ids: z
    .array(id)
    .max(TEAM_MEMBERS_MAX, `must have at most ${TEAM_MEMBERS_MAX} members`)
    .describe('Agents; replaces all of them')
    .optional(),
  lead_id: id.nullable().describe('Becomes a member too; null: nobody').optional(),
  office_hours: officeHours.nullable().describe('Null: the site’s').optional(),
  routing: z
    .enum(ROUTINGS)
    .nullable()
    .describe('How its waiting chats get an assignee; null: as the site’s')
    .optional(),
  ticket_routing: z
    .enum(ROUTINGS)
    .nullable()
    .describe('How its tickets get an assignee; null: as the site’s')
    .optional(),
};

export const teamContract = {
  'teams.list': {
    input: z.strictObject({
      ...paging,
      id: id.optional(),
      member_id: id.describe('Only the teams of this agent').optional(),
      state: z.enum(TEAM_STATES).default('active'),
    }),
    output: z.union([page(team), team]),
  },
  'teams.create': {
    input: z.strictObject({ name, ...fields }).meta({ examples: [{ name: 'Billing', emoji: '💳' }] }),
    output: team,
  },
  'teams.update': {
    input: z.strictObject({
      id,
      name: name.optional(),
      ...fields,
      archived: z.boolean().describe('Archived teams get no new work').optional(),
    }),
    output: team,
  },
  'teams.delete': { input: z.strictObject({ id }), output: deleted },
} as const;
