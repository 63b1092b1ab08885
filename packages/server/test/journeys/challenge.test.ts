import type { Challenge, ServerFrame, SolvedChallenge } from '@foyer/protocol';
import type { BrowserContext, FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Shop, startShop } from '../../../sdk/test/shop.ts';
import { createSearch } from '../../../widget/src/challenge/search.ts';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { freePort } from '../foyer-process.ts';
import { until } from '../harness.ts';
import { snippetFor } from '../snippet.ts';
import { TestSocket } from '../sockets.ts';
import { say } from '../stand.ts';

// Above a limit, strangers need a proof of work: a flood is kept out, and other visitors chat without noticing.

const CHATS = 4;
const GREETINGS = 60;
const SOLVED_LATE_MS = 121_000;

let browser: TestBrowser;
let shop: Shop;
let app: TestApp;
/** Another process on the same database. */
let other: TestApp;
let url: string;
let site: TestSite;
let context: BrowserContext;
let time = Date.now();

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  const environment = { FOYER_TRUST_PROXY: '127.0.0.1' };
  const options = {
    now: () => new Date(time),
    admittedPerMinute: { chat: CHATS, visitor: CHATS, greeting: GREETINGS },
  };
  [browser, shop] = await Promise.all([openBrowser(), startShop()]);
  app = await startTestApp({ ...environment, PORT: String(port) }, options);
  other = await startTestApp(environment, options, { url: app.databaseUrl, close: async () => undefined });
});
beforeEach(async () => {
  time += 200_000;
  site = await app.makeSite();
  context = await browser.newContext({ reducedMotion: 'reduce' });
  shop.page.html = `<!doctype html><title>Shop</title>${snippetFor(url, site.publicKey)}<p>A shop`;
});
afterEach(() => context.close());
afterAll(async () => {
  await browser.close();
  await shop.stop();
  await other.close();
  await app.close();
});

/** Opens the chat in a page with the snippet of the docs. @returns the page, the chat and everything it loaded */
async function visit(): Promise<{ page: Page; chat: FrameLocator; loaded: string[] }> {
  const page = await context.newPage();
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto(shop.origin);
  await page.getByRole('button', { name: 'Open chat' }).click();
  return { page, chat: page.frameLocator('iframe[title=Chat]'), loaded };
}

async function begin(chat: FrameLocator, text: string): Promise<void> {
  await chat.getByRole('button', { name: /Send us a message/ }).click();
  const field = chat.getByPlaceholder('Write a message…');
  await field.fill(text);
  await field.press('Enter');
  await until(async () => {
    const { rowCount } = await app.app.database.pool.query(
      'select from messages where site_id = $1 and text = $2',
      [site.site.id, text],
    );
    return rowCount === 1;
  });
}

/** The loaded files that solve challenges. */
const solvers = (loaded: string[]): string[] => [
  ...new Set(loaded.filter((path) => /\/(solve|worker)-/.test(path))),
];

/** A scripted visitor. @param solves whether it says that it solves challenges */
async function script(key: string, { solves = false, at = app, from = '127.0.0.1', of = site } = {}) {
  const line = `${at.url}/widget/socket?site=${of.publicKey}`;
  const socket = await TestSocket.open(line, { 'x-forwarded-for': from });
  socket.send({ type: 'hello', key: `anon_${key}`, solves });
  return socket;
}

/** Begins chats from one address until they are refused. @returns how many were accepted */
async function flood(from = '127.0.0.1'): Promise<number> {
  for (let begun = 0; ; begun++) {
    const socket = await script(`flood_${begun}`, { from });
    try {
      await socket.next('welcome');
      await say(socket, null, 'Buy now');
    } catch (refusal) {
      expect(refusal).toMatchObject({ code: 'rate_limited' });
      return begun;
    } finally {
      socket.cut();
    }
  }
}

const solutionOf = (challenge: Challenge): SolvedChallenge => {
  const search = createSearch(challenge.parameters);
  for (;;) {
    const solution = search();
    if (solution) return { challenge, solution };
  }
};

/** Sends a message, which needs a proof of work. @returns the challenge, and a function that answers it */
async function challenged(socket: TestSocket) {
  const outcome = say(socket, null, 'Good morning').then(
    () => 'said' as const,
    ({ code }: { code: string }) => code,
  );
  const { id, challenge } = await socket.next('challenge', (frame) => frame.id !== undefined);
  return {
    challenge,
    answer: (solved: SolvedChallenge) => {
      socket.send({ type: 'solution', id, ...solved });
      return outcome;
    },
  };
}

const set = async (challenges: 'auto' | 'always' | 'off') => {
  const cookie = await app.signIn(site.admin.email);
  const { status } = await app.desk(cookie, 'site.update', { challenges });
  expect(status).toBe(200);
};

describe('a visitor', () => {
  it('gets no challenge without load, and loads no solver', async () => {
    const { chat, loaded } = await visit();
    await begin(chat, 'Good morning');
    expect(loaded.length).toBeGreaterThan(5);
    expect(solvers(loaded)).toEqual([]);
  });

  it('chats during a flood from the same address, and a script that solves nothing is kept out', async () => {
    expect(await flood()).toBe(CHATS);
    const { chat, loaded } = await visit();
    await begin(chat, 'Good morning');
    expect(solvers(loaded)).toHaveLength(2);
    // The notice is gone again.
    expect(await chat.locator('.checking').count()).toBe(0);
    expect(await flood()).toBe(0);
  });

  it('does so without sockets too, and if the browser allows no worker', async () => {
    await flood();
    await context.addInitScript('delete globalThis.Worker');
    await context.routeWebSocket(/socket/, (socket) => socket.close());
    const { chat, loaded } = await visit();
    await begin(chat, 'Good morning');
    expect(loaded).toContain('/widget/poll');
    expect(loaded.some((path) => /\/worker-/.test(path))).toBe(false);
  });

  it('sees why it takes so long, also with a screen reader', async () => {
    await context.addInitScript('globalThis.Worker = class { postMessage() {} terminate() {} }');
    const { chat } = await visit();
    await chat.getByRole('button', { name: /Send us a message/ }).click();
    await flood();
    const field = chat.getByPlaceholder('Write a message…');
    await field.fill('Good morning');
    await field.press('Enter');
    const notice = chat.getByRole('status').filter({ hasText: 'checking your browser' });
    await notice.waitFor();
    expect(await notice.textContent()).toBe(
      'One moment, we’re checking your browser. There’s nothing you need to do.',
    );
  });
});

describe('a solution', () => {
  it('admits its own call, once across all processes', async () => {
    await flood();
    const socket = await script('one', { solves: true });
    await socket.next('welcome');
    const first = await challenged(socket);
    const solved = solutionOf(first.challenge);
    expect(await first.answer(solved)).toBe('said');

    await (await script('elsewhere', { at: other })).next('welcome');
    for (const at of [app, other]) {
      if (at === other) await floodOf(other);
      const replaying = await script(`two_${at === app}`, { solves: true, at });
      await replaying.next('welcome');
      const second = await challenged(replaying);
      expect(await second.answer(solved)).toBe('rate_limited');
    }
  });

  it('counts only if it is correct, in time, and for its own site and address', async () => {
    await flood();
    const elsewhere = await app.makeSite();
    const refusals = {
      forged: async ({ challenge, solution }: SolvedChallenge) => ({
        challenge: { ...challenge, parameters: { ...challenge.parameters, keyPrefix: solution.derivedKey } },
        solution,
      }),
      guessed: async ({ challenge, solution }: SolvedChallenge) => ({
        challenge,
        solution: { ...solution, counter: solution.counter + 1 },
      }),
      foreign: async () => {
        const own = site;
        site = elsewhere;
        await flood();
        const socket = await script('foreign', { solves: true });
        await socket.next('welcome');
        const { challenge } = await challenged(socket);
        site = own;
        return solutionOf(challenge);
      },
      distant: async () => {
        const from = '198.51.100.9';
        await flood(from);
        const socket = await script('distant', { solves: true, from });
        await socket.next('welcome');
        return solutionOf((await challenged(socket)).challenge);
      },
      // The last one, because then the flood's minute is over.
      expired: async (solved: SolvedChallenge) => {
        time += SOLVED_LATE_MS;
        return solved;
      },
    };
    for (const [name, change] of Object.entries(refusals)) {
      const socket = await script(name, { solves: true });
      await socket.next('welcome');
      const { challenge, answer } = await challenged(socket);
      expect(await answer(await change(solutionOf(challenge))), name).toBe('rate_limited');
    }
  });

  it('after a hello opens the connection, and after a wrong one the widget tries again later', async () => {
    const sockets = [];
    for (let at = 0; at < GREETINGS / 2; at++) sockets.push(await script(`greeting_${at}`));
    for (const socket of sockets) await socket.next('welcome');
    const right = await script('right', { solves: true });
    const { challenge } = await right.next('challenge');
    right.send({ type: 'solution', ...solutionOf(challenge) });
    await right.next('welcome');

    const wrong = await script('wrong', { solves: true });
    const { solution } = solutionOf(challenge);
    wrong.send({ type: 'solution', challenge: (await wrong.next('challenge')).challenge, solution });
    expect((await wrong.whenClosed()).code).toBe(1013);
  });
});

describe('an admin', () => {
  it('can challenge every new visitor, or nobody', async () => {
    await set('always');
    const { chat, loaded } = await visit();
    await begin(chat, 'Good morning');
    expect(solvers(loaded)).toHaveLength(2);

    await set('off');
    const socket = await script('off', { solves: true });
    await socket.next('welcome');
    for (let begun = 0; begun < CHATS; begun++) await say(socket, null, 'Good morning');
    await expect(say(socket, null, 'One too many')).rejects.toMatchObject({ code: 'rate_limited' });
    expect(socket.frames.some(({ type }: ServerFrame) => type === 'challenge')).toBe(false);
  });
});

/** Uses up this address's limit in another process. */
async function floodOf(at: TestApp): Promise<void> {
  const before = app;
  app = at;
  await flood();
  app = before;
}
