import type { PreviewMessage, ServerFrame } from '@foyer/protocol';
import type { SocketLike } from '@foyer/protocol/browser/line';
import { render } from 'preact';
import { createChat } from './core/chat.ts';
import type { ConversationState } from './core/conversation.ts';
import { NEW_CHAT } from './core/outbox.ts';
import { createStorage } from './core/storage.ts';
import { darkness, paint } from './paint.ts';
import { createSpeech } from './speech.ts';
import './style/index.css';
import { App } from './view/App.tsx';

/** The widget in the desk's settings: the real one, with the desk acting as its server. */
const isPreview = (data: unknown): data is PreviewMessage =>
  typeof data === 'object' && data !== null && 'type' in data && data.type === 'preview';

/** A fake server that sends what it is given and answers only pings. */
const pretendServer = () => {
  let frames: ServerFrame[] = [];
  let socket: SocketLike | undefined;
  const tell = () => {
    for (const frame of frames) socket?.onmessage?.({ data: JSON.stringify(frame) });
  };
  return {
    open(): SocketLike {
      const made: SocketLike = {
        send(text) {
          if (text.includes('"ping"')) made.onmessage?.({ data: '{"type":"pong"}' });
        },
        close: () => {},
        onopen: null,
        onmessage: null,
        onclose: null,
      };
      socket = made;
      return made;
    },
    say(next: ServerFrame[]) {
      frames = next;
      tell();
    },
  };
};

const start = (root: HTMLElement) => {
  const server = pretendServer();
  const speech = createSpeech(document.documentElement, () => draw(chat.state()));
  const chat = createChat({
    storage: createStorage('', () => {
      throw new Error('a preview keeps nothing');
    }),
    open: server.open,
    openPoll: async () => server.open(),
    isOffline: () => false,
    filesName: 'preview',
    uploadUrl: () => '',
    alone: (run) => run(),
    onIncoming: () => {},
    onState: (state) => draw(state),
  });
  const draw = (state: ConversationState) => {
    if (!state.site) return;
    paint(state.site.look.color, state.site.look.theme);
    if (speech.isReady()) render(<App chat={chat} state={state} closePanel={() => {}} />, root);
  };
  darkness.addEventListener('change', () => draw(chat.state()));
  chat.begin({ key: 'anon_preview' });
  chat.panel(true);
  addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== parent || origin !== location.origin || !isPreview(data)) return;
    speech.setLocale(data.language);
    server.say(data.frames);
    const chatOf = { first: `${NEW_CHAT}preview`, chat: data.session_id };
    chat.show(data.place === 'home' ? { name: 'home' } : { name: 'chat', chat: chatOf[data.place] });
  });
  // The framing page may now say what to show.
  parent.postMessage({ foyer: 1, type: 'preview_ready' }, location.origin);
};

const root = document.getElementById('app');
if (root && parent !== self) {
  // Otherwise it would take the focus out of the form beside it.
  root.inert = true;
  start(root);
}
