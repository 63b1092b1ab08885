import type { ChosenPresence, OutputOf } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../api.ts';
import { setOptimistically } from '../call-queries.ts';
import { meQuery, presenceQuery } from '../queries.ts';
import { tCommon } from '../t-common.ts';
import { toast } from '../ui/toasts/toast-store.ts';
import { useLiveState, useMe } from './DeskContext.tsx';

/** Presence as the team sees it. */
export type SeenPresence = 'online' | 'away' | 'offline';

/** The word for it. */
export const seenWord = (seen: SeenPresence): string => tCommon(`presence_${seen}`);

const CHOICES: readonly ChosenPresence[] = ['online', 'away', 'invisible'];

/** The states an agent can choose, with their names. */
export const presenceChoices = (): { value: ChosenPresence; label: string }[] =>
  CHOICES.map((value) => ({ value, label: tCommon(`presence_${value}`) }));

/** Whether a value is a state that an agent can choose. */
export const isChoice = (value: string): value is ChosenPresence =>
  CHOICES.some((choice) => choice === value);

/** A function that returns a colleague's presence. */
export function useSeenPresence(): (agentId: number) => SeenPresence {
  const { data } = useQuery(presenceQuery);
  return (agentId) => {
    if (data?.online.includes(agentId)) return 'online';
    return data?.away.includes(agentId) ? 'away' : 'offline';
  };
}

/** The agent's own presence on the server: offline without a connection. */
export function useOwnPresence(): { seen: SeenPresence; words: string } {
  const { agent, presence } = useMe();
  const seenOf = useSeenPresence();
  if (useLiveState() !== 'online') return { seen: 'offline', words: seenWord('offline') };
  if (presence === 'invisible') return { seen: 'offline', words: tCommon('presence_invisible') };
  const seen = seenOf(agent.id);
  return { seen, words: seenWord(seen) };
}

/** The agent's chosen presence and its setter. */
export function useChosenPresence(): [ChosenPresence, (presence: ChosenPresence) => void] {
  const { presence } = useMe();
  const client = useQueryClient();
  const show = (chosen: ChosenPresence): Promise<void> =>
    setOptimistically<OutputOf<'me.get'>>(client, meQuery.queryKey, (me) => ({ ...me, presence: chosen }));
  const choose = useMutation({
    mutationFn: (chosen: ChosenPresence) => call('me.set_presence', { presence: chosen }),
    onMutate: async (chosen) => {
      await show(chosen);
      return { before: presence };
    },
    onError: (error, _chosen, context) => {
      if (context) void show(context.before);
      toast.error(tCommon('presence_failed'), error);
    },
  });
  return [presence, (chosen) => choose.mutate(chosen)];
}
