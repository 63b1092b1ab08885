import type { ToWidget } from '@foyer/protocol';
import { isColor } from '@foyer/protocol/values/accent';
import { render } from 'preact';
import type { Visitor } from './core/chat/parts.ts';
import { type Chat, createChat } from './core/chat.ts';
import { type ConversationState, unreadInAll } from './core/conversation.ts';
import { createStorage } from './core/storage.ts';
import { connectHostPage } from './host-page.ts';
import { darkness, paint } from './paint.ts';
import { createSlices, createTasks, sliced } from './slices.ts';
import { createSpeech } from './speech.ts';
import { say } from './strings.ts';
import './style/index.css';
import { App } from './view/App.tsx';
import { openWith } from './view/conversation/use-begin.ts';

const NOTICE_MAX_CHARACTERS = 140;
const TYPING_CHECK_MS = 3_000;
/**
 * A long chat arrives as one frame per message; they are drawn together. Hidden frames have no animation frames.
 */
const DRAW_EVERY_MS = 16;

/** `/widget/PUBLIC_KEY` */
const site = decodeURIComponent(location.pathname.split('/').at(-1) ?? '');
const root = document.getElementById('app');
const prefix = `foyer.${site}.`;
/** The colour set by the page, which overrides the site's. */
let color: string | undefined;
let unread = 0;
let hasGreeted = false;
let isScheduled = false;
let bell: typeof import('./chime.ts') | undefined;

const draw = (state: ConversationState) => {
  const about = state.site;
  if (about) speech.setSite(about);
  paint(color ?? about?.look.color, about?.look.theme);
  if (!root || !speech.isReady()) return;
  document.title = about?.name ?? say('chat');
  render(<App chat={chat} state={state} closePanel={closePanel} />, root);
  const count = unreadInAll(state);
  if (count !== unread) host.post({ type: 'unread', count, label: say('unread', { count }) });
  unread = count;
  if (!hasGreeted && about) {
    hasGreeted = true;
    host.post({ type: 'ready', look: about.look });
  }
};

const drawSoon = () => {
  if (isScheduled) return;
  isScheduled = true;
  setTimeout(() => {
    isScheduled = false;
    draw(chat.state());
  }, DRAW_EVERY_MS);
};

const door = (path: string) => new URL(`/widget/${path}?site=${encodeURIComponent(site)}`, location.href);

/**
 * One tab at a time. If locks are missing or denied, as in frames without storage, the server's ids prevent
 * duplicates.
 */
const runAlone = async (run: () => Promise<void>): Promise<void> => {
  let hasRun = false;
  const once = () => {
    hasRun = true;
    return run();
  };
  try {
    await navigator.locks.request(`foyer.${site}.outbox`, once);
  } catch (error) {
    if (hasRun) throw error;
    await run();
  }
};

const hear = (message: ToWidget) => {
  switch (message.type) {
    case 'init':
      chat.begin(visitorOf(message), message.forget);
      break;
    case 'identify':
      chat.identify(visitorOf(message));
      break;
    case 'page':
      chat.setPage({ page_url: message.page_url, page_title: message.page_title });
      break;
    case 'reset':
      chat.reset(message.key);
      break;
    case 'message':
      openWith(chat, message);
      break;
    case 'connect':
      chat.connect();
      break;
    case 'opened':
      chat.panel(true);
      break;
    case 'closed':
      chat.panel(false);
      break;
  }
};

/** A frame has a size limit. Larger attributes reach the server only through the SDK's own channel. */
const ATTRIBUTES_CHARS = 20_000;

const visitorOf = (message: Extract<ToWidget, { type: 'init' | 'identify' }>): Visitor => ({
  key: message.key,
  attributes: JSON.stringify(message).length < ATTRIBUTES_CHARS ? message.attributes : {},
  ...(message.user_hash && { user_hash: message.user_hash }),
  ...(message.type === 'init' && {
    page_url: message.page_url,
    page_title: message.page_title,
    referrer: message.referrer,
    locale: message.locale ?? navigator.language,
  }),
});

const closePanel = () => host.post({ type: 'close' });
const speech = createSpeech(document.documentElement, drawSoon);
const storage = createStorage(
  prefix,
  () => localStorage,
  (kept) => host.post({ type: 'keep', kept }),
);
const inSlices = createSlices(createTasks());
// A page's first formatter takes longer than everything that is drawn, so each is created ahead of its use, in a
// separate task.
inSlices(() => void new Intl.NumberFormat());
inSlices(() => void new Intl.DateTimeFormat());

const chat: Chat = createChat({
  storage,
  open() {
    const url = door('socket');
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    return sliced(new WebSocket(url), inSlices);
  },
  openPoll: async () => sliced((await import('./core/poll.ts')).openPoll(door('poll')), inSlices),
  solve: async (challenge) => (await import('./challenge/solve.ts')).solve(challenge),
  isOffline: () => !navigator.onLine,
  uploadUrl: (uploadId, name) => `${door(`uploads/${uploadId}`)}&name=${encodeURIComponent(name)}`,
  filesName: `${prefix}files`,
  alone: runAlone,
  onState: drawSoon,
  onIncoming(sender, text) {
    host.post({ type: 'message', sender, text: text.slice(0, NOTICE_MAX_CHARACTERS) });
    const { isOpen, site: about } = chat.state();
    if (about?.sound && !chat.isMuted() && (!isOpen || document.hidden)) bell?.chime();
  },
});

const host = connectHostPage((message) => {
  if (message.type === 'init') {
    if (isColor(message.color)) color = message.color;
    speech.setLocale(message.locale);
    storage.restore(message.kept);
  }
  hear(message);
  if (message.type === 'init') host.post({ type: 'here' });
});

draw(chat.state());
// Opened as a page of its own, without a shop around it.
if (parent === self) {
  chat.begin({ page_url: document.referrer || location.href, locale: navigator.language });
  chat.panel(true);
}

setInterval(chat.tick, TYPING_CHECK_MS);
addEventListener('online', chat.check);
addEventListener('offline', chat.lose);
addEventListener('storage', (event) => {
  if (event.key === null) chat.storageChanged(null);
  else if (event.key.startsWith(prefix)) chat.storageChanged(event.key.slice(prefix.length));
});
const wakeBell = async () => {
  bell ??= await import('./chime.ts').catch(() => undefined);
};
addEventListener('pointerdown', wakeBell, { once: true });
addEventListener('keydown', wakeBell, { once: true });
// A page in the back/forward cache must not hold a connection. One that was frozen finds its timers overdue.
addEventListener('pagehide', (event) => event.persisted && chat.rest());
addEventListener('pageshow', (event) => event.persisted && chat.check());
darkness.addEventListener('change', () => draw(chat.state()));
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') return;
  chat.check();
  chat.markRead();
});
