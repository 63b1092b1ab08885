import type { VisitorSession } from '@foyer/protocol';
import { unreadOf } from '../../core/conversation.ts';
import { withoutMarks } from '../../marks.ts';
import { say } from '../../strings.ts';
import { exact, short } from '../../time.ts';
import { Avatar } from '../Avatar.tsx';
import { useShared } from '../conversation/use-chat.ts';

type LastMessage = NonNullable<VisitorSession['last_message']>;

/** One of the visitor's chats, in a list. */
export const ChatRow = ({ session }: { session: VisitorSession }) => {
  const { state, places } = useShared();
  const last = session.last_message;
  if (!last) return null;
  const unread = unreadOf(state, session.session_id);
  const name = session.agent?.name ?? say(session.status === 'waiting' ? 'team' : 'bot_name');
  const kind = session.agent ? 'agent' : session.status === 'waiting' ? 'team' : 'bot';
  return (
    <button
      type="button"
      class="row row-chat"
      data-key={session.session_id}
      onClick={() => places.go({ name: 'chat', chat: session.session_id })}
    >
      <Avatar kind={kind} name={name} picture={session.agent?.picture_url} />
      <span class="row-body">
        <span class="row-line">
          <span class="row-name" dir="auto">
            {name}
          </span>
          <time class="row-time" dateTime={last.created_utc} title={exact(last.created_utc)}>
            {short(last.created_utc)}
          </time>
        </span>
        <span class="row-line">
          <span class={unread ? 'row-text row-text-unread' : 'row-text'} dir="auto">
            {excerptOf(session, last)}
          </span>
          {unread > 0 && (
            <span class="badge">
              {unread}
              <span class="unseen"> {say('unread', { count: unread })}</span>
            </span>
          )}
        </span>
      </span>
    </button>
  );
};

const excerptOf = (session: VisitorSession, { sender, text }: LastMessage): string => {
  if (sender === 'visitor') return say('says', { name: say('you'), text });
  if (sender !== 'system') return withoutMarks(text);
  // System messages are shown in the visitor's language.
  if (session.status === 'closed') return say('closed_hint');
  if (session.status === 'waiting') return say('event_handed_off');
  return session.agent ? say('event_agent_joined', { name: session.agent.name }) : withoutMarks(text);
};
