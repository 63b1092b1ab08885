import { randomUUID } from 'node:crypto';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAgent } from '../accounts.ts';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, settled, type TestBrowser } from '../chromium.ts';
import { endSessionAt, signInAgain } from '../desk-session.ts';
import { goWithin, keepDesks } from '../desk-tabs.ts';
import { makeRecord } from '../examples.ts';
import { freePort } from '../foyer-process.ts';
import { until } from '../harness.ts';

// What agents write, in real browsers: with several desks, after a sign-out, and with two agents at once.

let browser: TestBrowser;
let app: TestApp;
let site: TestSite;
let url: string;
let benId: number;
const ben = `ben-${randomUUID()}@example.com`;
const desks = keepDesks(() => ({ browser, app, url }));

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [browser, app] = await Promise.all([openBrowser(), startTestApp({ PORT: String(port) })]);
  site = await app.makeSite();
  const agent = await makeAgent(site.operator, { email: ben, name: 'Ben', role: 'agent' });
  benId = agent.id;
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const boxOf = (page: Page) => page.getByRole('textbox', { name: 'Reply', exact: true });

const holds = (page: Page, text: string): Promise<void> =>
  expect.poll(() => boxOf(page).inputValue()).toBe(text);

/** The text of the reply to a ticket, in either editor. */
const readIn = (page: Page): Promise<string> =>
  boxOf(page).evaluate<string, unknown>(
    new Function('box', 'return box.value ?? box.innerText') as () => string,
  );

const joined = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Join chat' }).click();
  await boxOf(page).waitFor();
};

it('a draft that is begun at one desk is continued at another, and sent once', async () => {
  const chat = await makeRecord.session(app, site);
  const desk = await desks.open(site.admin.email, `inbox/${chat}`);
  await joined(desk);
  await boxOf(desk).fill('Good day, I am');
  const other = await desks.open(site.admin.email, 'inbox?queue=mine', 'other');
  const row = other.getByRole('list', { name: 'Chats and tickets' }).getByRole('link').first();
  await row.getByText('Draft').waitFor();
  await row.click();
  await holds(other, 'Good day, I am');
  await boxOf(other).pressSequentially(' Ada.');
  await holds(desk, 'Good day, I am Ada.');
  await boxOf(desk).press('Enter');
  await other.getByRole('log').getByText('Good day, I am Ada.').waitFor();
  await holds(other, '');
  expect(await other.getByRole('log').getByText('Good day, I am Ada.').count()).toBe(1);
});

it('two desks that write at once lose nothing: the later one shows both texts', async () => {
  const ticket = await makeRecord.ticket(app, site);
  const [desk, other] = await Promise.all([
    desks.open(site.admin.email, `inbox/tickets/${ticket}`),
    desks.open(site.admin.email, `inbox/tickets/${ticket}`, 'other'),
  ]);
  await boxOf(desk).waitFor();
  await boxOf(other).waitFor();
  await other.context().setOffline(true);
  await boxOf(other).fill('On the train');
  // If a busy server delays the save, the other desk would be first.
  const saved = desk.waitForResponse(
    async (response) => /drafts\.save/.test(response.url()) && (await response.json()).data?.saved === true,
  );
  await boxOf(desk).fill('At the desk');
  await saved;
  await other.context().setOffline(false);
  const choice = other.getByRole('alert').filter({ hasText: 'At the desk' });
  await choice.waitFor();
  expect(await readIn(other)).toBe('On the train');
  await choice.getByRole('button', { name: 'Use that draft' }).click();
  expect(await readIn(other)).toBe('At the desk');
  await choice.waitFor({ state: 'detached' });
});

it('a session that ends in the middle of a sentence loses nothing, and a pending message is sent', async () => {
  const chat = await makeRecord.session(app, site);
  const page = await desks.open(site.admin.email, `inbox/${chat}`);
  await joined(page);
  await boxOf(page).fill('It is on its way.');
  // The session ends silently, as if it expired: the call that sends the message finds out.
  await endSessionAt(page, 'sessions.reply');
  const refused = page.waitForResponse((response) => response.status() === 401);
  await boxOf(page).press('Enter');
  await refused;
  await page.keyboard.type('You will have it tomorrow, and before noon at the very latest.', { delay: 20 });
  const dialog = page.getByRole('dialog', { name: 'Sign in to continue' });
  await dialog.waitFor();
  expect(await dialog.getByLabel('Email').inputValue()).toBe('');
  await page.keyboard.press('Escape');
  await dialog.getByLabel('Email').fill(site.admin.email);
  await dialog.getByLabel('Password').fill('not the password');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.getByRole('alert').waitFor();
  await signInAgain(page, site.admin.email);
  await page.getByRole('log').getByText('Sent', { exact: true }).waitFor();
  expect(await boxOf(page).inputValue()).toBe(
    'You will have it tomorrow, and before noon at the very latest.',
  );
  await boxOf(page).fill('You will have it tomorrow.');
  await boxOf(page).press('Enter');
  await page.getByRole('log').getByText('You will have it tomorrow.').waitFor();
  expect(await page.getByRole('log').getByText('It is on its way.').count()).toBe(1);
});

it('buttons and keys format a ticket’s reply as markdown, and keep the draft, the caret and Ctrl Enter', async () => {
  const ticket = await makeRecord.ticket(app, site);
  const page = await desks.open(ben, `inbox/tickets/${ticket}`);
  const tools = page.getByRole('toolbar', { name: 'Formatting' });
  await page.locator('.reply-text').waitFor();
  await tools.getByRole('button', { name: 'Markdown' }).click();
  const box = page.locator('textarea[aria-label="Reply"]');
  await box.fill('Two days');
  await box.press('Control+a');
  await tools.getByRole('button', { name: 'Strikethrough' }).click();
  expect(await box.inputValue()).toBe('~~Two days~~');
  await box.press('End');
  await page.keyboard.type('\nOne day');
  await page.keyboard.press('Control+Shift+Digit8');
  expect(await box.inputValue()).toBe('~~Two days~~\n- One day');
  await page.keyboard.press('Control+z');
  expect(await box.inputValue()).toBe('~~Two days~~\nOne day');
  await page.keyboard.press('End');
  await page.keyboard.press('Control+b');
  await page.keyboard.type('only');
  await page.reload();
  await expect.poll(() => box.inputValue()).toBe('~~Two days~~\nOne day**only**');
  await box.press('Control+Enter');
  const reply = page.getByRole('article', { name: /^By Ben/ });
  await reply.locator('s', { hasText: 'Two days' }).waitFor();
  await reply.locator('strong', { hasText: 'only' }).waitFor();
});

it('if a session is ended at another desk, the sign-in opens over the text at once', async () => {
  const ticket = await makeRecord.ticket(app, site);
  const page = await desks.open(ben, `inbox/tickets/${ticket}`);
  await boxOf(page).fill('Dear Priya');
  const cookie = await app.signIn(ben);
  const ended = await fetch(`${url}/app/auth/revoke-other-sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, cookie },
    body: '{}',
  });
  expect(ended.status).toBe(200);
  await signInAgain(page, ben);
  expect(await readIn(page)).toBe('Dear Priya');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page
    .getByRole('article', { name: /^By Ben/ })
    .getByText('Dear Priya')
    .waitFor();
});

it('if a session ends while the desk loads its agent, the sign-in opens all the same', async () => {
  const ticket = await makeRecord.ticket(app, site);
  const page = await desks.fresh(ben);
  const held = Promise.withResolvers<void>();
  let asked = 0;
  // The desk loads its agent when it opens, and again when the socket has sent who is online.
  await page.route('**/app/api/me.get', (route) => {
    asked += 1;
    if (asked !== 2) return route.continue();
    held.resolve();
  });
  await page.goto(`${url}/app/inbox/tickets/${ticket}`);
  await held.promise;
  await boxOf(page).waitFor();
  await endSessionAt(page, 'drafts.save');
  // Other requests of the desk would be refused too.
  await page.route('**/app/api/inbox.tickets', () => undefined);
  await boxOf(page).fill('Dear Tom');
  await signInAgain(page, ben);
  expect(await readIn(page)).toBe('Dear Tom');
});

describe('the end of a session, and then of the connection, doesn’t lose', () => {
  it('a note', async () => {
    const ticket = await makeRecord.ticket(app, site);
    const page = await desks.open(site.admin.email, `inbox/tickets/${ticket}`);
    await page.getByRole('tab', { name: 'Note' }).click();
    const note = page.getByRole('textbox', { name: 'Note', exact: true });
    await endSessionAt(page, 'drafts.save');
    await note.fill('The third shade');
    await signInAgain(page, site.admin.email);
    await page.context().setOffline(true);
    expect(await note.inputValue()).toBe('The third shade');
    await note.fill('The third shade that broke');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.context().setOffline(false);
    const stored = async () =>
      (await app.desk(await app.signIn(site.admin.email), 'tickets.list', { id: ticket })).body.data.replies;
    await until(async () => (await stored()).length > 0);
    expect(await stored()).toMatchObject([{ type: 'note', body: 'The third shade that broke' }]);
  });

  it('an article', async () => {
    const page = await desks.open(site.admin.email, 'knowledge/new');
    const title = page.getByLabel('Title');
    const text = page.getByRole('textbox', { name: 'Text' });
    await title.fill('Caring for linen');
    await page.getByText('Draft kept').waitFor();
    await endSessionAt(page, 'article_drafts.save');
    await text.fill('Wash it');
    await signInAgain(page, site.admin.email);
    await page.context().setOffline(true);
    await text.fill('Wash it cold.');
    await text.press('Control+s');
    // The button is enabled again: a second save during the first would be ignored.
    await page.getByRole('alert').getByText('Couldn’t save the article.').waitFor();
    await page.context().setOffline(false);
    expect([await title.inputValue(), await text.innerText()]).toEqual(['Caring for linen', 'Wash it cold.']);
    await text.press('Control+s');
    await page.waitForURL(/knowledge\/\d+$/);
  });

  it('a setting', async () => {
    const page = await desks.open(site.admin.email, 'settings/site');
    const name = page.getByLabel('Name', { exact: true });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await name.fill('Lantern & Loom & Lace');
    await endSessionAt(page, 'site.update');
    await save.click();
    await signInAgain(page, site.admin.email);
    await page.context().setOffline(true);
    await save.click();
    await page.getByRole('alert').first().waitFor();
    // A colleague's change arrives with the reconnect, beside the text that is being written.
    await app.desk(await app.signIn(site.admin.email), 'site.update', { email_offer_after_s: 600 });
    await page.context().setOffline(false);
    const wait = page.getByLabel('Ask for email');
    await expect.poll(() => wait.inputValue()).toBe('600');
    expect(await name.inputValue()).toBe('Lantern & Loom & Lace');
    await save.click();
    await page.getByText('Saved. Visitors see it within a minute.').waitFor();
    expect(await wait.inputValue()).toBe('600');
  });
});

it('a slash at the beginning of a word opens the macros, and anywhere else is a slash', async () => {
  const chat = await makeRecord.session(app, site);
  const cookie = await app.signIn(site.admin.email);
  const actions = [{ type: 'reply', body: 'two photos, please' }];
  await app.desk(cookie, 'macros.create', { name: 'Ask for photos', actions });
  const page = await desks.open(site.admin.email, `inbox/${chat}`);
  await joined(page);
  const picker = page.getByRole('dialog', { name: 'Macros' });
  await boxOf(page).pressSequentially('Red and/or blue, 24/12, https://shop.example/a/b. ');
  await boxOf(page).pressSequentially('1 / 2 ');
  await picker.waitFor({ state: 'detached' });
  await holds(page, 'Red and/or blue, 24/12, https://shop.example/a/b. 1 / 2 ');
  await boxOf(page).fill('Hello, ');
  await boxOf(page).pressSequentially('/help');
  await picker.getByText('No matching macros').waitFor();
  await page.keyboard.press('Escape');
  await picker.waitFor({ state: 'detached' });
  await holds(page, 'Hello, /help');
  await expect.poll(() => boxOf(page).evaluate('document.activeElement?.tagName')).toBe('TEXTAREA');
  await boxOf(page).fill('Hello, . Thanks');
  for (let step = 0; step < '. Thanks'.length; step += 1) await page.keyboard.press('ArrowLeft');
  await boxOf(page).pressSequentially('/');
  // A word continues after the caret, so the slash doesn't begin one.
  await holds(page, 'Hello, /. Thanks');
  expect(await picker.count()).toBe(0);
  await boxOf(page).fill('Hello,  Thanks');
  for (let step = 0; step < ' Thanks'.length; step += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('/phot');
  await picker.getByRole('option', { name: 'Ask for photos' }).waitFor();
  await page.keyboard.press('Enter');
  await picker.waitFor({ state: 'detached' });
  await holds(page, 'Hello, two photos, please Thanks');
});

it('a ticket’s reply accepts files, and a failed reply goes back into the composer', async () => {
  const ticket = await makeRecord.ticket(app, site);
  const page = await desks.open(ben, `inbox/tickets/${ticket}`);
  await boxOf(page).fill('Here is the label.');
  const file = { name: 'label.txt', mimeType: 'text/plain', buffer: Buffer.from('parcel') };
  await page.locator('input[type="file"]').setInputFiles(file);
  await page.getByRole('list', { name: 'Files' }).getByText('label.txt').waitFor();
  await page.getByRole('button', { name: 'Remove label.txt' }).waitFor();
  await page.locator('progress').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const entry = page.getByRole('article', { name: /^By Ben/ });
  await entry.getByRole('link', { name: /label.txt/ }).waitFor();
  await app.desk(await app.signIn(ben), 'tickets.update', { id: ticket, status: 'solved' });
  await page.locator('input[type="file"]').setInputFiles({ ...file, name: 'receipt.txt' });
  await page.getByRole('button', { name: 'Remove receipt.txt' }).waitFor();
  await page.locator('progress').waitFor({ state: 'detached' });
  await boxOf(page).fill('One more thing');
  await page.route('**/app/api/tickets.reply', (route) =>
    route.fulfill({
      status: 409,
      json: {
        ok: false,
        error: { code: 'conflict', message: 'This ticket is closed.', request_id: 'req_1' },
      },
    }),
  );
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('alert').getByRole('button', { name: 'Edit' }).click();
  expect(await readIn(page)).toBe('One more thing');
  await page.getByRole('list', { name: 'Files' }).getByText('receipt.txt').waitFor();
});

it('an @ mentions a colleague or a team, who are notified, and the names are highlighted in the note', async () => {
  const chat = await makeRecord.session(app, site);
  const team = { name: 'Berlin office', emoji: '🏢', member_ids: [benId] };
  const { body: made } = await app.rest(site.write, 'POST', '/v1/teams', team);
  const bens = await desks.open(ben, 'inbox?queue=mentions');
  await bens.getByText('No open mentions').waitFor();
  const page = await desks.open(site.admin.email, `inbox/${chat}`);
  await page.getByRole('tab', { name: 'Note' }).click();
  const write = page.getByRole('region', { name: 'Write', exact: true });
  const note = write.getByRole('textbox', { name: 'Note', exact: true });
  await note.pressSequentially('Ask @be');
  const named = page.getByRole('listbox', { name: 'Mention a teammate or team' });
  await named.getByRole('option', { name: 'Ben' }).waitFor();
  await named.getByRole('option', { name: 'Berlin office' }).waitFor();
  await note.press('Enter');
  expect(await note.inputValue()).toBe('Ask @Ben ');
  await note.pressSequentially('or @be');
  await named.waitFor();
  await note.press('ArrowDown');
  await note.press('Enter');
  await note.pressSequentially('about it');
  await note.press('Enter');
  const written = page.getByRole('article', { name: /^Note by/ });
  await written.getByText('@Ben', { exact: true }).waitFor();
  await written.getByText('@Berlin office', { exact: true }).waitFor();
  const { body } = await app.desk(await app.signIn(site.admin.email), 'sessions.get', {
    session_id: chat,
  });
  expect(body.data.notes).toMatchObject([
    {
      text: 'Ask @Ben or @Berlin office about it',
      mentions: [
        { id: benId, name: 'Ben' },
        { id: made.data.id, name: 'Berlin office', kind: 'team' },
      ],
    },
  ]);
  await bens.getByRole('link', { name: 'Mentions 1', exact: true }).waitFor();
  const inbox = bens.getByRole('region', { name: 'Inbox' });
  await inbox.getByText('Ask @Ben or @Berlin office about it').click();
  await bens.waitForURL(`**/inbox/${chat}?queue=mentions#n*`);
  await bens.getByRole('article', { name: /^Note by Ada/ }).waitFor();
  await bens.getByRole('button', { name: 'Join chat' }).waitFor();
  await app.desk(await app.signIn(site.admin.email), 'sessions.close', { session_id: chat });
  await inbox.getByText('No open mentions').waitFor();
  await bens.keyboard.press('Control+k');
  await bens.getByPlaceholder('Search or run').pressSequentially('menti');
  await bens.getByRole('option', { name: 'Go to queue or view · Mentions' }).waitFor();
  await bens.keyboard.press('Escape');
});

it('a chat is transferred to a colleague with a note, who joins it by writing', async () => {
  const chat = await makeRecord.session(app, site);
  const bens = await desks.open(ben, `inbox/${chat}`);
  await bens.getByRole('button', { name: 'Join chat' }).waitFor();
  const page = await desks.open(site.admin.email, `inbox/${chat}`);
  await joined(page);
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('t');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await page.keyboard.type('ben');
  await page.getByRole('option', { name: 'Ben' }).waitFor();
  // Text that is typed before the dialog is open goes into the note; each e would have closed the chat.
  await page.keyboard.press('Enter');
  await page.keyboard.type('please check the shelf');
  const note = page.getByRole('textbox', { name: 'Note for Ben (optional)' });
  await expect.poll(() => note.inputValue()).toBe('please check the shelf');
  await note.press('Enter');
  await page.getByText('Assigned to Ben').first().waitFor();
  await note.waitFor({ state: 'detached' });

  await bens.getByRole('link', { name: 'Mine 1', exact: true }).waitFor();
  await boxOf(bens).waitFor();
  // He was doing something else: keys that he presses there must not send anything.
  await bens.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  expect(await bens.evaluate('document.activeElement.tagName')).toBe('BODY');
  const log = bens.getByRole('log');
  await log.getByText('@Ben please check the shelf').waitFor();
  await log.getByText('Assigned to Ben').waitFor();
  expect(await log.getByText('Ben joined the chat').count()).toBe(0);
  await boxOf(bens).fill('I am looking.');
  await boxOf(bens).press('Enter');
  await log.getByText('Ben joined the chat').waitFor();
  await app.desk(await app.signIn(ben), 'sessions.close', { session_id: chat });
});

it('two agents with the same ticket open see each other, and a late reply asks before it is sent', async () => {
  const ticket = await makeRecord.ticket(app, site);
  const [ada, other] = await Promise.all([
    desks.open(site.admin.email, `inbox/tickets/${ticket}`),
    desks.fresh(ben),
  ]);
  await other.goto(`${url}/app/inbox/tickets/${ticket}`);
  await ada.getByText('Ben is viewing').waitFor();
  await other.getByText('Ada is viewing').waitFor();
  await boxOf(ada).fill('It comes');
  await other.getByText('Ada is replying…').waitFor();
  await boxOf(other).fill('It has come.');
  await other.getByRole('button', { name: 'Send', exact: true }).click();
  await ada.getByRole('log').getByText('It has come.').waitFor();
  await boxOf(ada).fill('It comes tomorrow.');
  await ada.getByRole('button', { name: 'Send', exact: true }).click();
  const warning = ada.getByRole('alert').filter({ hasText: 'Ben replied while you were typing' });
  await warning.waitFor();
  expect(await readIn(ada)).toBe('It comes tomorrow.');
  await warning.getByRole('button', { name: 'Read first' }).click();
  await ada.getByRole('button', { name: 'Send', exact: true }).click();
  await ada
    .getByRole('article', { name: /^By Ada/ })
    .getByText('It comes tomorrow.')
    .waitFor();
  // At the same moment: only the server can detect that.
  await ada.route('**/app/api/tickets.reply', async (route) => {
    const stored = other.waitForResponse(/tickets\.reply/);
    await other.getByRole('button', { name: 'Send', exact: true }).click();
    await stored;
    await route.continue();
  });
  await other.getByRole('log').getByText('It comes tomorrow.').waitFor();
  await boxOf(other).fill('Or today.');
  await boxOf(ada).fill('Or later.');
  await ada.getByRole('button', { name: 'Send', exact: true }).click();
  const stopped = ada.getByRole('alert').filter({ hasText: 'Ben replied in the meantime' });
  await stopped.waitFor();
  await ada.unroute('**/app/api/tickets.reply');
  await stopped.getByRole('button', { name: 'Try again' }).click();
  await stopped.waitFor({ state: 'detached' });
  await ada
    .getByRole('article', { name: /^By Ada/ })
    .getByText('Or later.')
    .waitFor();
  await other.close();
  await ada.getByText('Ben is viewing').waitFor({ state: 'detached' });
});

/** Aborts the load of the side panel's phrases, which it recognises by one of them. */
const abortWords = async (route: Route): Promise<void> => {
  const response = await route.fetch();
  await ((await response.text()).includes('no_visitor_hint') ? route.abort() : route.fulfill({ response }));
};

it.each([
  [
    'a part of the desk that can’t be had',
    /assets\/TicketMailNote-[^/]*\.js/,
    (route: Route) => route.abort(),
  ],
  ['a part of the desk whose words can’t be had', /assets\/\w*-?en-[^/]*\.js/, abortWords],
] as const)('%s does not lose the text beside it', async (_, file, abort) => {
  const ticket = await makeRecord.ticket(app, site);
  const page = await desks.fresh(ben);
  await page.route(file, abort);
  await page.goto(`${url}/app/inbox/tickets/${ticket}`);
  await boxOf(page).fill('Dear Mira');
  await page.getByRole('alert').getByText('Couldn’t load part of this page').first().waitFor();
  await boxOf(page).pressSequentially(', it is on its way.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page
    .getByRole('article', { name: /^By Ben/ })
    .getByText('Dear Mira, it is on its way.')
    .waitFor();
});

it('a merge’s note is in the agent’s language, and links to the other ticket in the same desk', async () => {
  const [into, source] = [await makeRecord.ticket(app, site), await makeRecord.ticket(app, site)];
  const cookie = await app.signIn(ben);
  await app.desk(cookie, 'tickets.merge', { into_id: into, ids: [source], across_requesters: true });
  await app.desk(cookie, 'me.set_language', { language: 'de' });
  const page = await desks.fresh(ben);
  await page.goto(`${url}/app/inbox/tickets/${source}`);
  const note = page.getByRole('article', { name: /Ben/ });
  await note.getByText(`Dieses Ticket wurde mit #${into} zusammengeführt.`).waitFor();
  await note.getByRole('link', { name: `#${into}` }).click();
  await page.waitForURL(`**/inbox/tickets/${into}`);
  await page.getByText('wurde mit diesem Ticket zusammengeführt.').waitFor();
  expect(page.context().pages()).toHaveLength(1);
  await app.desk(cookie, 'me.set_language', { language: 'en' });
});

it('an emoji is found by its name and inserted at the caret', async () => {
  const ticket = await makeRecord.ticket(app, site);
  const page = await desks.open(ben, `inbox/tickets/${ticket}`);
  await boxOf(page).fill('Thanks');
  await page.getByRole('button', { name: 'Emoji' }).click();
  await page.getByRole('combobox', { name: 'Search emoji' }).pressSequentially('thumbs up');
  await page.keyboard.press('Enter');
  await expect.poll(() => readIn(page)).toBe('Thanks👍');
});

it('text for the palette is not typed into the reply, however slow the browser is', async () => {
  const chat = await makeRecord.session(app, site);
  const page = await desks.open(site.admin.email, `inbox/${chat}`);
  await joined(page);
  await boxOf(page).fill('Good morning!');
  // Holds back animation frames, so that their work comes after the key.
  await page.evaluate(`
    window.held = { late: [], request: requestAnimationFrame };
    requestAnimationFrame = (callback) => held.late.push(callback);
    held.cancel = cancelAnimationFrame;
    cancelAnimationFrame = (id) => delete held.late[id - 1];`);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+K');
  const palette = page.getByRole('dialog').getByRole('combobox');
  await palette.waitFor();
  await page.evaluate(`
    requestAnimationFrame = held.request;
    cancelAnimationFrame = held.cancel;
    held.late.forEach((callback) => callback(performance.now()));`);
  await page.keyboard.type('Close chat');
  await expect.poll(() => palette.inputValue()).toBe('Close chat');
  await page.keyboard.press('Escape');
  await holds(page, '');
});

it('text right after the key for a note goes into the note, and runs no command', async () => {
  const chat = await makeRecord.session(app, site);
  const page = await desks.open(site.admin.email, `inbox/${chat}`);
  await joined(page);
  await page.evaluate('document.activeElement.blur()');
  await page.evaluate(`
    window.held = { late: [], request: requestAnimationFrame };
    requestAnimationFrame = (callback) => held.late.push(callback);`);
  await page.keyboard.type('nWe are here');
  await page.evaluate(`
    requestAnimationFrame = held.request;
    held.late.forEach((callback) => callback(performance.now()));`);
  const note = page.getByRole('textbox', { name: 'Note', exact: true });
  await expect.poll(() => note.inputValue()).toBe('We are here');
  // Each e would have closed the chat.
  expect(await page.getByRole('button', { name: 'Close chat' }).count()).toBe(1);
});

it('text right after the key that joins a chat goes into the reply, and runs no command', async () => {
  const chat = await makeRecord.session(app, site);
  const page = await desks.open(site.admin.email, `inbox/${chat}`);
  await page.getByRole('button', { name: 'Join chat' }).waitFor();
  const sent = Promise.withResolvers<void>();
  const typed = Promise.withResolvers<void>();
  await page.route('**/api/sessions.accept', async (route) => {
    sent.resolve();
    await typed.promise;
    await route.continue();
  });
  await page.keyboard.press('a');
  await sent.promise;
  await page.keyboard.type('Yes, we are here');
  typed.resolve();
  await expect.poll(() => boxOf(page).inputValue()).toBe('Yes, we are here');
  await page.keyboard.press('Enter');
  await page.getByRole('log').getByText('Yes, we are here').waitFor();
  // Each e would have closed the chat.
  expect(await page.getByRole('button', { name: 'Close chat' }).count()).toBe(1);
});

it('one key sends and closes; the next conversation of the list opens', async () => {
  const [first, second] = [await makeRecord.ticket(app, site), await makeRecord.ticket(app, site)];
  const chat = await makeRecord.session(app, site);
  const page = await desks.open(site.admin.email, `inbox/${chat}?queue=mine`);
  await joined(page);
  await page.getByRole('button', { name: 'Quote in reply' }).first().click();
  await expect.poll(() => boxOf(page).inputValue()).toMatch(/^> .+\n\n$/);
  await boxOf(page).press('End');
  await boxOf(page).pressSequentially('Goodbye.');
  await page.getByRole('button', { name: 'More send options' }).click();
  await page.getByRole('menuitem', { name: 'Send and close' }).click();
  await page.getByText('This chat is closed.').waitFor();
  await page.getByRole('log').getByText('Goodbye.').waitFor();
  for (const id of [first, second]) {
    await goWithin(page, `/app/inbox/tickets/${id}?queue=mine`);
    await page.getByRole('button', { name: 'Assign to me' }).waitFor();
    await page.keyboard.press('a');
    await page.getByText('Assigned to you', { exact: true }).waitFor();
  }
  const list = page.getByRole('list', { name: 'Chats and tickets' });
  await list.getByRole('link', { name: new RegExp(`#${first} `) }).waitFor();
  await page.keyboard.press('r');
  await page.keyboard.type('It is done.');
  // No key can send before the composer has the focus.
  await page.waitForFunction(
    `(document.activeElement.value ?? document.activeElement.innerText).trim() === 'It is done.'`,
  );
  await page.keyboard.press('Control+Shift+Enter');
  await list.getByRole('link', { name: new RegExp(`#${second} `) }).waitFor({ state: 'detached' });
  // The sent text has left the composer, which gets the focus again in the next frame.
  await page.waitForFunction(
    `(document.activeElement.value ?? document.activeElement.innerText).trim() === ''`,
  );
  await settled(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.waitForURL(`**/inbox/tickets/${first}?queue=mine`);
});

it('a click on a tooltip selects the row that it covers, and selecting moves no row', async () => {
  const subject = `Cut ${'off '.repeat(40)}`;
  for (const requester of ['Ida', 'Jon'])
    await app.desk(await app.signIn(ben), 'tickets.create', {
      subject,
      body: 'x',
      requester: { name: requester },
    });
  const page = await desks.open(ben, 'inbox?queue=unassigned');
  const rows = page.getByRole('list', { name: 'Chats and tickets' }).getByRole('listitem');
  await rows.first().getByText(subject).hover();
  const tip = page.getByRole('tooltip');
  await tip.waitFor();
  const covered = await rows.nth(1).boundingBox();
  const over = await tip.boundingBox();
  if (!covered || !over) throw new Error('nothing is laid out');
  await page.mouse.move(over.x + 40, covered.y + 8, { steps: 4 });
  await page.mouse.click(over.x + 40, covered.y + 8);
  const opened = await rows.nth(1).getByRole('link').getAttribute('href');
  await page.waitForURL(`${url}${opened}`);
  await rows.nth(1).getByRole('checkbox').check();
  await page.getByRole('region', { name: 'Selection' }).waitFor();
  expect((await rows.nth(1).boundingBox())?.y).toBe(covered.y);
});

it('a requester’s message is unread at every desk until one opens it, and again where it is marked as unread', async () => {
  const [ticket, chat] = [await makeRecord.ticket(app, site), await makeRecord.session(app, site)];
  const rowAt = (page: Page, address: string) =>
    page.getByRole('list', { name: 'Chats and tickets' }).locator(`a[href^="/app/inbox/${address}?"]`);
  const unreadAt = (page: Page, address: string) =>
    rowAt(page, address).getByRole('img', { name: 'Unread', exact: true });
  const path = `tickets/${ticket}`;
  const [ada, bens] = await Promise.all([
    desks.open(site.admin.email, 'inbox?queue=open'),
    desks.open(ben, 'inbox?queue=open'),
  ]);
  for (const page of [ada, bens]) await unreadAt(page, path).waitFor();
  await rowAt(bens, path).click();
  await unreadAt(ada, path).waitFor({ state: 'detached' });
  await rowAt(ada, path).click();
  await boxOf(ada).waitFor();
  // Ben’s page still shows it: marking it must not make that page read it again.
  await ada.keyboard.press('Shift+U');
  await ada.waitForURL('**/inbox?queue=open');
  await unreadAt(ada, path).waitFor();
  await rowAt(bens, chat).click();
  await unreadAt(bens, path).waitFor();
  await rowAt(ada, path).click();
  await unreadAt(bens, path).waitFor({ state: 'detached' });

  await bens.getByRole('button', { name: 'More chat actions' }).click();
  await bens.getByRole('menuitem', { name: /^Mark as unread/ }).click();
  await bens.waitForURL('**/inbox?queue=open');
  for (const page of [ada, bens]) await unreadAt(page, chat).waitFor();
  await rowAt(bens, chat).click();
  await unreadAt(ada, chat).waitFor({ state: 'detached' });

  // With the option to open the next one when done; after the last one there is only the list.
  const newest = [await makeRecord.ticket(app, site), ticket];
  for (const id of newest)
    await app.rest(site.write, 'PATCH', `/v1/tickets?id=${id}`, { tags: ['to come back to'] });
  await goWithin(bens, '/app/inbox?tag=to+come+back+to');
  await bens.evaluate(`localStorage.setItem('foyer.after_done', 'next')`);
  // The server learns only after the key that the ticket was opened.
  let pressed = Promise.withResolvers<void>();
  await bens.route('**/api/tickets.mark_read', async (route) => {
    await pressed.promise;
    await route.continue();
  });
  await rowAt(bens, `tickets/${newest[0]}`).click();
  for (const [id, next] of [
    [newest[0], `/tickets/${ticket}`],
    [ticket, ''],
  ] as const) {
    await bens.getByRole('region', { name: `Ticket #${id}`, exact: true }).waitFor();
    await bens.keyboard.press('Shift+U');
    pressed.resolve();
    pressed = Promise.withResolvers();
    await bens.waitForURL((address) => address.pathname === `/app/inbox${next}`);
  }
  for (const id of newest) await unreadAt(bens, `tickets/${id}`).waitFor();
  await bens.evaluate(`localStorage.removeItem('foyer.after_done')`);
});

it('a manually created ticket is answered with a link to an article and a file dropped beside the composer', async () => {
  await app.rest(site.write, 'POST', '/v1/articles', {
    title: 'Refunds [2026]',
    body: 'Within five days.',
    status: 'Published',
  });
  const page = await desks.open(site.admin.email, 'inbox?queue=open');
  await page.getByRole('button', { name: 'New ticket' }).click();
  const dialog = page.getByRole('dialog', { name: 'New ticket' });
  await dialog.getByLabel('Customer email').fill('nina@example.com');
  await dialog.getByLabel('Subject').fill('Called about a refund');
  await dialog.getByLabel('Message', { exact: true }).fill('Where is my refund?');
  await dialog.getByRole('button', { name: 'Create ticket' }).click();
  await page.waitForURL('**/inbox/tickets/*?queue=mine');
  await page.getByRole('log').getByText('Where is my refund?').waitFor();
  await boxOf(page).fill('Look here: ');
  await page.getByRole('button', { name: 'Link an article' }).click();
  await page.getByPlaceholder('Search published articles').fill('five days');
  await page.getByRole('option', { name: /Refunds/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await boxOf(page).getByText('Refunds 2026').waitFor();
  expect(await readIn(page)).toBe('Look here: Refunds  2026');
  expect(await boxOf(page).locator('a').getAttribute('title')).toMatch(/\/help\/.*\/articles\/refunds-2026$/);
  const isHeld = await page.evaluate(`['dragover', 'drop'].map((type) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'label.txt', { type: 'text/plain' }));
    const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
    return !document.querySelector('[role=log]').dispatchEvent(event);
  })`);
  expect(isHeld).toEqual([true, true]);
  await page.getByRole('button', { name: 'Remove label.txt' }).waitFor();
});

it('the status after sending is shown: a reply opens a new ticket, a note leaves it new', async () => {
  const ticket = await makeRecord.ticket(app, site);
  const page = await desks.open(ben, `inbox/tickets/${ticket}`);
  const offered = () => page.getByLabel('Status after sending').locator('option').allTextContents();
  await expect.poll(offered).toEqual(['Open', 'Pending', 'On hold', 'Solved']);
  await page.getByRole('tab', { name: 'Note' }).click();
  await expect.poll(offered).toEqual(['Leave as New', 'Open', 'Pending', 'On hold', 'Solved']);
  await page.getByRole('tab', { name: 'Reply' }).click();
  await boxOf(page).fill('Good day.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(offered).toEqual(['Leave as Open', 'Pending', 'On hold', 'Solved']);
});

it('Undo restores the previous state, even if the change’s notification arrives before its response', async () => {
  const ticket = await makeRecord.ticket(app, site);
  const page = await desks.open(ben, `inbox/tickets/${ticket}`);
  const snoozed = page.getByRole('button', { name: 'Snoozed', exact: true });
  const answerLate = async (route: Route): Promise<void> => {
    const response = await route.fetch();
    await snoozed.waitFor();
    await route.fulfill({ response });
  };
  await page.route('**/app/api/ticket_snoozes.set', answerLate, { times: 1 });
  await page.getByRole('button', { name: 'Snooze', exact: true }).click();
  await page.getByRole('button', { name: /^Tomorrow morning/ }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await snoozed.waitFor({ state: 'detached' });
});
