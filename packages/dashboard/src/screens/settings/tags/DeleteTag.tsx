import { call } from '../../../api.ts';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { t } from './t.ts';
import { type UsedTag, wordsOfUses } from './tag-words.ts';
import { useTagsChanged } from './use-tags-changed.ts';

/** Asks before deleting a tag, and lists what has it. */
export function DeleteTag({ tag, most, onClose }: { tag: UsedTag; most: number; onClose: () => void }) {
  const changed = useTagsChanged();
  const uses = wordsOfUses(tag.uses, most);
  return (
    <ConfirmAction
      open
      onClose={onClose}
      title={t('delete_ask', { name: tag.name })}
      action={t('delete_action')}
      run={() => call('tags.delete', { id: tag.id })}
      onDone={async () => {
        await changed();
        toast.success(t('deleted', { name: tag.name }));
        onClose();
      }}
    >
      <p>{uses ? t('delete_hint', { uses }) : t('delete_unused')}</p>
      {tag.uses.macros > 0 ? <p className="mt-2">{t('delete_macros')}</p> : null}
    </ConfirmAction>
  );
}
