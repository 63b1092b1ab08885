import { useMutation } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { Confirm } from '../../../ui/Dialog.tsx';
import { say } from '../../../ui/toast-store.ts';
import { t } from './t.ts';
import { type UsedTag, wordsOfUses } from './tag-words.ts';
import { useTagsChanged } from './use-tags-changed.ts';

/** Asks before a tag goes, and names what loses it. */
export function DeleteTag({ tag, most, onClose }: { tag: UsedTag; most: number; onClose: () => void }) {
  const changed = useTagsChanged();
  const remove = useMutation({
    mutationFn: () => call('tags.delete', { id: tag.id }),
    onSuccess: async () => {
      await changed();
      say(t('deleted', { name: tag.name }));
      onClose();
    },
  });
  const uses = wordsOfUses(tag.uses, most);
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('delete_ask', { name: tag.name })}
      action={t('delete_action')}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    >
      <p>{uses ? t('delete_hint', { uses }) : t('delete_unused')}</p>
      {tag.uses.macros > 0 ? <p className="mt-2">{t('delete_macros')}</p> : null}
    </Confirm>
  );
}
