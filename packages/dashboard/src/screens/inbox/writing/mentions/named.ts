import type { AgentRef } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { useMe } from '../../../../desk/DeskContext.tsx';
import { agentsQuery } from '../../../../queries.ts';
import { namedLike } from './mention-search.ts';

const SHOWN_MOST = 6;

/** The agents who match, in the team's order, without the author. */
export function useNamed(q: string | undefined) {
  const { agent: me } = useMe();
  const { data } = useQuery({ ...agentsQuery, enabled: q !== undefined });
  if (q === undefined || !data) return { named: [], isAlone: false };
  const others = data.agents.filter(({ id }) => id !== me.id);
  return { named: namedLike(others, q).slice(0, SHOWN_MOST), isAlone: others.length === 0 };
}

/** The id of an agent's line in the list with this id. */
export const optionId = (list: string, agent: AgentRef): string => `${list}-${agent.id}`;
