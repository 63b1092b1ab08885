import type { VisitorSession } from '@foyer/protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import { say } from '../strings.ts';
import { useShared } from './use-chat.ts';

/** Asks before the chat ends. The browser's own modal dialog keeps the focus in and gives it back. */
export const EndDialog = ({ session, close }: { session: VisitorSession; close: () => void }) => {
  const { chat } = useShared();
  const dialog = useRef<HTMLDialogElement>(null);
  const [state, setState] = useState<'asking' | 'ending' | 'failed'>('asking');

  useEffect(() => {
    dialog.current?.showModal();
  }, []);

  const end = () => {
    setState('ending');
    chat.end(session.session_id).then(close, () => setState('failed'));
  };
  const onKey = (event: KeyboardEvent) => {
    // The dialog closes by itself; the panel around it stays.
    if (event.key === 'Escape') event.stopPropagation();
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="end-question" onClose={close} onKeyDown={onKey}>
      <h2 id="end-question">{say('end_question')}</h2>
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
    </dialog>
  );
};
