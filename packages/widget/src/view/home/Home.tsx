import type { WidgetSite } from '@foyer/protocol';
import { chatsByTime } from '../../core/conversation.ts';
import { say } from '../../strings.ts';
import { Avatar } from '../Avatar.tsx';
import { CloseButton } from '../CloseButton.tsx';
import { useBegin } from '../conversation/use-begin.ts';
import { useShared } from '../conversation/use-chat.ts';
import { FORWARD, Icon, PERSON, SEARCH, SEND } from '../Icons.tsx';
import { LineNotice } from '../LineNotice.tsx';
import { presenceLine } from '../presence.ts';
import { ChatRow } from './ChatRow.tsx';
import { SiteMark } from './SiteMark.tsx';

/** The newest chats; the rest is one step further. */
const CHATS_SHOWN = 3;

export const Home = ({ site }: { site: WidgetSite }) => {
  const { state, places } = useShared();
  const { begin, askPerson } = useBegin();
  return (
    <div class="home" data-scroll>
      <Hero site={site} />
      <div class="cards">
        <LineNotice />
        <button
          type="button"
          class="card card-send"
          data-key="send"
          onClick={() => begin({ type: 'nothing' })}
        >
          <span class="card-text">
            <span class="card-title">{say('home_send')}</span>
            <span class={state.agentsOnline ? 'presence presence-on' : 'presence'}>
              {presenceLine(state)}
            </span>
          </span>
          <span class="send-mark" aria-hidden="true">
            <Icon path={SEND} size={18} />
          </span>
        </button>
        <div class="card">
          <ul class="rows">
            {site.has_articles && (
              <Way
                to="help"
                go={() => places.go({ name: 'help', query: '' })}
                icon={SEARCH}
                title={say('help_search')}
              />
            )}
            <Way to="person" go={askPerson} icon={PERSON} title={say('person')} />
          </ul>
        </div>
        <RecentChats />
        {site.starters.length > 0 && (
          <section class="card" aria-labelledby="starters">
            <h2 id="starters">{say('home_starters')}</h2>
            <ul class="rows">
              {site.starters.map(({ id, label, prompt }) => (
                <Way
                  key={id}
                  to={`starter ${id}`}
                  go={() => begin({ type: 'message', text: prompt })}
                  title={label}
                />
              ))}
            </ul>
          </section>
        )}
      </div>
      <p class="powered">{say('powered')}</p>
    </div>
  );
};

const Hero = ({ site }: { site: WidgetSite }) => {
  const { state } = useShared();
  return (
    <header class="hero">
      <div class="hero-bar">
        <SiteMark site={site} />
        <span class="site-name" dir="auto">
          {site.name}
        </span>
        <span class="faces">
          {state.team.map(({ id, name, picture_url }) => (
            <Avatar key={id} kind="agent" name={name} picture={picture_url} />
          ))}
        </span>
        <CloseButton />
      </div>
      <h1 class="hero-hello" tabIndex={-1} data-focus>
        {say('home_hello')}
      </h1>
      <p class="hero-greeting" dir="auto">
        {site.greeting || say('home_greeting')}
      </p>
    </header>
  );
};

interface WayProps {
  /** Its name, by which the focus finds it again. */
  to: string;
  go: () => void;
  /** The path of an icon before the title. Without one, an arrow follows the title. */
  icon?: string;
  title: string;
}

const Way = ({ to, go, icon, title }: WayProps) => (
  <li>
    <button type="button" class="row" data-key={to} onClick={go}>
      {icon && <Icon path={icon} size={18} />}
      <span class="row-title" dir="auto">
        {title}
      </span>
      {!icon && <Icon path={FORWARD} class="icon-mirrored" size={16} />}
    </button>
  </li>
);

const RecentChats = () => {
  const { state, places } = useShared();
  const chats = chatsByTime(state).filter((session) => session.last_message !== null);
  if (chats.length === 0) return null;
  return (
    <section class="card" aria-labelledby="recent">
      <h2 id="recent">{say('home_recent')}</h2>
      <ul class="rows">
        {chats.slice(0, CHATS_SHOWN).map((session) => (
          <li key={session.session_id}>
            <ChatRow session={session} />
          </li>
        ))}
        {chats.length > CHATS_SHOWN && (
          <Way to="chats" go={() => places.go({ name: 'chats' })} title={say('home_all_chats')} />
        )}
      </ul>
    </section>
  );
};
