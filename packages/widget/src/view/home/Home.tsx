import type { WidgetSite } from '@foyer/protocol';
import { chatsByTime } from '../../core/conversation.ts';
import { say } from '../../strings.ts';
import { Avatar } from '../Avatar.tsx';
import { useBegin } from '../conversation/use-begin.ts';
import { useShared } from '../conversation/use-chat.ts';
import { Icon } from '../Icons.tsx';
import { LineNotice } from '../LineNotice.tsx';
import { presenceLine } from '../presence.ts';
import { ChatRow } from './ChatRow.tsx';
import { SiteMark } from './SiteMark.tsx';

/** Of the chats the newest are here; the others are a step further. */
const CHATS_SHOWN = 3;

export const Home = ({ site }: { site: WidgetSite }) => {
  const { state, places, closePanel } = useShared();
  const { begin, askPerson } = useBegin();
  return (
    <div class="home" data-scroll>
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
            <Icon name="send" size={18} />
          </span>
        </button>
        <div class="card">
          <ul class="rows">
            {site.has_articles && (
              <li>
                <button
                  type="button"
                  class="row"
                  data-key="help"
                  onClick={() => places.go({ name: 'help', query: '' })}
                >
                  <Icon name="search" size={18} />
                  <span class="row-title">{say('help_search')}</span>
                </button>
              </li>
            )}
            <li>
              <button type="button" class="row" data-key="person" onClick={askPerson}>
                <Icon name="person" size={18} />
                <span class="row-title">{say('person')}</span>
              </button>
            </li>
          </ul>
        </div>
        <RecentChats />
        {site.starters.length > 0 && (
          <section class="card" aria-labelledby="starters">
            <h2 id="starters">{say('home_starters')}</h2>
            <ul class="rows">
              {site.starters.map((starter) => (
                <li key={starter.id}>
                  <button
                    type="button"
                    class="row"
                    data-key={`starter ${starter.id}`}
                    onClick={() => begin({ type: 'message', text: starter.prompt })}
                  >
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
          <li>
            <button type="button" class="row" data-key="chats" onClick={() => places.go({ name: 'chats' })}>
              <span class="row-title">{say('home_all_chats')}</span>
              <Icon name="forward" size={16} />
            </button>
          </li>
        )}
      </ul>
    </section>
  );
};
