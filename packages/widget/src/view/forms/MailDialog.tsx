import type { VisitorSession } from '@foyer/protocol';
import { useState } from 'preact/hooks';
import { mailTranscript } from '../../core/chat/mail-transcript.ts';
import { CallError } from '../../core/connection/calls.ts';
import { say } from '../../strings.ts';
import { useShared } from '../conversation/use-chat.ts';
import { Dialog } from '../Dialog.tsx';
import { FormError } from '../FormError.tsx';
import { EmailField, emailProblem, looksLikeEmail } from './EmailField.tsx';

/** The pressed button no longer exists. */
const takeFocus = (button: HTMLButtonElement | null) => button?.focus();

/** Emails the chat to the visitor's own address; asks for one if none is known. */
export const MailDialog = ({ session, close }: { session: VisitorSession; close: () => void }) => {
  const { chat, state } = useShared();
  const known = session.contact_email ?? state.ownEmail;
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);

  const submit = async (event: Event) => {
    event.preventDefault();
    if (known === null && !looksLikeEmail(email)) return setProblem(say('email_bad'));
    setProblem(null);
    setSending(true);
    try {
      setSentTo(await mailTranscript(chat, session.session_id, known === null ? email.trim() : undefined));
    } catch (error) {
      const isTooOften = error instanceof CallError && error.code === 'rate_limited';
      setProblem(isTooOften ? say('mail_often') : emailProblem(error));
      setSending(false);
    }
  };
  if (sentTo !== null) {
    return (
      <Dialog title={say('mail')} close={close}>
        <p role="status">{say('mail_done', { email: sentTo })}</p>
        <div class="dialog-buttons">
          <button type="button" class="button" ref={takeFocus} onClick={close}>
            {say('done')}
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={say('mail')} close={close}>
      <form class="email-form" onSubmit={submit} noValidate>
        {known === null ? (
          <>
            <label for="mail-to">{say('email_label')}</label>
            <EmailField id="mail-to" value={email} problem={problem} change={setEmail} />
          </>
        ) : (
          <p>{say('mail_to', { email: known })}</p>
        )}
        <FormError id="mail-to-problem" text={problem} />
        <div class="dialog-buttons">
          <button type="button" class="button button-plain" onClick={close}>
            {say('not_now')}
          </button>
          <button type="submit" class="button" disabled={isSending}>
            {say('send')}
          </button>
        </div>
      </form>
    </Dialog>
  );
};
