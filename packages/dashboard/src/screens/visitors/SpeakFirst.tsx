import type { VisitorHere } from '@foyer/protocol';
import { MESSAGE_MAX } from '@foyer/protocol/bounds';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { TextArea } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { uuidV7 } from '../../uuid.ts';
import { visitorName } from '../../words.ts';
import { t } from './t.ts';

/** An agent's first words to somebody on the site; a chat of theirs from then on. */
export function SpeakFirst({ visitor, onClose }: { visitor: VisitorHere['visitor']; onClose: () => void }) {
  const [text, setText] = useState('');
  /** The same for each try: what was stored although no answer came is not said twice. */
  const [client_id] = useState(() => uuidV7(Date.now()));
  const desk = useDesk();
  const navigate = useNavigate();
  const speak = useMutation({
    mutationFn: () => call('sessions.start', { key: visitor.key, client_id, text: text.trim() }),
    onSuccess: (session) => {
      desk.take(session);
      void navigate({
        to: '/inbox/$sessionId',
        params: { sessionId: session.session_id },
        search: { queue: 'mine' },
      });
    },
  });
  return (
    <FormDialog
      title={t('speak_to', { name: visitorName(visitor) })}
      onClose={onClose}
      save={speak}
      fields={[]}
      action={t('speak_send')}
      failure={t('speak_failed')}
      disabled={text.trim() === ''}
    >
      <TextArea
        label={t('speak_words')}
        autoFocus
        hint={t('speak_hint')}
        maxLength={MESSAGE_MAX}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </FormDialog>
  );
}
