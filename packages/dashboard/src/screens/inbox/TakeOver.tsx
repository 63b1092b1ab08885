import type { Session } from '@foyer/protocol';
import { Confirm } from '../../ui/Dialog.tsx';
import { useAccept } from './session-actions.ts';

/** Asks before a chat is taken from a colleague. */
export function TakeOver({ session, onClose }: { session: Session; onClose: () => void }) {
  const accept = useAccept(session);
  const who = session.agent?.name ?? 'A colleague';
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Take the chat over from ${who}?`}
      action="Take over"
      busy={accept.isPending}
      onConfirm={() => accept.mutate(true, { onSettled: onClose })}
      danger={false}
    >
      From then on you answer. {who} and the visitor see that you joined.
    </Confirm>
  );
}
