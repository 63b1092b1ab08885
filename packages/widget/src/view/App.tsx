import { useEffect, useRef, useState } from 'preact/hooks';
import type { Chat } from '../core/chat.ts';
import type { ConversationState } from '../core/conversation.ts';
import { withoutMarks } from '../marks.ts';
import { say } from '../strings.ts';
import { CloseButton } from './CloseButton.tsx';
import { SharedContext, useShared } from './conversation/use-chat.ts';
import { Home } from './home/Home.tsx';
import { LineNotice } from './LineNotice.tsx';
import { onDemand } from './OnDemand.tsx';
import { usePlaces } from './use-places.ts';

/** No spinner or skeleton appears before this. */
const SKELETON_AFTER_MS = 300;

interface AppProps {
  chat: Chat;
  state: ConversationState;
  closePanel: () => void;
}

export const App = ({ chat, state, closePanel }: AppProps) => {
  const panel = useRef<HTMLDivElement>(null);

  const places = usePlaces(chat, state, panel);
  // A page load does without the chat's own part. A visitor who opens the panel will probably need it.
  useEffect(() => {
    if (state.isOpen) Conversation.prefetch();
  }, [state.isOpen]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) closePanel();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [closePanel]);

  return (
    <SharedContext.Provider value={{ chat, state, places, closePanel }}>
      <div class="panel" ref={panel} data-view={state.view.name}>
        <PlaceView />
        <Announcer state={state} />
      </div>
    </SharedContext.Provider>
  );
};

const Conversation = onDemand(async () => (await import('./conversation/Conversation.tsx')).Conversation);
const HelpScreen = onDemand(async () => (await import('./help/HelpScreen.tsx')).HelpScreen);
const ArticleScreen = onDemand(async () => (await import('./help/ArticleScreen.tsx')).ArticleScreen);
const ChatList = onDemand(async () => (await import('./home/ChatList.tsx')).ChatList);

const PlaceView = () => {
  const { site, view } = useShared().state;
  if (view.name === 'chat') return <Conversation key={view.openedAs} place={view.chat} />;
  if (!site) return <Skeleton />;
  if (view.name === 'help') return <HelpScreen query={view.query} />;
  if (view.name === 'article') return <ArticleScreen key={view.slug} slug={view.slug} />;
  return view.name === 'chats' ? <ChatList /> : <Home site={site} />;
};

const Skeleton = () => {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class={isLate ? 'skeleton' : 'skeleton skeleton-early'} aria-busy="true">
      <header class="hero">
        <div class="hero-bar">
          <span class="site-name" />
          <CloseButton />
        </div>
      </header>
      <div class="cards">
        <LineNotice />
        <div class="card bone" />
        <div class="card bone bone-tall" />
      </div>
      <span class="unseen" role="status">
        {isLate ? say('loading') : ''}
      </span>
    </div>
  );
};

/** Announces new messages of the visible chat to screen readers. */
const Announcer = ({ state }: { state: ConversationState }) => {
  const { view } = state;
  const messages = view.name === 'chat' ? state.messages[view.chat] : undefined;
  const last = messages?.at(-1);
  const place = view.name === 'chat' ? view.chat : '';
  const before = useRef({ place: '', seq: 0 });
  const [said, setSaid] = useState({ seq: 0, text: '' });
  useEffect(() => {
    const isNew = before.current.place === place && last !== undefined && last.seq > before.current.seq;
    before.current = { place, seq: last?.seq ?? 0 };
    if (!isNew || (last.sender !== 'bot' && last.sender !== 'agent')) return;
    const name = last.author?.name ?? say(last.sender === 'bot' ? 'bot_name' : 'team');
    setSaid({ seq: last.seq, text: say('says', { name, text: withoutMarks(last.text) }) });
  }, [place, last?.seq]);
  return (
    <div class="unseen" aria-live="polite">
      {/* A new element, so that repeated text is announced again. */}
      <span key={said.seq}>{said.text}</span>
    </div>
  );
};
