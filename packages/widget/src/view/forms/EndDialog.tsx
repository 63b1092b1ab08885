import type { VisitorSession } from '@foyer/protocol';
import { useState } from 'preact/hooks';
import { say } from '../../strings.ts';
import { useShared } from '../conversation/use-chat.ts';
import { Dialog } from '../Dialog.tsx';
import { FormError } from '../FormError.tsx';

/** Asks for confirmation before ending the chat. */
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
      <FormError text={state === 'failed' && say('action_failed')} />
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
