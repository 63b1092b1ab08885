import type { Rule } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { setOptimistically } from '../../../call-queries.ts';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { rulesQuery } from './rule-queries.ts';
import { t } from './t.ts';

/** Enables or disables a rule, immediately on the screen. */
export function useEnabling() {
  const client = useQueryClient();
  const { queryKey } = rulesQuery;
  return useMutation({
    mutationFn: (change: { id: number; enabled: boolean }) => call('rules.update', change),
    onMutate: ({ id, enabled }) =>
      setOptimistically<{ items: Rule[] }>(client, queryKey, ({ items }) => ({
        items: items.map((rule) => (rule.id === id ? { ...rule, enabled } : rule)),
      })),
    onError: (error) => toast.error(t('not_changed'), error),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}
