import type { Role } from '@foyer/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { agentsQuery } from '../../../queries.ts';
import { t } from './t.ts';

/** A role's name in the agent's language. */
export const roleWord = (role: Role): string => t(`role_${role}`);

/** Reloads agents and invitations after a change. */
export function useTeamRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: agentsQuery.queryKey });
}
