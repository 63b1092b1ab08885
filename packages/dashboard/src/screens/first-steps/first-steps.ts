import type { FirstSteps } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { callQuery, setOptimistically } from '../../call-queries.ts';
import { toast } from '../../ui/toasts/toast-store.ts';
import { t } from './t.ts';

export const firstStepsQuery = callQuery(['first_steps'], 'first_steps.get', {});

/** How many steps are done. */
export const countDone = ({ steps }: FirstSteps): number => steps.filter(({ done }) => done).length;

/** Whether steps are left, and the agent hasn't dismissed them. */
export const areShown = (first: FirstSteps | undefined): first is FirstSteps =>
  first !== undefined && !first.put_away && countDone(first) < first.steps.length;

/** Dismisses the list or brings it back, immediately on the screen. */
export function usePutAway() {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (put_away: boolean) => call('first_steps.put_away', { put_away }),
    onMutate: (put_away) =>
      setOptimistically<FirstSteps>(client, firstStepsQuery.queryKey, (old) => ({ ...old, put_away })),
    onSuccess: (_, isAway) => {
      if (isAway) toast.undoable(t('put_away_done'), () => change.mutate(false));
    },
    onError: (error) => toast.error(t('not_changed'), error),
    onSettled: () => client.invalidateQueries({ queryKey: firstStepsQuery.queryKey }),
  });
  return change;
}
