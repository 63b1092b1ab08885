import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, settled, type TestBrowser } from '../chromium.ts';
import { keepDesks } from '../desk-tabs.ts';
import { facesOf } from '../faces.ts';
import { freePort } from '../foyer-process.ts';
import { until } from '../harness.ts';
import { type Mailbox, shown, startMailbox } from '../mailbox.ts';

// Formatted replies to customers, in a real browser, including the mail and the customer's page.

let browser: TestBrowser;
let mailbox: Mailbox;
let app: TestApp;
let site: TestSite;
let url: string;
let cookie: string;
let ticket: number;
const desks = keepDesks(() => ({ browser, app, url }));

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  mailbox = await startMailbox();
  const environment = { PORT: String(port), SMTP_URL: mailbox.url, FOYER_MAIL_FROM: 'help@shop.example' };
  [browser, app] = await Promise.all([openBrowser(), startTestApp(environment)]);
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
beforeEach(async () => {
  mailbox.received.length = 0;
  const requester = { email: 'priya@visitor.example', name: 'Priya' };
  const asked = { subject: 'The lamp', body: 'It broke.', requester };
  ticket = (await app.rest(site.write, 'POST', '/v1/tickets', asked)).body.data.id;
});
afterAll(async () => {
  await browser.close();
  await app.close();
  await mailbox.close();
});

const EDITOR = '**/assets/VisualReply-*.js';

const replyIn = (page: Page) => page.getByRole('textbox', { name: 'Reply', exact: true });
/** The rich-text editor. */
const visualIn = (page: Page) => page.locator('.reply-text');
const plainIn = (page: Page) => page.locator('textarea[aria-label="Reply"]');
const toolIn = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name, exact: true });

/** Code for the page, whose types tests don't have; `given` is its argument. */
const inPage = (code: string) =>
  new Function('element', 'given', `return (async () => { ${code} })()`) as (
    element: unknown,
    given: unknown,
  ) => Promise<unknown>;

const paste = (page: Page, data: Readonly<Record<string, string>>): Promise<unknown> =>
  visualIn(page).evaluate(
    inPage(`
      const clipboardData = new DataTransfer();
      for (const [type, content] of Object.entries(given)) clipboardData.setData(type, content);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));`),
    data,
  );

const PASTE_PICTURE = inPage(`
  const canvas = document.createElement('canvas');
  canvas.width = 60;
  canvas.height = 40;
  canvas.getContext('2d').fillRect(0, 0, 30, 40);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File([blob], 'crack.png', { type: 'image/png' }));
  clipboardData.setData('text/html', '<img src="https://elsewhere.example/crack.png">');
  element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));`);

const openTicket = () => desks.faces(site.admin.email, `inbox/tickets/${ticket}`);

const draftOf = async (): Promise<string | undefined> => {
  const { body } = await app.desk(cookie, 'drafts.get', { ticket_id: ticket });
  return body.data.drafts.find(({ kind }: { kind: string }) => kind === 'reply')?.text;
};

describe('a reply to a ticket', () => {
  it('is formatted while writing, with a macro after text and a pasted image, and arrives as it looked', async () => {
    const actions = [{ type: 'reply', body: 'we send **two photos** of it' }];
    await app.desk(cookie, 'macros.create', { name: 'Photos', actions });
    const { page, context, look, found } = await openTicket();
    await visualIn(page).waitFor();
    await replyIn(page).click();
    await page.keyboard.type('Hello **Priya**, /phot');
    await page.getByRole('dialog', { name: 'Macros' }).getByRole('option', { name: 'Photos' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => visualIn(page).innerText()).toBe('Hello Priya, we send two photos of it');
    await settled(page);
    await page.keyboard.type('.');
    await page.keyboard.press('Enter');
    await page.keyboard.type('- unplug it');
    await page.keyboard.press('Enter');
    await page.keyboard.type('pack it');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.type('See https://shop.example/a_b and 24/12, and/or `lamp --off`');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('second line');
    await page.keyboard.press('Enter');
    await toolIn(page, 'Quote').click();
    await page.keyboard.type('It broke.');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await toolIn(page, 'Table').click();
    await page.keyboard.type('Size');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Price');
    await visualIn(page).evaluate(PASTE_PICTURE, null);
    await page.getByRole('list', { name: 'Files' }).getByText('crack.png').waitFor();
    await page.locator('progress').waitFor({ state: 'detached' });
    await page.mouse.move(0, 0);
    await look('visual-reply');

    const written =
      'Hello **Priya**, we send **two photos** of it.\n\n- unplug it\n- pack it\n\n' +
      'See https://shop.example/a_b and 24/12, and/or `lamp --off`\nsecond line\n\n> It broke.\n\n' +
      '| Size | Price |  |\n| --- | --- | --- |\n|  |  |  |\n|  |  |  |';
    // The draft is the same markdown, and looks the same in another tab.
    const other = await context.newPage();
    await other.goto(`${url}/app/inbox/tickets/${ticket}`);
    await visualIn(other).locator('strong', { hasText: 'two photos' }).waitFor();
    expect(await visualIn(other).locator('td').count()).toBe(6);
    await other.close();
    expect(await draftOf()).toBe(written);

    await replyIn(page).press('Control+Enter');
    await until(async () => mailbox.received.length === 1);
    const html = mailbox.received.map(shown).join('');
    const expectFormatted = async (place: Page): Promise<void> => {
      const inner = place.locator('.rich, .said').filter({ hasText: 'two photos' });
      expect(await inner.locator('strong').allInnerTexts()).toEqual(['Priya', 'two photos']);
      expect(await inner.locator('ul > li').allInnerTexts()).toEqual(['unplug it', 'pack it']);
      expect(await inner.locator('a').getAttribute('href')).toBe('https://shop.example/a_b');
      expect(await inner.locator('code').innerText()).toBe('lamp --off');
      expect(await inner.locator('p > br').count()).toBe(1);
      expect(await inner.locator('blockquote').innerText()).toBe('It broke.');
      expect(await inner.locator('th').allInnerTexts()).toEqual(['Size', 'Price', '']);
    };
    const mail = await context.newPage();
    await mail.setContent(html.slice(html.indexOf('<html'), html.lastIndexOf('</html>') + 7));
    await expectFormatted(mail);
    await mail.goto(/http:\/\/localhost:\d+\/portal\/[\w-]+/.exec(html)?.[0] ?? '');
    await expectFormatted(mail);
    await mail.getByText('crack.png').waitFor();
    // The sent text is gone from the editor, even for undo.
    await expect.poll(() => visualIn(page).innerText()).toBe('\n');
    await replyIn(page).press('Control+z');
    expect(await visualIn(page).innerText()).toBe('\n');
    expect(found).toEqual([]);
  });

  it('continues at the caret when the editor replaces the plain box', async () => {
    const page = await desks.fresh(site.admin.email);
    let comes = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      comes = resolve;
    });
    await page.route(EDITOR, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${url}/app/inbox/tickets/${ticket}`);
    await plainIn(page).pressSequentially('Dear **Priya**, it comes.');
    for (let step = 0; step < 'a**, it comes.'.length; step += 1) await page.keyboard.press('ArrowLeft');
    // No key that is pressed meanwhile is lost.
    comes();
    const typed = 'in the middle of a word that goes on while the editor takes over';
    await page.keyboard.type(typed, { delay: 5 });
    await plainIn(page).waitFor({ state: 'detached' });
    await page.keyboard.type('XY');
    await expect.poll(() => visualIn(page).innerText()).toBe(`Dear Priy${typed}XYa, it comes.`);
    await expect.poll(draftOf).toBe(`Dear **Priy${typed}XYa**, it comes.`);
  });

  it('keeps a key that is pressed before the editor has read the caret', async () => {
    const page = await desks.fresh(site.admin.email);
    const comes = Promise.withResolvers<void>();
    await page.route(EDITOR, async (route) => {
      await comes.promise;
      await route.continue();
    });
    await page.goto(`${url}/app/inbox/tickets/${ticket}`);
    await plainIn(page).fill('Dear **Priya**.');
    for (let step = 0; step < 'a**.'.length; step += 1) await page.keyboard.press('ArrowLeft');
    // The moment at which React has inserted its container, and has yet to run the effects that read the plain box.
    await page.evaluate(`new MutationObserver((_, observer) => {
      if (!document.querySelector('[aria-hidden=true].h-0')) return;
      observer.disconnect();
      document.execCommand('insertText', false, 'K');
    }).observe(document.body, { childList: true, subtree: true })`);
    comes.resolve();
    await plainIn(page).waitFor({ state: 'detached' });
    await page.keyboard.type('XY');
    await expect.poll(() => visualIn(page).innerText()).toBe('Dear PriyKXYa.');
    await expect.poll(draftOf).toBe('Dear **PriyKXYa**.');
  });

  it('keeps the focus that the plain box got as it appeared', async () => {
    const page = await desks.fresh(site.admin.email);
    const comes = Promise.withResolvers<void>();
    await page.route(EDITOR, async (route) => {
      await comes.promise;
      await route.continue();
    });
    await page.goto(`${url}/app/inbox/tickets/${ticket}`);
    await plainIn(page).fill('Dear Tom');
    await plainIn(page).blur();
    // The moment at which the editor is in the page, and the plain box hasn't been removed yet.
    await page.evaluate(`new MutationObserver((_, observer) => {
      if (!document.querySelector('.reply-text')) return;
      observer.disconnect();
      document.querySelector('textarea[aria-label="Reply"]').focus();
    }).observe(document.body, { childList: true, subtree: true })`);
    comes.resolve();
    await plainIn(page).waitFor({ state: 'detached' });
    await page.keyboard.type(', hello');
    await expect.poll(() => visualIn(page).innerText()).toBe('Dear Tom, hello');
  });

  it('is written in a working plain box if the editor can’t be loaded', async () => {
    const { page, found, allow } = facesOf(await desks.fresh(site.admin.email));
    allow(/Failed to load resource|ERR_FAILED/);
    await page.route(EDITOR, (route) => route.abort());
    const refused = page.waitForEvent('requestfailed');
    await page.goto(`${url}/app/inbox/tickets/${ticket}`);
    await refused;
    await plainIn(page).fill('It is **on** its way.');
    await plainIn(page).press('End');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('soon');
    expect(await plainIn(page).inputValue()).toBe('It is **on** its way.**soon**');
    expect(await visualIn(page).count()).toBe(0);
    await plainIn(page).press('Control+Enter');
    await page
      .getByRole('article', { name: /^By Ada/ })
      .locator('strong', { hasText: 'soon' })
      .waitFor();
    expect(found).toEqual([]);
  });

  it('can be written by keyboard alone, and switches to markdown and back without moving the caret', async () => {
    const { page, look, found } = await openTicket();
    await visualIn(page).waitFor();
    await page.locator('body').press('r');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('Now');
    await page.keyboard.press('Control+b');
    await page.keyboard.press('Control+i');
    await page.keyboard.type(' or');
    await page.keyboard.press('Control+i');
    await page.keyboard.type(' later, see ');
    await page.keyboard.press('Control+k');
    const picker = page.getByPlaceholder('Paste an address or search articles');
    await picker.fill('shop.example/terms');
    await look('visual-reply-link');
    await page.keyboard.press('Enter');
    await picker.waitFor({ state: 'detached' });
    await toolIn(page, 'Markdown').click();
    const text = '**Now** _or_ later, see [shop.example/terms](https://shop.example/terms)';
    await expect.poll(() => plainIn(page).inputValue()).toBe(text);
    await page.keyboard.type('!');
    expect(await plainIn(page).inputValue()).toBe(`${text}!`);
    await look('visual-reply-markdown');
    await toolIn(page, 'Markdown').click();
    await plainIn(page).waitFor({ state: 'detached' });
    await page.keyboard.type('!');
    expect(await visualIn(page).innerText()).toBe('Now or later, see shop.example/terms!!');
    await page.keyboard.press('Escape');
    expect(await visualIn(page).evaluate(inPage('return document.activeElement === element'), null)).toBe(
      false,
    );
    expect(found).toEqual([]);
  });

  it('shows only the text of a hostile draft or paste', async () => {
    const hostile = '<img src=x onerror="alert(1)"> [x](javascript:alert(1)) ![y](https://spy.example/p.png)';
    const saved = { ticket_id: ticket, kind: 'reply', text: hostile, mentions: [], base_version: null };
    expect((await app.desk(cookie, 'drafts.save', saved)).status).toBe(200);
    const { page, found } = await openTicket();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('dialog', (dialog) => void dialog.dismiss().then(() => found.push('a dialog')));
    await visualIn(page).getByText('onerror').waitFor();
    await visualIn(page).click();
    await page.keyboard.press('Control+End');
    await paste(page, {
      'text/html':
        '<p onclick="alert(1)">pasted<script>alert(1)</script><a href="javascript:alert(1)">a</a>' +
        '<img src="https://spy.example/q.png" onerror="alert(1)"><iframe src="https://spy.example"></iframe></p>',
      'text/plain': 'pasted a',
    });
    await visualIn(page).getByText('pasted').waitFor();
    expect(
      await visualIn(page).locator('img[src], script, iframe, [href], [onclick], [onerror]').count(),
    ).toBe(0);
    expect(asked.filter((address) => address.includes('spy.example'))).toEqual([]);
    expect(found).toEqual([]);
  });

  it('opens as markdown if it can’t be represented, until another is begun', async () => {
    const saved = {
      ticket_id: ticket,
      kind: 'reply',
      text: '- a\n\n  \\\n  b',
      mentions: [],
      base_version: null,
    };
    await app.desk(cookie, 'drafts.save', saved);
    const { page, look, found } = await openTicket();
    await page.getByText('has formatting that only its Markdown shows').waitFor();
    expect(await plainIn(page).inputValue()).toBe(saved.text);
    await look('visual-reply-unfit');
    await plainIn(page).fill('');
    await visualIn(page).waitFor();
    expect(found).toEqual([]);
  });
});
