import type { OutputOf } from '@foyer/protocol';
import { ARTICLE_RESTORE_MAX } from '@foyer/protocol/values/bounds';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { errorSentence } from '../../../errors/error-words.ts';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { t } from '../t.ts';

type Restored = OutputOf<'deleted_articles.restore'>;

/** One batch after the other. */
async function restoreAll(ids: readonly number[]): Promise<Restored> {
  const done: Restored = { restored: 0, failed: [] };
  for (let from = 0; from < ids.length; from += ARTICLE_RESTORE_MAX) {
    const part = await call('deleted_articles.restore', { ids: ids.slice(from, from + ARTICLE_RESTORE_MAX) });
    done.restored += part.restored;
    done.failed.push(...part.failed);
  }
  return done;
}

/** The only reason why an article can't be restored. */
const whyNot = ({ title, message }: Restored['failed'][number]): string =>
  errorSentence({ code: 'conflict', message, reason: 'article_title_taken', values: { name: title } });

/** Restores deleted articles and reports the result. */
export function usePutBack() {
  const client = useQueryClient();
  return async (ids: readonly number[]): Promise<void> => {
    try {
      const { restored, failed } = await restoreAll(ids);
      if (restored > 0) toast.success(t('put_back', { count: restored }));
      const [first] = failed;
      if (first) toast.error(t('put_back_not', { title: first.title }), new Error(whyNot(first)));
    } catch (error) {
      toast.error(t('put_back_failed'), error);
    }
    await Promise.all([
      client.invalidateQueries({ queryKey: ['articles'] }),
      client.invalidateQueries({ queryKey: ['categories'] }),
    ]);
  };
}

/** Reports that articles were deleted, with Undo. */
export function useSayDeleted() {
  const putBack = usePutBack();
  return (title: string, ids: readonly number[]): void => toast.undoable(title, () => void putBack(ids));
}
