import type { AnyOperation } from '../../core/operation.ts';
import { resourceOperations } from '../../core/resource.ts';
import { createTeam, deleteTeam, listTeams, updateTeam } from './teams.ts';

/** Groups of agents: everybody reads them, admins and tokens change them. */
export const teamsOperations: AnyOperation[] = resourceOperations({
  name: 'teams',
  record: 'team',
  who: ['token', 'agent'],
  writers: ['token', 'admin'],
  audit: 'team',
  list: {
    summary: 'List teams with their members, or read one by id',
    records: { id: 'team' },
    tool: 'List the teams of the site with their members, lead and office hours; `member_id` gives the teams of one agent.',
    run: listTeams,
  },
  create: {
    summary: 'Create a team',
    tool: 'Create a team. `lead_id` becomes a member too; `office_hours` null means the site’s.',
    run: createTeam,
  },
  update: {
    summary: 'Change a team, archive or restore it',
    tool: 'Change a team. `member_ids` replaces all members. `archived: true` keeps the team where it is named, but gives it no new work.',
    run: updateTeam,
  },
  delete: {
    summary: 'Delete a team',
    tool: 'Delete a team by its id from list_teams. Archive it instead (update_team) to keep its name.',
    run: (ctx, { id }) => deleteTeam(ctx, id),
  },
});
