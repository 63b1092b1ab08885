import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { ONE_PIXEL_PNG } from '../examples.ts';
import { type Faces, openFaces } from '../faces.ts';
import { freePort } from '../foyer-process.ts';
import { type Mailbox, startMailbox } from '../mailbox.ts';
import { TestSocket } from '../sockets.ts';

// Every screen of the widget, visually, by screen reader and by keyboard, in left-to-right and right-to-left scripts.

let browser: TestBrowser;
let app: TestApp;
let site: TestSite;
let mailbox: Mailbox;
let cookie: string;
let url: string;

const article = (picture: string): string => `Parcels leave us within **one** working day.

![A parcel](${picture})

## Costs

| Country | Up to 2 kg | Up to 5 kg | Up to 10 kg | Time | Carrier |
|---|---|---|---|---|---|
| Germany | 4.90 | 6.90 | 9.90 | 2 days | ParcelFast |

See [returns](returns), [the carrier](https://carrier.example/track) or [the costs](#costs).`;

beforeAll(async () => {
  [browser, mailbox] = await Promise.all([openBrowser(), startMailbox()]);
  // The shop's page names the server by its base address.
  const port = await freePort();
  url = `http://localhost:${port}`;
  app = await startTestApp({
    PORT: String(port),
    SMTP_URL: mailbox.url,
    FOYER_MAIL_FROM: 'help@shop.example',
  });
  site = await app.makeSite('growth');
  cookie = await app.signIn(site.admin.email);
  const { body } = await app.desk(cookie, 'article_images.create', { content: ONE_PIXEL_PNG });
  for (const [title, category] of [
    ['Delivery times and shipping costs', 'Delivery'],
    ['Following a parcel on its way to you', 'Delivery'],
    ['Returns', null],
  ])
    await app.rest(site.write, 'POST', '/v1/articles', {
      title,
      category,
      status: 'Published',
      body: article(body.data.path),
    });
});
// Resets settings that a failed test has left.
beforeEach(() => update(PLAIN));
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(async () => {
  await browser.close();
  await Promise.all([app.close(), mailbox.close()]);
});

const PLAIN = { pre_chat: [], languages: [], language: 'en' };
const update = async (input: object): Promise<void> => {
  const { status } = await app.desk(cookie, 'site.update', input);
  expect(status).toBe(200);
};

const widgetOf = (page: Page): FrameLocator => page.frameLocator('iframe[src*="/widget/"]');

/** The shop's page with the panel open. */
async function openPanel(faces: Faces): Promise<FrameLocator> {
  await faces.page.goto(`${url}/demo?site=${site.publicKey}`);
  await faces.page.locator('button[aria-expanded]').click();
  return widgetOf(faces.page);
}

describe('every screen of the widget passes axe without browser errors', () => {
  it('from the form before a chat to the emailed chat', { timeout: 120_000 }, async () => {
    await update({
      pre_chat: [
        { kind: 'name', required: true },
        { kind: 'email', required: false },
        {
          kind: 'choice',
          attribute: 'topic',
          label: 'What is it about?',
          required: true,
          options: ['Order', 'Return'],
        },
      ],
    });
    const faces = await openFaces(browser, { url });
    const { look, found, allow, context } = faces;
    const widget = await openPanel(faces);
    const press = (name: string | RegExp) => widget.getByRole('button', { name }).click();
    await widget.getByRole('button', { name: 'Search for help' }).waitFor();
    await look('door-home');
    await press('Search for help');
    await widget.getByRole('button', { name: /Delivery times/ }).waitFor();
    await look('door-help');
    await widget.getByRole('textbox', { name: 'Search for help' }).fill('zzzz');
    await widget.getByText('No results for “zzzz”').waitFor();
    await look('door-help-none');
    await widget.getByRole('textbox', { name: 'Search for help' }).fill('parcel');
    await widget.getByRole('button', { name: /Following a parcel/ }).click();
    await widget.getByRole('heading', { name: 'Costs' }).waitFor();
    await look('door-article');
    // The table scrolls within itself, and the image has loaded.
    const reading = widget.locator('.reading');
    expect(await reading.evaluate((at) => at.scrollWidth - at.clientWidth)).toBe(0);
    await expect
      .poll(() => reading.evaluate("document.querySelector('.article-text img').naturalWidth"))
      .toBe(1);
    await press('Yes');
    await widget.getByText('Thanks for your feedback!').waitFor();
    const tab = faces.context.waitForEvent('page');
    await widget.getByRole('link', { name: 'the carrier' }).click();
    await (await tab).close();
    await widget.getByRole('link', { name: 'returns' }).click();
    await widget.getByRole('heading', { name: 'Returns' }).waitFor();
    await press('Back');
    await widget.getByRole('heading', { name: 'Following a parcel' }).waitFor();
    // Opened to reach a person, the form leads to one; opened for the bot, a person is just as close.
    await press('Talk to a person');
    await widget.getByRole('heading', { name: 'Before we start' }).waitFor();
    expect(await widget.getByRole('button', { name: 'Start chat' }).count()).toBe(0);
    expect(await widget.getByRole('button', { name: 'Talk to a person' }).count()).toBe(1);
    for (const _ of ['the article', 'the search', 'home']) await press('Back');
    await press(/Send us a message/);
    await widget.getByRole('button', { name: 'Start chat' }).waitFor();
    await press('Talk to a person');
    await widget.getByText('This field is required.').first().waitFor();
    await look('door-asked');
    await widget.getByRole('textbox', { name: 'Your name' }).fill('Priya');
    await widget.getByRole('combobox', { name: 'What is it about?' }).selectOption('Return');
    await press('Talk to a person');
    await widget.getByText('The team is away right now').first().waitFor();
    await look('door-away');
    await widget.locator('input[type=file]').setInputFiles([
      { name: 'parcel.png', mimeType: 'image/png', buffer: Buffer.from(ONE_PIXEL_PNG, 'base64') },
      { name: 'setup.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') },
    ]);
    await widget.getByText('Ready to send').waitFor();
    await widget.getByText('This file type isn’t supported.').waitFor();
    await press('Emoji');
    await look('door-writing');
    await widget.getByRole('button', { name: '📦' }).click();
    // By keyboard: the focus moves to the remaining control, and then to the text field.
    const focused = widget.locator(':focus');
    await widget.getByRole('button', { name: 'Remove setup.exe' }).focus();
    await faces.page.keyboard.press('Enter');
    await expect.poll(() => focused.getAttribute('aria-label')).toBe('Remove parcel.png');
    await faces.page.keyboard.press('Enter');
    await expect.poll(() => focused.inputValue()).toBe('📦');
    await focused.fill('Is my parcel on its way?');
    await widget.getByRole('button', { name: 'Send', exact: true }).click();
    await widget.getByText(/^(Sent|Delivered)/).waitFor();
    allow(/ERR_INTERNET_DISCONNECTED/);
    await context.setOffline(true);
    await widget
      .getByText(/offline/)
      .first()
      .waitFor();
    await look('door-offline');
    await context.setOffline(false);
    await press('More');
    await look('door-menu');
    await widget.getByRole('menuitem', { name: 'Email me this chat' }).click();
    const mailTo = widget.getByRole('dialog').getByRole('textbox', { name: 'Your email address' });
    await mailTo.fill('nobody');
    await widget.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await widget.getByRole('alert').waitFor();
    await look('door-mail');
    await mailTo.fill('priya@example.com');
    await widget.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await widget.getByText('on its way to priya@example.com').waitFor();
    // Closing returns the focus to the control that opened it.
    const isAtMenu = () => expect.poll(() => focused.getAttribute('aria-label')).toBe('More');
    expect(await focused.textContent()).toBe('Done');
    await faces.page.keyboard.press('Enter');
    await isAtMenu();
    await press('More');
    await widget.getByRole('menuitem', { name: 'End chat' }).click();
    await press('Keep chatting');
    await isAtMenu();
    await press('More');
    await widget.getByRole('menuitem', { name: 'End chat' }).click();
    await widget.getByRole('dialog').getByRole('button', { name: 'End chat' }).click();
    await widget.getByText('How did we do?').waitFor();
    await look('door-ended');
    expect(found).toEqual([]);
    expect(mailbox.received.map(({ to }) => to)).toEqual([['priya@example.com']]);
  });

  it('custom fields that an admin chose for the form, before each chat and in it', {
    timeout: 120_000,
  }, async () => {
    const field = (body: object) =>
      app.rest(site.write, 'POST', '/v1/fields', { applies_to: 'chats', visible: true, ...body });
    await field({
      name: 'Topic of your question',
      key: 'topic',
      kind: 'choice',
      choices: ['Order', 'Return'],
    });
    await field({
      name: 'Parts that are broken',
      key: 'parts',
      kind: 'choices',
      choices: ['Shade', 'Cable'],
    });
    await field({ name: 'Order page', key: 'page', kind: 'link' });
    await field({ name: 'Weight in kg', key: 'weight', kind: 'number' });
    await field({ name: 'Delivered on', key: 'delivered', kind: 'date' });
    await field({ name: 'Seats', key: 'seats', kind: 'number', applies_to: 'people' });
    const admin = await openFaces(browser, { cookie, url });
    await admin.page.goto(`${url}/app/settings/widget`);
    for (let n = 0; n < 6; n++)
      await admin.page.getByRole('button', { name: 'Custom field', exact: true }).click();
    await admin.page
      .getByRole('button', { name: 'Custom field', exact: true })
      .waitFor({ state: 'detached' });
    await admin.page.getByLabel('Required').first().check();
    await admin.look('widget-fields');
    await admin.page.getByRole('button', { name: 'Save', exact: true }).click();
    await admin.page.getByText(/^Saved/).waitFor();

    const faces = await openFaces(browser, { url });
    const widget = await openPanel(faces);
    const press = (name: string | RegExp) => widget.getByRole('button', { name }).click();
    await press(/Send us a message/);
    await widget.getByRole('textbox', { name: 'Order page' }).fill('nowhere');
    await press('Start chat');
    await widget.getByText('This field is required.').waitFor();
    await faces.look('door-fields');
    await widget.getByRole('combobox', { name: 'Topic of your question' }).selectOption('Return');
    await widget.getByRole('checkbox', { name: 'Cable' }).check();
    await widget.getByRole('spinbutton', { name: 'Weight in kg' }).fill('2.5');
    await widget.getByRole('spinbutton', { name: 'Seats' }).fill('3');
    await press('Start chat');
    await expect.poll(() => widget.locator(':focus').getAttribute('id')).toBe('intro-chats.page');
    await widget.getByRole('textbox', { name: 'Order page' }).fill('https://shop.example/1');
    await press('Start chat');
    const box = widget.getByRole('textbox', { name: 'Write a message' });
    await box.fill('It is broken');
    await press('Send');
    // The tests before have chats on this site too.
    const withTopic = async () =>
      (await app.rest(site.read, 'GET', '/v1/conversations')).body.data.filter(
        (one: Json) => one.fields.topic,
      );
    await expect.poll(withTopic).toHaveLength(1);
    const [chat] = await withTopic();
    expect(chat.fields).toEqual({
      topic: 'Return',
      parts: ['Cable'],
      page: 'https://shop.example/1',
      weight: 2.5,
    });
    const { body } = await app.rest(site.read, 'GET', `/v1/visitors?key=${chat.visitor.key}`);
    expect(body.data.attributes).toEqual({ seats: 3 });
    await app.rest(site.write, 'PATCH', `/v1/conversations?session_id=${chat.session_id}`, {
      status: 'closed',
    });
    await press('Back');
    await press(/Send us a message/);
    await widget.getByRole('combobox', { name: 'Topic of your question' }).waitFor();
    expect(await widget.getByRole('spinbutton', { name: 'Seats' }).count()).toBe(0);
    expect(await withTopic()).toHaveLength(1);
    expect([...admin.found, ...faces.found]).toEqual([]);
  });

  it('unsent text, which survives a reload, and a message that the server refused', async () => {
    const faces = await openFaces(browser, { url });
    const widget = await openPanel(faces);
    const text = widget.getByRole('textbox', { name: 'Write a message…' });
    const write = widget.getByRole('button', { name: /Send us a message/ });
    await write.click();
    await text.fill('Half a thought');
    await faces.page.reload();
    await faces.page.locator('button[aria-expanded]').click();
    await write.click();
    await expect.poll(() => text.inputValue()).toBe('Half a thought');
    await widget.getByRole('button', { name: 'Back' }).click();
    await write.click();
    expect(await text.inputValue()).toBe('Half a thought');
    await text.fill('');
    const refused = {
      client_id: crypto.randomUUID(),
      chat: 'new:refused',
      session_id: null,
      kind: 'message',
      text: 'Who was Napoleon?',
      page_url: url,
      created_utc: new Date().toISOString(),
      refused: 'This chat was closed',
    };
    const item = `foyer.${site.publicKey}.outbox.${refused.client_id}`;
    await widget.locator('body').evaluate((_, { name, entry }) => localStorage.setItem(name, entry), {
      name: item,
      entry: JSON.stringify(refused),
    });
    await faces.page.reload();
    await faces.page.locator('button[aria-expanded]').click();
    await widget.getByText('Not sent: This chat was closed.').waitFor();
    await faces.look('door-refused');
    await widget.getByRole('button', { name: 'Try again' }).focus();
    await faces.page.keyboard.press('Enter');
    await widget
      .getByText(/I don’t know that one/)
      .first()
      .waitFor();
    expect(await widget.locator(':focus').evaluate((at) => at.tagName)).toBe('TEXTAREA');
    expect(faces.found).toEqual([]);
  });

  it('in the browser’s own font size, and within its frame', async () => {
    const faces = await openFaces(browser, { url });
    const widget = await openPanel(faces);
    await widget.getByRole('button', { name: 'Search for help' }).waitFor();
    // As if the browser's font size were 24 px instead of 16.
    const [usual, large] = (await widget.locator('html').evaluate(
      new Function(
        'html',
        `const sizes = () => [...html.querySelectorAll('body *')]
           .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
           .map((one) => parseFloat(getComputedStyle(one).fontSize));
         const usual = sizes();
         html.style.fontSize = '24px';
         return [usual, sizes()];`,
      ) as (html: unknown) => [number[], number[]],
    )) as [number[], number[]];
    expect(usual.length).toBeGreaterThan(5);
    expect(large).toEqual(usual.map((size) => size * 1.5));
    await faces.look('door-large');
    expect(faces.found).toEqual([]);
  });

  it('in Arabic, right to left', { timeout: 120_000 }, async () => {
    await update({ languages: ['ar'], language: 'ar' });
    const faces = await openFaces(browser, { url });
    const { look, found, allow } = faces;
    const widget = await openPanel(faces);
    await widget.getByRole('button', { name: 'ابحث في المساعدة' }).waitFor();
    expect(await widget.locator('html').evaluate((root) => [root.lang, root.dir])).toEqual(['ar', 'rtl']);
    // The site has no greeting of its own.
    await widget.getByText('كيف يمكننا مساعدتك؟').waitFor();
    await look('door-rtl-home');
    await widget.getByRole('button', { name: 'ابحث في المساعدة' }).click();
    await widget.getByRole('button', { name: /Delivery times/ }).waitFor();
    await look('door-rtl-help');
    await widget.getByRole('button', { name: 'رجوع' }).click();
    await widget.getByRole('button', { name: 'التحدث إلى موظف' }).click();
    await widget.getByText('الفريق غير متاح الآن').first().waitFor();
    await look('door-rtl-waiting');
    // From the chat back to the list of all chats.
    const kept = async (name: string): Promise<string> => {
      const item = `localStorage.getItem('foyer.${site.publicKey}.${name}')`;
      return JSON.parse(await widget.locator('body').evaluate(item));
    };
    const known = { token: await kept('token'), key: await kept('key') };
    const { socket } = await TestSocket.visitor(app.url, site.publicKey, known);
    for (let count = 0; count < 3; count++)
      await socket.call('chat.send', { session_id: null, client_id: crypto.randomUUID(), text: `${count}` });
    socket.cut();
    await widget.getByRole('button', { name: 'رجوع' }).click();
    await widget.getByRole('button', { name: 'كل المحادثات' }).click();
    await widget.getByRole('heading', { name: 'محادثاتك' }).waitFor();
    await look('door-rtl-chats');
    await widget.getByRole('button', { name: 'رجوع' }).click();
    await widget.getByRole('button', { name: 'ابحث في المساعدة' }).click();
    await widget.getByRole('button', { name: /Following/ }).click();
    await widget.locator('.table').waitFor();
    await look('door-rtl-article');
    allow(/ERR_INTERNET_DISCONNECTED/);
    await faces.context.setOffline(true);
    await widget.getByRole('link', { name: 'returns' }).click();
    await widget.getByRole('button', { name: 'إعادة المحاولة' }).waitFor();
    await look('door-rtl-load-error');
    expect(found).toEqual([]);
  });
});

describe('a keyboard alone', () => {
  it('opens, asks, reads, returns to where it was, asks for a person, rates, and leaves to the button', async () => {
    const { page, found } = await openFaces(browser, { url });
    await page.goto(`${url}/demo?site=${site.publicKey}`);
    const launcher = page.locator('button[aria-expanded]');
    await launcher.focus();
    await page.keyboard.press('Enter');
    const widget = widgetOf(page);
    const focused = widget.locator(':focus');
    /** Presses Tab until a control with this name has the focus. */
    const tabTo = async (name: RegExp): Promise<void> => {
      for (let step = 0; step < 30; step++) {
        await page.keyboard.press('Tab');
        const label = await focused.evaluate((at) => at.getAttribute('aria-label') ?? at.textContent ?? '');
        if (name.test(label)) return;
      }
      throw new Error(`no way to ${name} by tabs`);
    };
    await widget.getByRole('heading', { name: 'Hi there' }).waitFor();
    await tabTo(/Search for help/);
    await page.keyboard.press('Enter');
    await expect.poll(() => focused.getAttribute('data-key')).toBe('search');
    await page.keyboard.type('costs');
    await widget.getByRole('status').filter({ hasText: 'found' }).waitFor({ state: 'attached' });
    await tabTo(/Delivery times/);
    await page.keyboard.press('Enter');
    await expect.poll(() => focused.textContent()).toBe('Delivery times and shipping costs');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await expect.poll(() => focused.getAttribute('aria-label')).toBe('Back');
    await page.keyboard.press('Enter');
    // Back at the search, on the article that was read.
    await expect.poll(() => focused.textContent()).toContain('Delivery times');
    await tabTo(/Talk to a person/);
    const late = Promise.withResolvers<void>();
    await page.route(/Waiting/, async (route) => {
      await late.promise;
      await route.continue();
    });
    await page.keyboard.press('Enter');
    await expect.poll(() => focused.evaluate((at) => at.tagName)).toBe('TEXTAREA');
    await page.keyboard.type('Is anybody there?');
    await page.keyboard.press('Enter');
    await widget.getByText('Is anybody there?').waitFor();
    await widget.getByRole('button', { name: 'More' }).focus();
    // Late content doesn't take the focus.
    late.resolve();
    await widget.getByText('The team is away right now').first().waitFor();
    expect(await focused.getAttribute('aria-label')).toBe('More');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused.getAttribute('role')).toBe('menuitem');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await widget.getByRole('dialog').getByRole('button', { name: 'End chat' }).focus();
    await page.keyboard.press('Enter');
    await widget.getByRole('radio', { name: /^1 out of 5/ }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await widget.getByRole('button', { name: 'Send rating' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused.textContent()).toBe('Thanks for your feedback!');
    await page.keyboard.press('Escape');
    await expect
      .poll(() => page.evaluate('document.activeElement?.shadowRoot?.activeElement?.tagName'))
      .toBe('BUTTON');
    await expect.poll(() => launcher.getAttribute('aria-expanded')).toBe('false');
    expect(found).toEqual([]);
  });

  it('follows an answer to its article, and returns to the answer', async () => {
    const faces = await openFaces(browser, { url });
    const widget = await openPanel(faces);
    await widget.getByRole('button', { name: /Send us a message/ }).click();
    const text = widget.getByRole('textbox', { name: 'Write a message…' });
    await text.fill('What are the delivery times and shipping costs?');
    await text.press('Enter');
    await widget.getByRole('group', { name: 'From our articles' }).getByRole('button').first().focus();
    const focused = widget.locator(':focus');
    const title = (await focused.textContent()) ?? '';
    await faces.page.keyboard.press('Enter');
    await widget.getByRole('heading', { level: 1, name: title }).waitFor();
    await expect.poll(() => focused.textContent()).toBe(title);
    await widget.getByRole('button', { name: 'Back' }).focus();
    await faces.page.keyboard.press('Enter');
    await text.waitFor();
    await expect.poll(() => focused.textContent()).toBe(title);
    expect(faces.found).toEqual([]);
  });

  it('hears each new message once', async () => {
    const faces = await openFaces(browser, { url });
    const widget = await openPanel(faces);
    const agent = await TestSocket.agent(url, cookie);
    onTestFinished(() => agent.cut());
    await widget.getByRole('button', { name: 'Talk to a person' }).click();
    await widget.getByText('We’ve let the team know').first().waitFor();
    await widget.locator('body').evaluate(`
      const region = document.querySelector('[aria-live="polite"]');
      globalThis.heard = [];
      new MutationObserver(() => region.textContent && globalThis.heard.push(region.textContent))
        .observe(region, { childList: true, characterData: true, subtree: true });`);
    const { body } = await app.desk(cookie, 'sessions.list', { queue: 'open' });
    const { session_id } = body.data[0];
    await agent.call('sessions.accept', { session_id });
    const client_id = crypto.randomUUID();
    await agent.call('sessions.reply', { session_id, client_id, text: 'Good morning, Ada here.' });
    await widget.getByText('Good morning, Ada here.').first().waitFor();
    const heard = async (): Promise<string[]> => widget.locator('body').evaluate('globalThis.heard');
    await expect.poll(heard).toHaveLength(1);
    expect((await heard())[0]).toContain('Good morning, Ada here.');
    expect(faces.found).toEqual([]);
  });
});

describe('a chat whose session was just created', () => {
  it('gets the text and the request for a person from before it is drawn', async () => {
    const faces = await openFaces(browser, { url });
    const widget = await openPanel(faces);
    await widget.getByRole('button', { name: /Send us a message/ }).click();
    const text = widget.getByRole('textbox', { name: 'Write a message…' });
    await text.waitFor();
    // Drawing is held back; the server's frames are not.
    await widget.locator('body').evaluate(`
      const later = setTimeout;
      globalThis.held = [];
      globalThis.setTimeout = (run, ms, ...args) => (ms === 16 ? held.push(run) : later(run, ms, ...args));`);
    await text.fill('Does the lamp fit?');
    await text.press('Enter');
    const item = `localStorage.getItem('foyer.${site.publicKey}.moved')`;
    await expect.poll(() => widget.locator('body').evaluate(item)).toContain('ses_');
    await text.fill('It is for a low room.');
    await text.press('Enter');
    await widget.getByRole('button', { name: 'Talk to a person' }).click();
    await widget.locator('body').evaluate(`
      for (const run of held) run();
      held = { push: (run) => run() };`);
    await widget.getByText('It is for a low room.').waitFor();
    await widget
      .getByText('We’ve let the team know')
      .or(widget.getByText('The team is away right now'))
      .first()
      .waitFor();
    const key = JSON.parse(
      await widget.locator('body').evaluate(`localStorage.getItem('foyer.${site.publicKey}.key')`),
    );
    const { body } = await app.desk(cookie, 'sessions.list', { queue: 'open' });
    const own = body.data.filter((one: { visitor: { key: string } }) => one.visitor.key === key);
    expect(own).toHaveLength(1);
    expect(faces.found).toEqual([]);
  });
});

describe('the settings of the widget', () => {
  it('preview the real widget with the form’s values, and visitors get what is saved', {
    timeout: 90_000,
  }, async () => {
    const { page, look, found } = await openFaces(browser, { cookie, url });
    await page.goto(`${url}/app/settings/widget`);
    const preview = page.frameLocator('iframe[title="Chat preview"]');
    await preview.getByText('Hi there').waitFor();
    await preview.getByText('How can we help?').waitFor();
    await page.getByRole('textbox', { name: 'Greeting' }).fill('Good day to you');
    await preview.getByText('Good day to you').waitFor();
    await page.getByRole('textbox', { name: 'Launcher text' }).fill('Need help?');
    await page.getByRole('button', { name: 'Choice' }).click();
    await page.getByRole('textbox', { name: 'Question' }).fill('Which shop?');
    await page.getByRole('textbox', { name: 'Options' }).fill('Berlin, Mitte\nLyon');
    await look('settings-widget-home');
    await page.getByRole('radio', { name: 'Questions' }).check({ force: true });
    await preview.getByText('Which shop?').waitFor();
    await page.getByRole('radio', { name: 'Chat', exact: true }).check({ force: true });
    await preview.getByText('How long does delivery take?').waitFor();
    await look('settings-widget-chat');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. Visitors see it within a minute.').waitFor();
    const { welcome } = await TestSocket.visitor(url, site.publicKey);
    expect(welcome.site).toMatchObject({
      greeting: 'Good day to you',
      look: { launcher_text: 'Need help?' },
    });
    expect(welcome.pre_chat).toMatchObject([{ label: 'Which shop?', options: ['Berlin, Mitte', 'Lyon'] }]);

    await page.goto(`${url}/app/settings/survey`);
    await preview.getByText('How did we do?').waitFor();
    await page.getByRole('textbox', { name: 'Question' }).fill('Was that good?');
    await preview.getByText('Was that good?').waitFor();
    await page.getByRole('radio', { name: 'Thank-you message' }).check({ force: true });
    await preview.getByText('Thanks for your feedback!').waitFor();
    await page.getByRole('combobox', { name: 'When' }).selectOption('After chats with the team');
    await preview.getByText('Ada').first().waitFor();
    await page.getByRole('combobox', { name: 'When' }).selectOption('Never');
    await preview.getByText('Thanks for your feedback!').waitFor({ state: 'detached' });
    expect(found).toEqual([]);
  });
});
