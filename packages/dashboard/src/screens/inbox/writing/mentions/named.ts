import type { Mention } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { useMe } from '../../../../desk/DeskContext.tsx';
import { activeTeams, agentsQuery, teamsQuery } from '../../../../queries.ts';
import { namedLike } from './mention-search.ts';

const SHOWN_MOST = 6;

/** An agent or a team that can be mentioned, with what shows it. */
export type Mentionable = Mention & { picture?: string | null; emoji?: string | null };

/** The agents who match, without the author, and then the teams in which somebody else is. */
export function useNamed(q: string | undefined): { named: Mentionable[]; isAlone: boolean } {
  const { agent: me } = useMe();
  const enabled = q !== undefined;
  const { data } = useQuery({ ...agentsQuery, enabled });
  const teams = activeTeams(useQuery({ ...teamsQuery, enabled }).data);
  if (q === undefined || !data) return { named: [], isAlone: false };
  const others = data.agents.filter(({ id }) => id !== me.id);
  const withOthers = teams.filter(({ members }) => members.some(({ id }) => id !== me.id));
  const named = [
    ...others.map(({ id, name, picture_url }) => ({ id, name, picture: picture_url })),
    ...withOthers.map(({ id, name, emoji }) => ({ id, name, emoji, kind: 'team' as const })),
  ];
  return { named: namedLike(named, q).slice(0, SHOWN_MOST), isAlone: others.length === 0 };
}

/** The id of the line of an agent or team in the list with this id. */
export const optionId = (list: string, { kind, id }: Mention): string => `${list}-${kind ?? 'agent'}-${id}`;
