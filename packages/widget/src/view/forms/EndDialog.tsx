import type { VisitorSession } from '@foyer/protocol';
import { useState } from 'preact/hooks';
import { say } from '../../strings.ts';
import { useShared } from '../conversation/use-chat.ts';
import { Dialog } from '../Dialog.tsx';

/** Asks before the chat ends. */
export const EndDialog = ({ session, close }: { session: VisitorSession; close: () => void }) => {
  const { chat } = useShared();
  const [state, setState] = useState<'asking' | 'ending' | 'failed'>('asking');
  const end = () => {
    setState('ending');
    chat.callSession('chat.end', { session_id: session.session_id }).then(close, () => setState('failed'));
  };
  return (
    <Dialog title={say('end_question')} close={close}>
      <p>{say('end_detail')}</p>
      {state === 'failed' && (
        <p class="form-error" role="alert">
          {say('action_failed')}
        </p>
      )}
      <div class="dialog-buttons">
        <button type="button" class="button button-plain" onClick={close}>
          {say('cancel')}
        </button>
        <button type="button" class="button" onClick={end} disabled={state === 'ending'}>
          {say('end_confirm')}
        </button>
      </div>
    </Dialog>
  );
};
