import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { Button } from '../../../ui/Button.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { t as tInbox } from '../t.ts';
import { t } from './t.ts';
import type { Sender } from './use-spam.ts';

/** Blocks the sender. @returns how to undo it; undefined for one who was blocked before */
async function block(sender: Sender): Promise<(() => Promise<unknown>) | undefined> {
  if ('key' in sender) {
    await call('visitors.block', sender);
    return () => call('visitors.unblock', sender);
  }
  const { email: value, ticket_id } = sender;
  const { id, existed } = await call('blocks.create', { kind: 'email', value, ticket_id });
  return existed ? undefined : () => call('blocks.delete', { id });
}

/** Blocks who wrote this spam, with Undo. */
export function BlockSender({ sender }: { sender: Sender }) {
  const client = useQueryClient();
  const refresh = () =>
    Promise.all(
      ['blocks', 'blocked_senders', 'visitors', 'sessions'].map((key) =>
        client.invalidateQueries({ queryKey: [key] }),
      ),
    );
  const blocking = useMutation({
    mutationFn: () => block(sender),
    onSuccess: (undo) => {
      const done = 'key' in sender ? t('visitor_blocked') : t('sender_blocked', sender);
      if (!undo) toast.success(t('blocked_before'));
      else
        toast.undoable(done, () => {
          undo()
            .then(() => {
              blocking.reset();
              return refresh();
            })
            .catch((error: unknown) => toast.error(tInbox('undo_failed'), error));
        });
      return refresh();
    },
    onError: (error) => toast.error(t('block_failed'), error),
  });
  if (blocking.isSuccess) return null;
  return (
    <Button small look="quiet" busy={blocking.isPending} onClick={() => blocking.mutate()}>
      {'key' in sender ? t('block_visitor') : t('block_sender')}
    </Button>
  );
}
