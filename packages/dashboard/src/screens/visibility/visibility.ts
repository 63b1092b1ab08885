import type { Macro } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../desk/DeskContext.tsx';
import { teamsQuery } from '../../queries.ts';
import { t } from './t.ts';

/** Who sees a macro or view. */
export type Seen = Pick<Macro, 'visibility' | 'team_id'>;

export const PRIVATE: Seen = { visibility: 'private', team_id: null };
export const EVERYONE: Seen = { visibility: 'everyone', team_id: null };

const teamIn = ({ team_id }: Seen): { team_id?: number } => (team_id === null ? {} : { team_id });

/** As creating takes it. */
export const seenBy = (seen: Seen) => ({ visibility: seen.visibility, ...teamIn(seen) });

/** As changing takes it: nothing if it is to be seen by the same people. */
export const seenNowBy = (seen: Seen, before: Seen) =>
  seen.visibility === 'private' || (seen.visibility === before.visibility && seen.team_id === before.team_id)
    ? {}
    : { visibility: seen.visibility, ...teamIn(seen) };

/** Whether the agent may change a macro or view: what is shared needs a permission. */
export function useMayChange(): (seen: Seen) => boolean {
  const mayShare = useMay('shared');
  return ({ visibility }) => mayShare || visibility === 'private';
}

/** Says who sees something that not everyone sees. */
export function useSeenWords(): (seen: Seen) => string | undefined {
  const teams = useQuery(teamsQuery).data?.items ?? [];
  return ({ visibility, team_id }) => {
    if (visibility === 'everyone') return undefined;
    if (visibility === 'private') return t('only_me');
    return teams.find(({ id }) => id === team_id)?.name ?? t('team_gone');
  };
}
