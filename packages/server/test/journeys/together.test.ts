import type { Message } from '@foyer/protocol';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAgent } from '../accounts.ts';
import { PASSWORD } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { type CutLine, openLine } from '../cut-line.ts';
import { until } from '../harness.ts';
import { TestSocket } from '../sockets.ts';
import { makeStand, type Stand, say } from '../stand.ts';

// Two agents and three visitors at once, each in their own browser, on one site. The tests build on each other.

interface Guest {
  log: Locator;
  say(text: string): Promise<void>;
}

let browser: TestBrowser;
let stand: Stand;
let benLine: CutLine;
let ada: Page;
let ben: Page;
let mira: Guest;
let jonas: Guest;
let priya: Guest;

async function openDesk(origin: string, email: string): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(`${origin}/app/inbox`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  return page;
}

/** A visitor on the shop's page who requests a person. */
async function openGuest(name: string): Promise<Guest> {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${stand.url}/demo`);
  await page.evaluate(`svc('identify', { user_id: '${name}', name: '${name}' })`);
  await page.evaluate(`svc('open')`);
  const widget = page.frameLocator('iframe[src*="/widget/"]');
  const log = widget.getByRole('region', { name: 'Chat', exact: true });
  const box = widget.getByRole('textbox', { name: 'Write a message…' });
  await widget.getByRole('button', { name: /Send us a message/ }).click();
  const guest = {
    log,
    async say(text: string) {
      await box.fill(text);
      await box.press('Enter');
      await log.getByText(text, { exact: true }).waitFor();
    },
  };
  await guest.say(`${name} wants to talk to a person, please`);
  return guest;
}

beforeAll(async () => {
  benLine = await openLine(() => stand.foyer.port);
  [browser, stand] = await Promise.all([openBrowser(), makeStand()]);
  await makeAgent(stand.operator, { email: 'ben@example.com', name: 'Ben' });
  [ada, ben, mira, jonas, priya] = await Promise.all([
    openDesk(stand.url, stand.email),
    openDesk(`http://localhost:${benLine.port}`, 'ben@example.com'),
    openGuest('Mira'),
    openGuest('Jonas'),
    openGuest('Priya'),
  ]);
}, 60_000);
afterAll(async () => {
  await browser.close();
  await benLine.close();
  await stand.strike();
});

const rowOf = (desk: Page, name: string) =>
  desk.getByRole('list', { name: 'Chats and tickets' }).getByRole('link', { name: new RegExp(name) });
const queue = (desk: Page, name: string) =>
  desk.getByRole('navigation', { name: 'Queues' }).getByRole('link', { name });
const reply = (desk: Page) => desk.getByRole('textbox', { name: 'Reply' });
const logOf = (desk: Page) => desk.getByRole('log');
const joinButton = (desk: Page) => desk.getByRole('button', { name: 'Join chat' });

const hasChat = (desk: Page, who: string) =>
  desk.getByText(`This chat is assigned to ${who}.`).first().waitFor();

/** Runs a command of the palette by keyboard, with a choice if it has one. */
async function palette(desk: Page, words: string, choice?: string): Promise<void> {
  const choose = async (text: string): Promise<void> => {
    await desk.keyboard.type(text);
    // Enter runs the selected option, and the selection follows the typed text after a moment.
    await desk.getByRole('option', { name: text, selected: true }).waitFor();
    await desk.keyboard.press('Enter');
  };
  await desk.keyboard.press('Control+K');
  await desk.getByRole('dialog').getByRole('combobox').waitFor();
  await choose(words);
  if (choice !== undefined) await choose(choice);
  await desk.getByRole('dialog').getByRole('combobox').waitFor({ state: 'detached' });
}

async function answer(desk: Page, text: string): Promise<void> {
  await reply(desk).fill(text);
  await desk.keyboard.press('Enter');
}

/** The order in which a place shows these texts. */
async function saidIn(place: Locator, texts: readonly string[]): Promise<string[]> {
  for (const text of texts) await place.getByText(text, { exact: true }).first().waitFor();
  const shown = await place.innerText();
  return shown
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => texts.includes(line));
}

async function storedOf(name: string): Promise<Message[]> {
  const { body } = await stand.desk(await stand.signIn(), 'sessions.list', { queue: 'all' });
  const found = body.data.find(({ visitor }: { visitor: { name: string } }) => visitor.name === name);
  return stand.transcript(found.session_id);
}

const textsOf = (messages: readonly Message[], texts: readonly string[]): string[] =>
  messages.map(({ text }) => text).filter((text) => texts.includes(text));

it('if two join a chat at once, one has it and the other sees who; after a transfer nothing is shown twice', async () => {
  for (const desk of [ada, ben])
    for (const name of ['Mira', 'Jonas', 'Priya']) await rowOf(desk, name).waitFor();
  await queue(ada, 'Waiting 3').waitFor();
  await Promise.all([ada, ben].map((desk) => rowOf(desk, 'Mira').click()));
  await Promise.all([ada, ben].map((desk) => joinButton(desk).waitFor()));
  await Promise.all([ada, ben].map((desk) => joinButton(desk).click()));
  const held = (desk: Page): Promise<string> =>
    Promise.any([
      reply(desk)
        .waitFor()
        .then(() => 'mine'),
      desk
        .getByRole('button', { name: 'Take over' })
        .waitFor()
        .then(() => 'other'),
    ]);
  const holds = await Promise.all([held(ada), held(ben)]);
  expect(holds.toSorted()).toEqual(['mine', 'other']);
  const [winner, loser, winnerName, loserName] =
    holds[0] === 'mine' ? [ada, ben, 'Ada', 'Ben'] : [ben, ada, 'Ben', 'Ada'];
  await hasChat(loser, winnerName);
  await loser.getByText('Couldn’t join the chat.').waitFor();
  await answer(winner, 'One moment, please.');
  await loser.getByRole('log').getByText('One moment, please.', { exact: true }).waitFor();

  await palette(winner, 'Assign to', loserName);
  await winner.getByRole('textbox', { name: `Note for ${loserName} (optional)` }).press('Enter');
  await hasChat(winner, loserName);
  await answer(loser, 'I take it from here.');
  await mira.log.getByText('I take it from here.', { exact: true }).waitFor();
  await mira.say('Thank you both.');
  const texts = ['One moment, please.', 'I take it from here.', 'Thank you both.'];
  for (const place of [mira.log, logOf(ada), logOf(ben)]) expect(await saidIn(place, texts)).toEqual(texts);
  expect(textsOf(await storedOf('Mira'), texts)).toEqual(texts);
  const joins = (await storedOf('Mira'))
    .map(({ text }) => text)
    .filter((text) => / joined the chat/.test(text));
  expect(joins).toEqual([`${winnerName} joined the chat.`, `${loserName} joined the chat.`]);
});

it('all write at once in two chats, and every screen has each message once, in one order', async () => {
  for (const [desk, name] of [
    [ada, 'Jonas'],
    [ben, 'Priya'],
  ] as const) {
    await queue(desk, 'Waiting').click();
    await rowOf(desk, name).click();
    await joinButton(desk).click();
    await reply(desk).waitFor();
  }
  await queue(ada, 'Waiting')
    .and(ada.getByRole('link', { name: 'Waiting', exact: true }))
    .waitFor();
  const numbers = [1, 2, 3];
  const talk = async (write: (text: string) => Promise<void>, who: string): Promise<void> => {
    for (const number of numbers) await write(`${who} ${number}`);
  };
  await Promise.all([
    talk((text) => answer(ada, text), 'to Jonas'),
    talk(jonas.say, 'from Jonas'),
    talk((text) => answer(ben, text), 'to Priya'),
    talk(priya.say, 'from Priya'),
  ]);
  for (const [guest, desk, name] of [
    [jonas, ada, 'Jonas'],
    [priya, ben, 'Priya'],
  ] as const) {
    const texts = numbers.flatMap((number) => [`to ${name} ${number}`, `from ${name} ${number}`]);
    await until(async () => textsOf(await storedOf(name), texts).length === texts.length);
    const stored = await storedOf(name);
    const inOrder = textsOf(stored, texts);
    expect(inOrder.toSorted()).toEqual(texts.toSorted());
    // Authors see their own message at the end until it has its number.
    await expect.poll(() => saidIn(logOf(desk), texts)).toEqual(inOrder);
    await expect.poll(() => saidIn(guest.log, texts)).toEqual(inOrder);
    expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, at) => at + 1));
  }
});

it('an agent whose connection is cut sees that, and catches up with the messages of that time', async () => {
  benLine.cut();
  await ben.getByRole('status').getByText('You’re offline. Your drafts are kept.').waitFor();
  const texts = ['said while Ben is away', 'and this as well', 'Ben has heard it'];
  await priya.say('said while Ben is away');
  await priya.say('and this as well');
  benLine.mend();
  await answer(ben, 'Ben has heard it');
  for (const place of [logOf(ben), priya.log])
    expect((await saidIn(place, texts)).toSorted()).toEqual(texts.toSorted());
  await ben.getByText('You’re offline').waitFor({ state: 'detached' });
  expect(textsOf(await storedOf('Priya'), texts).toSorted()).toEqual(texts.toSorted());
});

it('a server that restarts while both write loses no draft, and pending messages are sent once', async () => {
  await stand.foyer.end('SIGTERM');
  await ada.getByRole('status').getByText('You’re offline').waitFor();
  await answer(ada, 'sent to a server that is gone');
  await jonas.say('asked of a server that is gone');
  await reply(ada).fill('half a sentence');
  await stand.foyer.start();
  const texts = ['sent to a server that is gone', 'asked of a server that is gone'];
  for (const place of [logOf(ada), jonas.log])
    expect((await saidIn(place, texts)).toSorted()).toEqual(texts.toSorted());
  await until(async () => textsOf(await storedOf('Jonas'), texts).length === 2);
  expect(await reply(ada).inputValue()).toBe('half a sentence');
  await reply(ada).press('End');
  await ada.keyboard.type(', and its end');
  await ada.keyboard.press('Enter');
  await jonas.log.getByText('half a sentence, and its end', { exact: true }).waitFor();
  expect(textsOf(await storedOf('Jonas'), texts).toSorted()).toEqual(texts.toSorted());
});

it('by keyboard alone an agent joins, answers, tags and closes a chat, and snoozes its ticket', async () => {
  const { socket } = await TestSocket.visitor(stand.url, stand.publicKey, { key: 'zoe' });
  await say(socket, null, 'I want to talk to a person, please');
  const { keyboard } = ada;
  await palette(ada, 'Inbox');
  await rowOf(ada, 'person').waitFor();
  await keyboard.press('j');
  await joinButton(ada).waitFor();
  // There is no composer yet: the key focuses the button that opens it.
  await keyboard.press('r');
  await joinButton(ada).and(ada.locator(':focus')).waitFor();
  await keyboard.press('Enter');
  await reply(ada).and(ada.locator(':focus')).waitFor();
  await palette(ada, 'Reply');
  await reply(ada).and(ada.locator(':focus')).waitFor();
  await keyboard.type('Good morning!');
  await keyboard.press('Enter');
  await logOf(ada).getByText('Good morning!', { exact: true }).waitFor();
  await palette(ada, 'Add or remove tags', 'urgent');
  await ada.getByRole('complementary').getByText('urgent', { exact: true }).first().waitFor();
  await palette(ada, 'Create ticket');
  await ada.getByRole('heading', { name: 'I want to talk to a person, please' }).first().waitFor();
  await palette(ada, 'Snooze', 'tomorrow');
  await ada
    .getByText(/^Snoozed until/)
    .first()
    .waitFor();
  await ada.goBack();
  await reply(ada).waitFor();
  await palette(ada, 'Close chat');
  await socket.next('session', ({ session }) => session.status === 'closed');
  socket.cut();
});

it('a change between the load of a page and its subscription is shown once it is subscribed', async () => {
  const { body } = await stand.rest('POST', '/v1/tickets', {
    subject: 'A lamp',
    body: 'It flickers',
    requester: { name: 'Noor' },
  });
  const { id } = body.data;
  const page = await ada.context().newPage();
  const line = Promise.withResolvers<void>();
  await page.routeWebSocket(/\/app\/socket/, async (socket) => {
    await line.promise;
    socket.connectToServer();
  });
  const loaded = page.waitForResponse(/tickets\.history/);
  await page.goto(`${stand.url}/app/inbox/tickets/${id}`);
  const status = page.getByLabel('Status', { exact: true });
  await status.waitFor();
  await loaded;
  await stand.rest('PATCH', `/v1/tickets?id=${id}`, { status: 'pending' });
  expect(await status.inputValue()).toBe('new');
  line.resolve();
  await expect.poll(() => status.inputValue()).toBe('pending');
  await page.close();
});

it('a message is found by its words, even if the server dies right after, and shown in its place', async () => {
  const said = 'The heron lives under the third bridge';
  await jonas.say(said);
  await queue(ada, 'All open').click();
  await rowOf(ada, 'Jonas').click();
  await answer(ada, `A long answer.${'\n\nAnd one more thing.'.repeat(40)}`);
  await jonas.log.getByText('A long answer.').waitFor();
  await stand.foyer.end('SIGKILL');
  await stand.foyer.start();
  const cookie = await stand.signIn();
  const q = 'bridge heron liv';
  await until(async () => (await stand.desk(cookie, 'inbox.search', { q })).body.data?.length > 0);
  await ada.getByRole('searchbox', { name: 'Search all' }).fill(q);
  const row = rowOf(ada, 'Jonas');
  await row.locator('mark').first().waitFor();
  expect(await row.locator('mark').allInnerTexts()).toEqual(['heron', 'lives', 'bridge']);
  const isInView = (): Promise<boolean> =>
    logOf(ada)
      .getByText(said, { exact: true })
      .evaluate((element) => {
        const [own, log] = [element, element.closest('[role=log]') ?? element].map((one) =>
          one.getBoundingClientRect(),
        );
        return Boolean(own && log && own.top >= log.top && own.bottom <= log.bottom);
      });
  expect(await isInView()).toBe(false);
  await row.click();
  await expect.poll(isInView).toBe(true);
  await queue(ada, 'Waiting').click();
  await ada.keyboard.press('Control+K');
  await ada.keyboard.type(q);
  await ada.getByRole('option', { name: /Jonas.*heron/ }).click();
  await expect.poll(isInView).toBe(true);
});
