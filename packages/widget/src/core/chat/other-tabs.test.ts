import type { ClientFrame, ServerFrame } from '@foyer/protocol';
import type { SocketLike } from '@foyer/protocol/browser/line';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeStorage } from '../../../test/fake-storage.ts';
import { testSite } from '../../../test/sites.ts';
import { createChat } from '../chat.ts';
import type { ConversationState } from '../conversation.ts';
import { createStorage } from '../storage.ts';

const WELCOME: ServerFrame = {
  type: 'welcome',
  token: 'vis_t',
  visitor: { key: 'anon_1', name: null, email: null, verified: false },
  site: testSite('S'),
  pre_chat: [],
  sessions: [],
  agents_online: false,
  team: [],
  open: true,
  next_opening_utc: null,
  hours: null,
  mails: false,
};

/** Tabs of one browser: they share its storage, and each is notified of what another one stores. */
const openBrowser = () => {
  let values = fakeStorage();
  const shared = createStorage('foyer.x.', () => values);
  const heard = new Set<(by: object, name: string | null) => void>();

  const openTab = () => {
    const tab = {};
    const sent: ClientFrame[] = [];
    const sockets: SocketLike[] = [];
    let line: ConversationState['line'] | undefined;
    const open = (): SocketLike => {
      const socket: SocketLike = {
        send: (text) => void sent.push(JSON.parse(text)),
        close: () => {},
        onopen: null,
        onmessage: null,
        onclose: null,
      };
      sockets.push(socket);
      return socket;
    };
    const chat = createChat({
      storage: {
        ...shared,
        write(name, value) {
          shared.write(name, value);
          for (const hear of heard) hear(tab, name);
        },
      },
      open,
      openPoll: async () => open(),
      isOffline: () => false,
      uploadUrl: (uploadId) => `/${uploadId}`,
      filesName: 'files',
      alone: (run) => run(),
      onIncoming: () => {},
      onState: (state) => {
        line = state.line;
      },
    });
    const hear = (by: object, name: string | null) => {
      if (by !== tab) chat.storageChanged(name);
    };
    heard.add(hear);
    const greet = () => {
      sockets.at(-1)?.onopen?.();
      sockets.at(-1)?.onmessage?.({ data: JSON.stringify(WELCOME) });
    };
    chat.begin({});
    return {
      chat,
      greet,
      line: () => line,
      goOnline() {
        chat.panel(true);
        greet();
      },
      texts: () =>
        sent.flatMap((frame) =>
          frame.type === 'call' && frame.op === 'chat.send' ? [(frame.input as { text: string }).text] : [],
        ),
      close() {
        heard.delete(hear);
        chat.rest();
      },
    };
  };
  const clear = () => {
    values = fakeStorage();
    for (const hear of heard) hear({}, null);
  };
  return { openTab, clear };
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a message of a tab that closes before it is connected is sent by another tab that is', async () => {
  const browser = openBrowser();
  const [other, closing] = [browser.openTab(), browser.openTab()];
  other.goOnline();
  closing.chat.send(closing.chat.newChat(), 'Is anybody there?');
  closing.close();
  await pass(1_000);
  expect(closing.texts()).toEqual([]);
  expect(other.texts()).toEqual(['Is anybody there?']);
});

test('when another tab empties the storage, the connection ends; the next message opens it again', async () => {
  const browser = openBrowser();
  const tab = browser.openTab();
  tab.goOnline();
  expect(tab.line()).toBe('online');
  browser.clear();
  await pass(1_000);
  expect(tab.line()).toBe('idle');
  // The panel is still open.
  tab.chat.send(tab.chat.newChat(), 'Hello again');
  tab.greet();
  await pass(0);
  expect(tab.line()).toBe('online');
  expect(tab.texts()).toEqual(['Hello again']);
});
