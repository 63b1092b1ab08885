import type { NotificationChoices, OutputOf } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { callQuery, setOptimistically } from '../../call-queries.ts';
import { toast } from '../../ui/toasts/toast-store.ts';
import { t } from './t.ts';

export type Settings = OutputOf<'notification_settings.get'>;

export const settingsQuery = callQuery(['notification settings'], 'notification_settings.get', {});

/** Changes some of the agent's choices: shown immediately, and reverted if saving fails. */
export function useChoose(): (changed: Partial<NotificationChoices>) => void {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (changed: Partial<NotificationChoices>) => call('notification_settings.update', changed),
    onMutate: (changed) =>
      setOptimistically<Settings>(client, settingsQuery.queryKey, (known) => ({
        ...known,
        choices: { ...known.choices, ...changed },
      })),
    onError: (error) => {
      toast.error(t('not_saved'), error);
      void client.invalidateQueries({ queryKey: settingsQuery.queryKey });
    },
  });
  return mutate;
}
