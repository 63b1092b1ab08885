import type { TicketSummary } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../../api.ts';
import { useDesk } from '../../../desk/DeskContext.tsx';
import { ticketQuery } from '../../../queries.ts';
import { Confirm } from '../../../ui/dialogs/Dialog.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { visitorName } from '../../../words.ts';
import { t } from './t.ts';

interface MergeConfirmProps {
  intoId: number;
  /** The tickets that will be closed and merged. */
  sources: readonly Pick<TicketSummary, 'id' | 'requester'>[];
  onClose: () => void;
  onMerged?: () => void;
}

/** Explains a merge before it happens, because it can't be undone. */
export function MergeConfirm({ intoId, sources, onClose, onMerged }: MergeConfirmProps) {
  const desk = useDesk();
  const client = useQueryClient();
  const navigate = useNavigate();
  const into = useQuery({ ...ticketQuery(intoId), retry: false });
  const count = sources.length;
  const isAcross = sources.some(({ requester }) => requester.key !== into.data?.requester.key);
  const merge = useMutation({
    mutationFn: () =>
      call('tickets.merge', {
        into_id: intoId,
        ids: sources.map(({ id }) => id),
        across_requesters: isAcross,
      }),
    onSuccess: (merged) => {
      desk.takeTicket(merged);
      void client.invalidateQueries({ queryKey: ['tickets'] });
      toast.success(t('merge_done', { count, id: String(intoId) }));
      onClose();
      onMerged?.();
      void navigate({ to: '/inbox/tickets/$ticketId', params: { ticketId: String(intoId) }, search: true });
    },
  });
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('merge_question', { count, id: String(intoId) })}
      action={t('merge_do')}
      onEnter
      busy={merge.isPending || into.isFetching}
      error={into.error ?? merge.error}
      onConfirm={() => {
        if (into.data) merge.mutate();
        else void into.refetch();
      }}
    >
      {into.data ? (
        <p className="wrap-anywhere mb-2 font-medium">
          <bdi>{into.data.subject}</bdi>
        </p>
      ) : null}
      <p>{t('merge_hint', { id: String(intoId) })}</p>
      {into.data && !isAcross ? <p className="mt-2">{t('merge_later', { id: String(intoId) })}</p> : null}
      {isAcross && into.data ? (
        <p className="mt-2 rounded-lg border border-warn-line bg-warn-ground px-3 py-2 text-warn-text">
          {t('merge_across', { name: visitorName(into.data.requester) })}
        </p>
      ) : null}
    </Confirm>
  );
}
