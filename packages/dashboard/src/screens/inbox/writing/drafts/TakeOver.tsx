import type { Session } from '@foyer/protocol';
import { Confirm } from '../../../../ui/dialogs/Dialog.tsx';
import { useAccept } from '../../chat/session-actions.ts';
import { t } from '../t.ts';

/** Asks before a chat is taken from a colleague. */
export function TakeOver({ session, onClose }: { session: Session; onClose: () => void }) {
  const accept = useAccept(session);
  const who = session.agent?.name ?? t('a_colleague');
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('take_over_question', { who })}
      action={t('take_over')}
      busy={accept.isPending}
      onConfirm={() => accept.mutate(true, { onSettled: onClose })}
      danger={false}
      onEnter
    >
      {t('take_over_detail', { who })}
    </Confirm>
  );
}
