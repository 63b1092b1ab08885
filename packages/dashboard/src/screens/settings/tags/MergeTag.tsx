import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { MergeDialog } from '../../../ui/MergeDialog.tsx';
import { say } from '../../../ui/toast-store.ts';
import { t } from './t.ts';
import type { UsedTag } from './tag-words.ts';
import { useTagsChanged } from './use-tags-changed.ts';

interface MergeTagProps {
  tag: UsedTag;
  tags: readonly UsedTag[];
  onClose: () => void;
}

/** Gives what has a tag another one, part by part; what is broken off goes on when it is started again. */
export function MergeTag({ tag, tags, onClose }: MergeTagProps) {
  const others = tags.filter(({ id }) => id !== tag.id);
  const [into, setInto] = useState(others[0]?.id ?? 0);
  const [moved, setMoved] = useState(0);
  const changed = useTagsChanged();
  const merge = useMutation({
    mutationFn: async () => {
      for (let count = 0; ; ) {
        const part = await call('tags.merge', { id: tag.id, into_id: into });
        if (part.done) return;
        count += part.moved;
        setMoved(count);
      }
    },
    onSuccess: () => {
      say(t('merged', { from: tag.name, into: others.find(({ id }) => id === into)?.name ?? '' }));
      onClose();
    },
    onSettled: changed,
  });
  return (
    <MergeDialog
      title={t('merge_title', { name: tag.name })}
      action={t('merge')}
      failure={t('merge_failed')}
      label={t('merge_into')}
      hint={t('merge_hint', { name: tag.name })}
      others={others}
      into={into}
      onInto={setInto}
      save={merge}
      onClose={onClose}
    >
      {merge.isPending && moved > 0 ? (
        <p role="status" className="tabular">
          {t('merging', { count: moved })}
        </p>
      ) : null}
    </MergeDialog>
  );
}
