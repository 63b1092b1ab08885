import type { Segment } from '@foyer/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../../api.ts';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { t } from '../t.ts';

interface DeleteSegmentProps {
  segment: Segment;
  open: boolean;
  onClose: () => void;
}

/** Says what depends on a segment before deleting it. */
export function DeleteSegment({ segment, open, onClose }: DeleteSegmentProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <ConfirmAction
      open={open}
      onClose={onClose}
      title={t('segment_delete_question', { name: segment.name })}
      action={t('segment_delete')}
      run={() => call('segments.delete', { id: segment.id })}
      onDone={async () => {
        await navigate({ to: '/visitors/segments', ignoreBlocker: true });
        void client.invalidateQueries({ queryKey: ['segments'] });
        void client.invalidateQueries({ queryKey: ['visitors'] });
        toast.success(t('segment_deleted'));
      }}
    >
      {t('segment_delete_detail', { count: segment.size })}
    </ConfirmAction>
  );
}
