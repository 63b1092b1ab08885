import type { VisitorHere } from '@foyer/protocol';
import { uuidV7 } from '@foyer/protocol/browser/ids';
import { MESSAGE_MAX } from '@foyer/protocol/values/bounds';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useDesk } from '../../desk/DeskContext.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import { useForm } from '../../forms/use-form.ts';
import { TextArea } from '../../ui/forms/Field.tsx';
import { visitorName } from '../../words.ts';
import { startChat } from './start-chat.ts';
import { t } from './t.ts';

interface SpeakFirstProps {
  visitor: VisitorHere['visitor'];
  /** Whether a page of theirs has connected the chat, and whether they have left. */
  isConnected: boolean;
  isGone: boolean;
  onClose: () => void;
}

/** An agent's first message to somebody on the site, which starts a chat. */
export function SpeakFirst({ visitor, isConnected, isGone, onClose }: SpeakFirstProps) {
  /** The same for each try: what was stored although no answer came is not said twice. */
  const [client_id] = useState(() => uuidV7());
  const sending = useRef<AbortController>(undefined);
  const [isWaiting, setIsWaiting] = useState(false);
  const again = useRef<() => void>(undefined);
  useEffect(() => {
    if (isConnected || isGone) again.current?.();
  }, [isConnected, isGone]);
  const desk = useDesk();
  const navigate = useNavigate();
  const form = useForm({
    initial: { text: '' },
    save: ({ text }) => {
      setIsWaiting(false);
      const input = { key: visitor.key, client_id, text: text.trim() };
      sending.current = new AbortController();
      return startChat(input, sending.current.signal, (repeat) => {
        again.current = repeat;
        setIsWaiting(true);
      });
    },
    onSaved: (session) => {
      desk.take(session);
      void navigate({
        to: '/inbox/$sessionId',
        params: { sessionId: session.session_id },
        search: { queue: 'mine' },
      });
    },
  });
  // Closing it before the visitor's page has connected sends nothing.
  useEffect(() => () => sending.current?.abort(), []);
  const { text } = form.values;
  return (
    <FormDialog
      title={t('speak_to', { name: visitorName(visitor) })}
      onClose={onClose}
      form={form}
      action={t('speak_send')}
      failure={t('speak_failed')}
      disabled={text.trim() === ''}
    >
      <TextArea
        label={t('speak_words')}
        autoFocus
        hint={t('speak_hint')}
        maxLength={MESSAGE_MAX}
        readOnly={form.saving}
        value={text}
        onChange={({ target }) => form.set({ text: target.value })}
      />
      {form.saving && isWaiting ? (
        <p role="status" className="text-soft">
          {t('speak_waiting')}
        </p>
      ) : null}
    </FormDialog>
  );
}
