import type { VisitorSession } from '@foyer/protocol';
import { useEffect, useState } from 'preact/hooks';
import { isSession } from '../../core/conversation.ts';
import { asksForRating } from '../../core/survey.ts';
import { say } from '../../strings.ts';
import { adopt } from '../../style/adopt.ts';
import style from '../../style/messages.css?inline';
import { Icon, PERSON } from '../Icons.tsx';
import { LineNotice } from '../LineNotice.tsx';
import { onDemand } from '../OnDemand.tsx';
import { ChatHeader } from './ChatHeader.tsx';
import { Composer } from './Composer.tsx';
import { MessageList } from './MessageList.tsx';
import { openings, useBegin } from './use-begin.ts';
import { useShared } from './use-chat.ts';

adopt(style);

const EndDialog = onDemand(async () => (await import('../forms/EndDialog.tsx')).EndDialog);
const MailDialog = onDemand(async () => (await import('../forms/MailDialog.tsx')).MailDialog);
const PreChat = onDemand(async () => (await import('../forms/PreChat.tsx')).PreChat);
const Waiting = onDemand(async () => (await import('./Waiting.tsx')).Waiting);
const Survey = onDemand(async () => (await import('../forms/Survey.tsx')).Survey);

/** The form with the site's questions. */
const INTRO = 'intro';

/** One chat: its header, its messages, and what the visitor can do in its state. */
export const Conversation = ({ place }: { place: string }) => {
  const { state } = useShared();
  const session = isSession(place) ? state.sessions[place] : undefined;
  const { proceed, wantsPerson } = useBegin();
  const [dialog, setDialog] = useState<'end' | 'mail' | null>(null);
  const isClosed = session?.status === 'closed';
  const isAsking = !session && state.preChat.length > 0;
  const closeDialog = () => setDialog(null);

  // A chat that the page opened waits until it is known what the site asks for.
  const isReady = state.site !== null && !isAsking;
  useEffect(() => {
    if (isReady && openings.get(place)?.proactive_id) proceed(place);
  }, [isReady]);

  useEffect(() => {
    if (isClosed) setDialog((open) => (open === 'end' ? null : open));
  }, [isClosed]);

  return (
    <div class="conversation">
      <ChatHeader session={session} end={() => setDialog('end')} mail={() => setDialog('mail')} />
      <LineNotice />
      {session?.status === 'waiting' && <Waiting session={session} />}
      <MessageList place={place} session={session}>
        {session && isClosed && asksForRating(state.site, session) && <Survey session={session} />}
        {isAsking && (
          <PreChat
            id={INTRO}
            wantsPerson={wantsPerson(place)}
            done={(asksPerson) => proceed(place, asksPerson)}
          />
        )}
      </MessageList>
      <div class="foot">
        {isAsking ? <IntroFoot place={place} /> : <ChatFoot place={place} session={session} />}
      </div>
      {session && dialog === 'end' && <EndDialog session={session} close={closeDialog} />}
      {session && dialog === 'mail' && <MailDialog session={session} close={closeDialog} />}
    </div>
  );
};

/** Submits the site's questions and also requests a person, unless the chat was opened for that. */
const IntroFoot = ({ place }: { place: string }) =>
  useBegin().wantsPerson(place) ? null : (
    <button type="submit" form={INTRO} value="person" class="quiet-button">
      <Icon path={PERSON} size={16} />
      {say('person')}
    </button>
  );

const ChatFoot = ({ place, session }: { place: string; session: VisitorSession | undefined }) => {
  const { chat, state } = useShared();
  const { begin } = useBegin();
  const hasAsked = state.pending.some((entry) => entry.chat === place && entry.kind === 'person');
  if (session?.status === 'closed') {
    return (
      <div class="closed-foot">
        <button
          type="button"
          class={session.rating === null ? 'button button-plain' : 'button'}
          onClick={() => begin({ type: 'nothing' })}
        >
          {say('start_new')}
        </button>
      </div>
    );
  }
  return (
    <>
      {(!session || session.status === 'bot') && (
        <button
          type="button"
          class="quiet-button"
          onClick={() => chat.askForPerson(place)}
          disabled={hasAsked}
        >
          <Icon path={PERSON} size={16} />
          {say(hasAsked ? 'person_asked' : 'person')}
        </button>
      )}
      <Composer place={place} />
    </>
  );
};
