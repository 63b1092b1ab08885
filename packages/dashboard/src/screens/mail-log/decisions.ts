import type { MailDecision, OutputOf, ReceivedMail } from '@foyer/protocol';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { toast } from '../../ui/toasts/toast-store.ts';
import { t } from './t.ts';

const refresh = (client: QueryClient): Promise<unknown> =>
  Promise.all(
    ['received_mails', 'blocked_senders'].map((key) => client.invalidateQueries({ queryKey: [key] })),
  );

const isBlock = (action: MailDecision): boolean => action === 'block_address' || action === 'block_domain';

function announce(
  client: QueryClient,
  action: MailDecision,
  { decided, skipped }: OutputOf<'received_mails.decide_all'>,
): void {
  const count = decided.length;
  const note = skipped.length > 0 ? t('skipped', { count: skipped.length }) : '';
  if (count === 0) toast.error(t('decided_before'), '');
  else if (isBlock(action)) {
    const ids = decided.map(({ id }) => id);
    toast.undoable(t(`done_${action}`, { count }), () => undoBlock(client, ids), note);
  } else toast.success([t(`done_${action}`, { count }), note].filter(Boolean).join(' '));
}

function undoBlock(client: QueryClient, ids: number[]): void {
  void call('received_mails.decide_all', { ids, action: 'undo_block' })
    .then(() => refresh(client))
    .catch((failure: unknown) => toast.error(t('undo_failed'), failure));
}

/** Decides about mails, says what was done, and offers to undo a block. */
export function useDecide() {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: ({ ids, action }: { ids: number[]; action: MailDecision }) =>
      call('received_mails.decide_all', { ids, action }),
    onSuccess: (result, { action }) => {
      announce(client, action, result);
      return refresh(client);
    },
    onError: (failure) => toast.error(t('decide_failed'), failure),
  });
  const decide = (mails: readonly ReceivedMail[], action: MailDecision, onDone?: () => void): void =>
    mutate({ ids: mails.map(({ id }) => id), action }, onDone ? { onSuccess: onDone } : {});
  return { decide, isPending };
}
