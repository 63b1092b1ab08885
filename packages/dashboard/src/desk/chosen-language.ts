import type { DeskLanguage } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api.ts';
import { preferredLanguage, speak } from '../language.ts';
import { meQuery } from '../queries.ts';
import { tCommon } from '../t-common.ts';
import { toast } from '../ui/toasts/toast-store.ts';
import { useMe } from './DeskContext.tsx';

/** The agent's chosen desk language and its setter; null: the browser's preferred one. */
export function useChosenLanguage(): [DeskLanguage | null, (language: DeskLanguage | null) => void] {
  const { language } = useMe();
  const client = useQueryClient();
  const choose = useMutation({
    mutationFn: async (chosen: DeskLanguage | null) => {
      await call('me.set_language', { language: chosen });
      client.setQueryData(meQuery.queryKey, (me) => (me ? { ...me, language: chosen } : me));
      await speak(chosen ?? preferredLanguage());
    },
    onError: (error) => toast.error(tCommon('language_failed'), error),
  });
  return [language, (chosen) => choose.mutate(chosen)];
}
