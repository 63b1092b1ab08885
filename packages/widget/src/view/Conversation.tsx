import { useEffect, useState } from 'preact/hooks';
import { NEW_CHAT } from '../chat.ts';
import { isSession } from '../conversation.ts';
import { say } from '../strings.ts';
import { uuid } from '../uuid.ts';
import { ChatHeader } from './ChatHeader.tsx';
import { Composer } from './Composer.tsx';
import { EndDialog } from './EndDialog.tsx';
import { Icon } from './Icons.tsx';
import { LineNotice } from './LineNotice.tsx';
import { MessageList } from './MessageList.tsx';
import { Survey } from './Survey.tsx';
import { useShared } from './use-chat.ts';
import { Waiting } from './Waiting.tsx';

/** One chat: its header, messages, and what the visitor can do in its state. */
export const Conversation = ({ place }: { place: string }) => {
  const { chat, state } = useShared();
  const session = isSession(place) ? state.sessions[place] : undefined;
  const [isEnding, setEnding] = useState(false);
  const isClosed = session?.status === 'closed';
  const hasAsked = state.pending.some((entry) => entry.chat === place && entry.kind === 'person');
  const canAsk = !session || session.status === 'bot';
  const askForPerson = () => chat.askForPerson(place);

  useEffect(() => {
    if (isClosed) setEnding(false);
  }, [isClosed]);

  return (
    <div class="conversation">
      <ChatHeader session={session} canEnd={session !== undefined && !isClosed} end={() => setEnding(true)} />
      <LineNotice />
      {session?.status === 'waiting' && <Waiting session={session} />}
      <MessageList place={place} session={session}>
        {session && isClosed && <Survey session={session} />}
      </MessageList>
      <div class="foot">
        {session && isClosed ? (
          <div class="closed-foot">
            <button
              type="button"
              class={session.rating === null ? 'button button-plain' : 'button'}
              onClick={() => chat.show({ name: 'chat', chat: NEW_CHAT + uuid() })}
            >
              {say('start_new')}
            </button>
          </div>
        ) : (
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
      {isEnding && session && <EndDialog session={session} close={() => setEnding(false)} />}
    </div>
  );
};
