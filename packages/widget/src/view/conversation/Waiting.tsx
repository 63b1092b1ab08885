import type { VisitorSession } from '@foyer/protocol';
import { MINUTE_MS } from '@foyer/protocol/values/durations';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ConversationState } from '../../core/conversation.ts';
import { type StringKey, say } from '../../strings.ts';
import { adopt } from '../../style/adopt.ts';
import style from '../../style/waiting.css?inline';
import { FormError } from '../FormError.tsx';
import { EmailField, emailProblem, looksLikeEmail } from '../forms/EmailField.tsx';
import { CLOCK, Icon, MAIL } from '../Icons.tsx';
import { backAt, replyTime } from '../presence.ts';
import { useShared } from './use-chat.ts';

adopt(style);

/** The time, updated every `everyMs`, for texts such as "waiting 2 min". */
const useNow = (everyMs: number): number => {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
};

/** What is known until somebody joins. Asks for an email address, for an answer by email or just for the team. */
export const Waiting = ({ session }: { session: VisitorSession }) => {
  const { state } = useShared();
  const now = useNow(5_000);
  const waitedMs = session.waiting_since_utc ? now - Date.parse(session.waiting_since_utc) : 0;
  const isLong = waitedMs > (state.site?.email_offer_after_s ?? 180) * 1000;
  const isAway = !state.agentsOnline;
  const title = say(isAway ? 'waiting_away' : 'waiting_title');
  const detail = isAway ? state.nextOpening && backAt(state.nextOpening) : waitingSince(session, now);
  // Based on recent waiting times. Without them, nothing is promised.
  const usual = !isAway && state.site?.reply_time_s ? replyTime(state.site.reply_time_s) : null;
  const isClosed = state.nextOpening !== null;
  const [hasLeft, setLeft] = useState(false);
  const done = useRef<HTMLParagraphElement>(null);
  // The focused element disappeared with the form.
  useEffect(() => {
    if (hasLeft) done.current?.focus();
  }, [hasLeft, session.contact_email]);
  return (
    <section class="waiting" aria-label={title}>
      <div class="waiting-line">
        <span class="waiting-mark" aria-hidden="true">
          <Icon path={isAway && state.mails ? MAIL : CLOCK} size={18} />
        </span>
        <p>
          <strong>{title}</strong>
          {detail && <span class="waiting-detail">{detail}</span>}
          {usual && <span class="waiting-detail">{usual}</span>}
        </p>
      </div>
      {session.contact_email !== null ? (
        <p ref={done} tabIndex={-1} class="waiting-done">
          {say(state.mails ? 'email_done' : 'email_done_here', { email: session.contact_email })}
        </p>
      ) : isAway || isClosed || isLong ? (
        <EmailForm session={session} title={say(emailTitle(state))} left={() => setLeft(true)} />
      ) : null}
    </section>
  );
};

/** Without email, the address only helps the team, and the answer arrives in the chat. */
const emailTitle = ({ mails, agentsOnline }: ConversationState): StringKey =>
  !mails ? 'email_title_here' : agentsOnline ? 'email_title_wait' : 'email_title_away';

const waitingSince = (session: VisitorSession, now: number): string => {
  const since = session.waiting_since_utc ? Date.parse(session.waiting_since_utc) : now;
  const minutes = Math.floor((now - since) / MINUTE_MS);
  return minutes < 1 ? say('waiting_now') : say('waiting_minutes', { minutes });
};

interface EmailFormProps {
  session: VisitorSession;
  title: string;
  left: () => void;
}

const EmailForm = ({ session, title, left }: EmailFormProps) => {
  const { chat, state } = useShared();
  const [email, setEmail] = useState(state.ownEmail ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);

  const submit = async (event: Event) => {
    event.preventDefault();
    if (!looksLikeEmail(email)) return setProblem(say('email_bad'));
    setSending(true);
    setProblem(null);
    try {
      await chat.callSession('chat.leave_email', { session_id: session.session_id, email: email.trim() });
      left();
    } catch (error) {
      setProblem(emailProblem(error));
      setSending(false);
    }
  };
  return (
    <form class="email-form" onSubmit={submit} noValidate>
      <label for="email">{title}</label>
      <div class="email-line">
        <EmailField id="email" value={email} problem={problem} change={setEmail} />
        <button type="submit" class="button" disabled={isSending}>
          {say('email_send')}
        </button>
      </div>
      <FormError id="email-problem" text={problem} />
    </form>
  );
};
