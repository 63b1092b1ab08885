import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DraftServer, Line, TEXT_MAX } from '../../test/draft-server.ts';
import { ApiError } from '../api.ts';
import { memoryStore } from '../storage.ts';
import type { Drafts } from './drafts.ts';

// Drafts when connections break, responses are lost and notifications arrive out of order.

let server: DraftServer;
beforeEach(() => {
  vi.useFakeTimers();
  server = new DraftServer();
});
afterEach(() => vi.useRealTimers());

/** Runs everything that is due by then. */
const pass = (ms = 2000) => vi.advanceTimersByTimeAsync(ms);

/** Two browsers that show the same chat, and the connection of the second. */
async function pair(): Promise<[desk: Drafts, phone: Drafts, line: Line]> {
  const line = new Line();
  const [desk, phone] = [server.browser(), server.browser(memoryStore(), 1, line)];
  desk.open('a');
  phone.open('a');
  await pass();
  return [desk, phone, line];
}

/** As `pair`, but both wrote while the phone was offline, so that it has to choose between two texts. */
async function choice(): ReturnType<typeof pair> {
  const [desk, phone, line] = await pair();
  line.cut();
  phone.change('a', { reply: 'On the train' });
  desk.change('a', { reply: 'At the desk' });
  await pass();
  server.back(phone);
  await pass();
  expect(phone.elsewhere('a', 'reply')?.text).toBe('At the desk');
  return [desk, phone, line];
}

test('a lost response does not put a browser in conflict with itself', async () => {
  const [desk, phone, line] = await pair();
  line.loses = (way) => way === 'back';
  phone.change('a', { reply: 'Hello' });
  await pass();
  expect(desk.get('a').reply).toBe('Hello');
  phone.change('a', { reply: 'Hello, and more' });
  await pass(20_000);
  line.loses = () => false;
  await pass(40_000);
  expect(phone.elsewhere('a', 'reply')).toBeUndefined();
  expect(desk.get('a').reply).toBe('Hello, and more');
});

test('a message that is sent while the save of its draft is uncertain leaves no draft behind', async () => {
  const [desk, phone, line] = await pair();
  line.loses = (way) => way === 'back';
  phone.change('a', { reply: 'Hello' });
  await pass();
  line.loses = () => false;
  phone.change('a', { reply: '' });
  await pass(40_000);
  expect([phone.elsewhere('a', 'reply'), phone.get('a').reply, desk.get('a').reply]).toEqual([
    undefined,
    '',
    '',
  ]);
});

test('a response from before a reconnect does not count for a request after it', async () => {
  const [desk, phone, line] = await pair();
  line.delayMs = () => 5000;
  line.loses = () => false;
  phone.open('a');
  await pass(6000);
  // The response without a draft is on its way; the notification of a new draft is lost.
  const { bring } = line;
  line.bring = () => undefined;
  desk.change('a', { reply: 'At the desk' });
  await pass();
  line.bring = bring;
  phone.online();
  await pass(20_000);
  expect(phone.get('a').reply).toBe('At the desk');
});

test('a call that was lost with its connection does not delay the next one after a reconnect', async () => {
  const [desk, phone, line] = await pair();
  line.loses = () => true;
  phone.change('a', { reply: 'On the train' });
  await pass();
  line.cut();
  desk.change('a', { reply: 'At the desk' });
  await pass();
  line.loses = () => false;
  server.back(phone);
  await pass(1000);
  expect(phone.elsewhere('a', 'reply')?.text).toBe('At the desk');
  expect(phone.get('a').reply).toBe('On the train');
});

test('a change that cannot be fetched is fetched later', async () => {
  const [desk, phone, line] = await pair();
  desk.change('a', { reply: 'At the desk' });
  line.loses = (way) => way === 'there';
  await pass(20_000);
  expect(phone.get('a').reply).toBe('');
  line.loses = () => false;
  await pass(20_000);
  expect(phone.get('a').reply).toBe('At the desk');
});

test('a draft that is emptied elsewhere is no longer offered as the other text', async () => {
  const [desk, phone] = await choice();
  desk.change('a', { reply: '' });
  await pass(5000);
  expect(phone.elsewhere('a', 'reply')).toBeUndefined();
  expect([phone.get('a').reply, desk.get('a').reply]).toEqual(['On the train', 'On the train']);
});

test('the chosen text stays, even if it was emptied elsewhere at the same moment', async () => {
  const [desk, phone, line] = await choice();
  line.cut();
  desk.change('a', { reply: '' });
  await pass();
  phone.takeOther('a', 'reply');
  server.back(phone);
  await pass(5000);
  expect([phone.get('a').reply, desk.get('a').reply]).toEqual(['At the desk', 'At the desk']);
});

test('a draft that is emptied elsewhere before its own save is answered does not count as saved', async () => {
  const [desk, phone, line] = await pair();
  line.delayMs = () => 3000;
  const bring = line.bring.bind(line);
  phone.change('a', { reply: 'Hello' });
  await pass(4500);
  // The notification arrives before the response.
  line.bring = (arrive) => arrive();
  desk.change('a', { reply: '' });
  await pass(1200);
  line.bring = bring;
  line.delayMs = () => 0;
  await pass(10_000);
  expect([desk.get('a').reply, phone.get('a').reply, server.drafts.size]).toEqual(['', '', 0]);
});

test('a text that the server refuses blocks neither the note beside it nor later changes', async () => {
  const [desk, phone] = await pair();
  phone.change('a', { reply: 'x'.repeat(TEXT_MAX + 1), note: 'careful' });
  await pass();
  expect(desk.get('a').note).toBe('careful');
  desk.change('a', { note: 'very careful' });
  await pass();
  expect(phone.get('a').note).toBe('very careful');
  phone.change('a', { reply: 'short' });
  await pass();
  expect(desk.get('a').reply).toBe('short');
});

test('saving continues if the agent signs in again before the refusal arrives', async () => {
  const [desk, phone, line] = await pair();
  const { call } = line;
  line.call = (_act, signal) =>
    new Promise((_resolve, reject) => {
      const refuse = (): void => reject(new ApiError('unauthorized', 'Sign in to continue.'));
      signal.addEventListener('abort', refuse);
    });
  phone.change('a', { reply: 'Hello' });
  await pass();
  line.call = call;
  phone.online();
  await pass();
  expect(desk.get('a').reply).toBe('Hello');
});

test('a tab that is opened later saves what two earlier tabs could not save', async () => {
  const store = memoryStore();
  server.error = new ApiError('network', 'no answer');
  const tabs = [server.browser(store), server.browser(store)] as const;
  tabs[0].change('a', { reply: 'One' });
  tabs[1].change('b', { reply: 'Two' });
  await pass();
  for (const tab of tabs) tab.stop();
  server.error = undefined;
  server.browser(store).online();
  await pass();
  expect([...server.drafts.values()].map(({ text }) => text).sort()).toEqual(['One', 'Two']);
});

test('a stopped desk sends nothing more', async () => {
  const [, phone, line] = await pair();
  line.delayMs = () => 500;
  phone.change('a', { reply: 'Hello' });
  await pass(1200);
  server.error = new ApiError('unavailable', 'down');
  phone.stop();
  await pass();
  server.error = undefined;
  await pass(60_000);
  expect(server.saves).toBe(0);
});

test('a mark that arrives while the list is on its way stays', async () => {
  const [desk, phone, line] = await pair();
  line.delayMs = () => 500;
  phone.online();
  await pass(600);
  line.delayMs = () => 0;
  desk.change('b', { reply: 'Hello' });
  desk.flush();
  await pass();
  expect(phone.written.has('b')).toBe(true);
});

/** Random numbers from 0 to below 1, the same for the same seed (mulberry32). */
const numbers = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

/** Three browsers with bad connections for a while, then good ones until nothing is in flight. */
async function muddle(seed: number, act: (browser: Drafts, random: () => number) => void): Promise<void> {
  const random = numbers(seed);
  const lines = [new Line(), new Line(), new Line()];
  const browsers = lines.map((line) => server.browser(memoryStore(), 1, line));
  for (const line of lines) {
    line.delayMs = () => random() ** 4 * 4000;
    line.loses = () => random() < 0.1;
  }
  for (const browser of browsers) browser.open('a');
  for (let step = 0; step < 60; step += 1) {
    const at = Math.floor(random() * lines.length);
    const [line, browser] = [lines[at], browsers[at]];
    if (!line || !browser) continue;
    if (random() < 0.8) act(browser, random);
    else if (line.isUp) line.cut();
    else server.back(browser);
    await pass(random() ** 2 * 3000);
  }
  for (const line of lines) {
    line.delayMs = () => 0;
    line.loses = () => false;
  }
  for (const browser of browsers) server.back(browser);
  await pass(60_000);
}

describe('whatever the connections do, in any order,', () => {
  const seeds = Array.from({ length: 100 }, (_, seed) => seed);

  test('no word is lost, and all browsers have the same text or show the other one', async () => {
    for (const seed of seeds) {
      server = new DraftServer();
      const words: string[] = [];
      await muddle(seed, (browser) => {
        const word = `w${words.length}.`;
        words.push(word);
        browser.change('a', { reply: `${browser.get('a').reply} ${word}` });
      });
      const texts = [...server.browsers.keys()].map((browser) => browser.get('a').reply).join();
      expect(server.isInStep('a'), `seed ${seed}`).toBe(true);
      expect(
        words.filter((word) => !texts.includes(word)),
        `seed ${seed}`,
      ).toEqual([]);
    }
  });

  test('browsers that choose, send or discard end up with the same drafts', async () => {
    for (const seed of seeds) {
      server = new DraftServer();
      let count = 0;
      await muddle(seed, (browser, random) => {
        const tab = random() < 0.5 ? 'reply' : 'note';
        const kind = random();
        if (kind < 0.2) browser.takeOther('a', tab);
        else if (kind < 0.4) browser.keepOwn('a', tab);
        else browser.change('a', { [tab]: kind < 0.6 ? '' : `text ${count++}` });
      });
      expect(server.isInStep('a'), `seed ${seed}`).toBe(true);
    }
  });
});
