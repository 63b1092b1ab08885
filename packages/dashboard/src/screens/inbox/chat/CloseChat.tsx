import type { Session } from '@foyer/protocol';
import { Confirm } from '../../../ui/dialogs/Dialog.tsx';
import { visitorName } from '../../../words.ts';
import { goOn } from '../go-on.ts';
import { t } from '../t.ts';
import { useClose, useHold } from './session-actions.ts';

/** Asks before a chat is closed: the visitor is asked for a rating at once. */
export function CloseChat({ session, onClose }: { session: Session; onClose: () => void }) {
  const hold = useHold(session);
  const close = useClose(session, () => {
    onClose();
    goOn();
  });
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('close_question', { name: visitorName(session.visitor) })}
      action={t('close_chat')}
      keep={t('keep_open')}
      busy={close.isPending}
      error={close.error}
      onConfirm={() => close.mutate()}
      danger={false}
      onEnter
    >
      {hold === 'other' && session.agent ? `${t('close_other', { name: session.agent.name })} ` : ''}
      {t('close_detail')}
    </Confirm>
  );
}
