import type { VisitorSession, WidgetSite } from '@foyer/protocol';
import { NEW_CHAT } from '../chat.ts';
import { chatsByTime, unreadOf } from '../conversation.ts';
import { say } from '../strings.ts';
import { exact, short } from '../time.ts';
import { uuid } from '../uuid.ts';
import { Avatar } from './Avatar.tsx';
import { Icon } from './Icons.tsx';
import { LineNotice } from './LineNotice.tsx';
import { useShared } from './use-chat.ts';

export const Home = ({ site }: { site: WidgetSite }) => {
  const { chat, state, closePanel } = useShared();
  const chats = chatsByTime(state).filter((session) => session.last_message !== null);
  const open = (place: string) => chat.show({ name: 'chat', chat: place });
  const begin = (text: string | null) => {
    const place = NEW_CHAT + uuid();
    open(place);
    if (text !== null) chat.send(place, text);
  };
  return (
    <div class="home">
      <header class="hero">
        <div class="hero-bar">
          <span class="site-mark" aria-hidden="true">
            {[...site.name][0]}
          </span>
          <span class="site-name" dir="auto">
            {site.name}
          </span>
          <button type="button" class="icon-button on-accent" aria-label={say('close')} onClick={closePanel}>
            <Icon name="close" />
          </button>
        </div>
        <h1 class="hero-hello" tabIndex={-1} data-focus>
          {say('home_hello')}
        </h1>
        <p class="hero-greeting" dir="auto">
          {site.greeting}
        </p>
      </header>
      <div class="cards">
        <LineNotice />
        <button type="button" class="card card-send" onClick={() => begin(null)}>
          <span class="card-text">
            <span class="card-title">{say('home_send')}</span>
            <span class={state.agentsOnline ? 'presence presence-on' : 'presence'}>
              {say(state.agentsOnline ? 'home_online' : 'home_away')}
            </span>
          </span>
          <span class="send-mark" aria-hidden="true">
            <Icon name="send" size={18} />
          </span>
        </button>
        {chats.length > 0 && (
          <section class="card" aria-labelledby="recent">
            <h2 id="recent">{say('home_recent')}</h2>
            <ul class="rows">
              {chats.map((session) => (
                <li key={session.session_id}>
                  <ChatRow session={session} open={() => open(session.session_id)} />
                </li>
              ))}
            </ul>
          </section>
        )}
        {site.starters.length > 0 && (
          <section class="card" aria-labelledby="starters">
            <h2 id="starters">{say('home_starters')}</h2>
            <ul class="rows">
              {site.starters.map((starter) => (
                <li key={starter.id}>
                  <button type="button" class="row" onClick={() => begin(starter.prompt)}>
                    <span class="row-title" dir="auto">
                      {starter.label}
                    </span>
                    <Icon name="forward" size={16} />
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      <p class="powered">{say('powered')}</p>
    </div>
  );
};

const ChatRow = ({ session, open }: { session: VisitorSession; open: () => void }) => {
  const { state } = useShared();
  const last = session.last_message;
  if (!last) return null;
  const unread = unreadOf(state, session.session_id);
  const name = session.agent?.name ?? say(session.status === 'waiting' ? 'team' : 'bot_name');
  const kind = session.agent ? 'agent' : session.status === 'waiting' ? 'team' : 'bot';
  return (
    <button type="button" class="row row-chat" onClick={open}>
      <Avatar kind={kind} name={name} />
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
            {last.sender === 'visitor'
              ? say('says', { name: say('you'), text: last.text })
              : plain(last.text)}
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

/** One line without the marks of markdown. */
const plain = (text: string): string => text.replace(/[*_`#>]+/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
