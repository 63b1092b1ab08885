import { useEffect, useState } from 'preact/hooks';
import { asksForRating, isSession } from '../conversation.ts';
import { say } from '../strings.ts';
import { ChatHeader } from './ChatHeader.tsx';
import { Composer } from './Composer.tsx';
import { Icon } from './Icons.tsx';
import { LineNotice } from './LineNotice.tsx';
import { MessageList } from './MessageList.tsx';
import { onDemand } from './OnDemand.tsx';
import { useBegin } from './use-begin.ts';
import { useShared } from './use-chat.ts';

const EndDialog = onDemand(async () => (await import('./EndDialog.tsx')).EndDialog);
const MailDialog = onDemand(async () => (await import('./MailDialog.tsx')).MailDialog);
const PreChat = onDemand(async () => (await import('./PreChat.tsx')).PreChat);
const Waiting = onDemand(async () => (await import('./Waiting.tsx')).Waiting);
const Survey = onDemand(async () => (await import('./Survey.tsx')).Survey);

/** One chat: its header, messages, and what the visitor can do in its state. */
export const Conversation = ({ place }: { place: string }) => {
  const { chat, state } = useShared();
  const session = isSession(place) ? state.sessions[place] : undefined;
  const { begin, proceed } = useBegin();
  const [dialog, setDialog] = useState<'end' | 'mail' | null>(null);
  const isClosed = session?.status === 'closed';
  const hasAsked = state.pending.some((entry) => entry.chat === place && entry.kind === 'person');
  const canAsk = !session || session.status === 'bot';
  const askForPerson = () => chat.askForPerson(place);

  const isAsking = !session && state.preChat.length > 0;
  const closeDialog = () => setDialog(null);

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
        {isAsking && <PreChat done={() => proceed(place)} />}
      </MessageList>
      <div class="foot">
        {session && isClosed ? (
          <div class="closed-foot">
            <button
              type="button"
              class={session.rating === null ? 'button button-plain' : 'button'}
              onClick={() => begin({ type: 'nothing' })}
            >
              {say('start_new')}
            </button>
          </div>
        ) : isAsking ? null : (
          <>
            {canAsk && (
              <button type="button" class="quiet-button" onClick={askForPerson} disabled={hasAsked}>
                <Icon name="person" size={16} />
                {say(hasAsked ? 'person_asked' : 'person')}
              </button>
            )}
            <Composer place={place} />
          </>
        )}
      </div>
      {session && dialog === 'end' && <EndDialog session={session} close={closeDialog} />}
      {session && dialog === 'mail' && <MailDialog session={session} close={closeDialog} />}
    </div>
  );
};
