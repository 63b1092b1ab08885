import { useState } from 'react';
import { call } from '../../../api.ts';
import { MergeDialog } from '../../../forms/MergeDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { t } from './t.ts';
import type { UsedTag } from './tag-words.ts';
import { useTagsChanged } from './use-tags-changed.ts';

interface MergeTagProps {
  tag: UsedTag;
  tags: readonly UsedTag[];
  onClose: () => void;
}

/** Replaces a tag by another, in parts. An interrupted merge continues when it is started again. */
export function MergeTag({ tag, tags, onClose }: MergeTagProps) {
  const others = tags.filter(({ id }) => id !== tag.id);
  const [moved, setMoved] = useState(0);
  const changed = useTagsChanged();
  const mergeAll = async (into_id: number): Promise<void> => {
    for (let count = 0; ; ) {
      const part = await call('tags.merge', { id: tag.id, into_id });
      if (part.done) return;
      count += part.moved;
      setMoved(count);
    }
  };
  const form = useForm({
    initial: { into: others[0]?.id ?? 0 },
    save: ({ into }) => mergeAll(into).finally(changed),
    onSaved: (_, { into }) => {
      toast.success(t('merged', { from: tag.name, into: others.find(({ id }) => id === into)?.name ?? '' }));
      onClose();
    },
  });
  return (
    <MergeDialog
      title={t('merge_title', { name: tag.name })}
      action={t('merge')}
      failure={t('merge_failed')}
      label={t('merge_into')}
      hint={t('merge_hint', { name: tag.name })}
      others={others}
      form={form}
      onClose={onClose}
    >
      {form.saving && moved > 0 ? (
        <p role="status" className="tabular">
          {t('merging', { count: moved })}
        </p>
      ) : null}
    </MergeDialog>
  );
}
