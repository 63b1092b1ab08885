import type { Session } from '@foyer/protocol';
import { Confirm } from '../../ui/Dialog.tsx';
import { visitorName } from '../../words.ts';
import { useClose, useHold } from './session-actions.ts';

/** Asks before a chat is closed: the visitor is asked for a rating at once. */
export function CloseChat({ session, onClose }: { session: Session; onClose: () => void }) {
  const hold = useHold(session);
  const close = useClose(session, onClose);
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Close the chat with ${visitorName(session.visitor)}?`}
      action="Close chat"
      keep="Keep it open"
      busy={close.isPending}
      error={close.error}
      onConfirm={() => close.mutate()}
      danger={false}
    >
      {hold === 'other' && session.agent ? `${session.agent.name} has this chat. ` : ''}
      The visitor is asked for a rating. Everything stays readable here; if they write again, a new chat
      begins that links back to this one.
    </Confirm>
  );
}
