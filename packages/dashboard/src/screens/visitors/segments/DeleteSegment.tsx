import type { Segment } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../../api.ts';
import { Confirm } from '../../../ui/Dialog.tsx';
import { say } from '../../../ui/toast-store.ts';
import { t } from '../t.ts';

interface DeleteSegmentProps {
  segment: Segment;
  open: boolean;
  onClose: () => void;
}

/** Says what depends on a segment before it goes. */
export function DeleteSegment({ segment, open, onClose }: DeleteSegmentProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call('segments.delete', { id: segment.id }),
    onSuccess: async () => {
      await navigate({ to: '/visitors/segments', ignoreBlocker: true });
      void client.invalidateQueries({ queryKey: ['segments'] });
      void client.invalidateQueries({ queryKey: ['visitors'] });
      say(t('segment_deleted'));
    },
  });
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={t('segment_delete_question', { name: segment.name })}
      action={t('segment_delete')}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    >
      {t('segment_delete_detail', { count: segment.size })}
    </Confirm>
  );
}
