import { z } from 'zod';
import { id } from '../values.ts';

// Who sees a macro or a view and may use it: everyone, the members of one team and admins, or its agent alone.

export const VISIBILITIES = ['everyone', 'team', 'private'] as const;
/** What is shared can't become private. */
const SHARED = ['everyone', 'team'] as const;

const team_id = id.optional().describe('The team, with visibility team');

/** For a new macro or view, which may be private; API tokens have none. */
export const visibilityInput = { visibility: z.enum(VISIBILITIES).default('everyone'), team_id };
export const sharedVisibilityInput = { visibility: z.enum(SHARED).default('everyone'), team_id };
export const visibilityChange = { visibility: z.enum(SHARED).optional(), team_id };

/** For `refine`: a team is named with visibility `team`, and only then. */
export const hasItsTeam = (input: { visibility?: unknown; team_id?: unknown }): boolean =>
  (input.visibility === 'team') === (input.team_id !== undefined);
export const ITS_TEAM = { path: ['team_id'], message: 'must be given with visibility team, and only then' };

export const visibilityFields = {
  visibility: z.enum(VISIBILITIES),
  team_id: id.nullable().describe('The team that it belongs to'),
};

/** Who should see a macro or view. */
export interface VisibilityChoice {
  visibility?: (typeof VISIBILITIES)[number] | undefined;
  team_id?: number | undefined;
}
