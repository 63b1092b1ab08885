import { chatsByTime } from '../../core/conversation.ts';
import { say } from '../../strings.ts';
import { PersonButton } from '../conversation/PersonButton.tsx';
import { useBegin } from '../conversation/use-begin.ts';
import { useShared } from '../conversation/use-chat.ts';
import { LineNotice } from '../LineNotice.tsx';
import { ChatRow } from './ChatRow.tsx';
import { Title, TopBar } from './TopBar.tsx';

/** All of this visitor's chats, newest first. */
export const ChatList = () => {
  const { begin } = useBegin();
  const chats = chatsByTime(useShared().state).filter((session) => session.last_message !== null);
  return (
    <div class="conversation">
      <TopBar>
        <Title text={say('home_recent')} />
      </TopBar>
      <LineNotice />
      <div class="reading" data-scroll>
        <ul class="rows">
          {chats.map((session) => (
            <li key={session.session_id}>
              <ChatRow session={session} />
            </li>
          ))}
        </ul>
      </div>
      <div class="foot foot-line">
        <PersonButton />
        <button type="button" class="button" onClick={() => begin({ type: 'nothing' })}>
          {say('start_new')}
        </button>
      </div>
    </div>
  );
};
