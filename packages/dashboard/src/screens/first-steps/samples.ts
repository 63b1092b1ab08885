import type { Samples } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { callQuery } from '../../call-queries.ts';
import { formatList } from '../../language.ts';
import { toast } from '../../ui/toasts/toast-store.ts';
import { t } from './t.ts';

export const samplesQuery = callQuery(['samples'], 'samples.get', {});

/** Whether any sample is left. */
export const hasSamples = ({ articles, starters, chats, visitors, tickets, macros }: Samples): boolean =>
  articles + starters + chats + visitors + tickets + macros > 0;

/** `20 articles, 3 starters and 3 chats` */
export function thingsOf({ articles, starters, chats, visitors, tickets, macros }: Samples): string {
  const counted = [
    articles > 0 && t('sample_articles', { count: articles }),
    starters > 0 && t('sample_starters', { count: starters }),
    chats > 0 && t('sample_chats', { count: chats }),
    tickets > 0 && t('sample_tickets', { count: tickets }),
    macros > 0 && t('sample_macros', { count: macros }),
    visitors > 0 && t('sample_visitors', { count: visitors }),
  ];
  return formatList(counted.filter((one) => one !== false));
}

/** Sample data appears on nearly every screen. */
const useFresh = () => {
  const client = useQueryClient();
  return () => client.invalidateQueries();
};

/** Removes the samples and refreshes what showed them. */
export function useRemoveSamples(onDone: () => void) {
  const refresh = useFresh();
  return useMutation({
    mutationFn: () => call('samples.remove', {}),
    onSuccess: () => {
      onDone();
      toast.success(t('sample_removed'));
      return refresh();
    },
  });
}

/** Adds the sample articles to an empty knowledge base. */
export function useAddSamples() {
  const refresh = useFresh();
  return useMutation({
    mutationFn: () => call('samples.create', {}),
    onSuccess: () => {
      toast.success(t('sample_added'));
      return refresh();
    },
    onError: (error) => toast.error(t('sample_not_added'), error),
  });
}
