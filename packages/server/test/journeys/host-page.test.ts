import type { BrowserContext, FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Shop, startShop } from '../../../sdk/test/shop.ts';
import { createApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/config.ts';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { type CutLine, openLine } from '../cut-line.ts';
import { freePort } from '../foyer-process.ts';
import { silentLog, TEST_SECRET } from '../harness.ts';
import { snippetFor } from '../snippet.ts';

// A visitor who only chats, on a page of another origin with the snippet of the docs and no calls.

let browser: TestBrowser;
let app: TestApp;
let shop: Shop;
let line: CutLine;
let environment: Record<string, string>;
let site: TestSite;
let context: BrowserContext;

beforeAll(async () => {
  const port = await freePort();
  environment = { PORT: String(port) };
  [browser, app, shop, line] = await Promise.all([
    openBrowser(),
    startTestApp(environment),
    startShop(),
    openLine(() => port),
  ]);
});
beforeEach(async () => {
  site = await app.makeSite();
  context = await browser.newContext({ reducedMotion: 'reduce' });
  shop.page.html = `<!doctype html><title>Shop</title>${snippetOf(site)}<p>A shop`;
});
afterEach(async () => {
  line.mend();
  await context.close();
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([line?.close(), shop?.stop()]);
  await app?.close();
});

const snippetOf = ({ publicKey }: TestSite): string => snippetFor(`http://localhost:${line.port}`, publicKey);

const visit = async (path = '/'): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(shop.origin + path);
  return page;
};
const chatOf = (page: Page): FrameLocator => page.frameLocator('iframe[title=Chat]');
const openPanel = async (page: Page): Promise<FrameLocator> => {
  await page.getByRole('button', { name: 'Open chat' }).click();
  return chatOf(page);
};
/** Opens the panel and begins a chat. */
const beginChat = async (page: Page): Promise<FrameLocator> => {
  const chat = await openPanel(page);
  await chat.getByRole('button', { name: /Send us a message/ }).click();
  return chat;
};
const field = (chat: FrameLocator) => chat.getByPlaceholder('Write a message…');
const write = async (chat: FrameLocator, text: string): Promise<void> => {
  await field(chat).fill(text);
  await field(chat).press('Enter');
};
const ownTexts = (chat: FrameLocator): Promise<string[]> => chat.locator('.bubble-own').allTextContents();

/** What the visitors of the site wrote, by chat. */
const stored = (): Promise<string[][]> => storedAt(app, site);
const storedAt = async ({ app }: TestApp, { site }: TestSite): Promise<string[][]> => {
  const { rows } = await app.database.pool.query(
    `select array_agg(m.text order by m.seq) as texts from messages m
     join conversations c on c.site_id = m.site_id and c.id = m.conversation_id
     where c.site_id = $1 and m.sender = 'visitor' group by c.id order by c.id`,
    [site.id],
  );
  return rows.map(({ texts }) => texts);
};
/** How many visitors have written. */
const writers = async (): Promise<number> => {
  const { rows } = await app.app.database.pool.query(
    'select count(distinct visitor_id)::int as n from conversations where site_id = $1',
    [site.site.id],
  );
  return rows[0].n;
};
/** Expects one visitor with one chat with these messages, which this page shows. */
const expectOneChat = async (chat: FrameLocator, texts: string[]): Promise<void> => {
  await expect.poll(stored).toEqual([texts]);
  await expect.poll(() => ownTexts(chat)).toEqual(texts);
  await expect.poll(() => chat.locator('.message-pending').count()).toBe(0);
  expect(await writers()).toBe(1);
};
/** Opens the panel of another page in the same browser, and in it the existing chat. */
const comeBack = async (page: Page): Promise<FrameLocator> => {
  const chat = await openPanel(page);
  await chat.getByRole('region', { name: 'Your chats' }).locator('.row-chat').click();
  return chat;
};
/** Begins a chat whose first message is acknowledged. */
const begin = async (page: Page, text: string): Promise<FrameLocator> => {
  const chat = await beginChat(page);
  await write(chat, text);
  await expectOneChat(chat, [text]);
  return chat;
};
const goOffline = async (): Promise<void> => {
  await context.setOffline(true);
  line.cut();
};
const goOnline = async (): Promise<void> => {
  line.mend();
  await context.setOffline(false);
};

describe('a visitor whose question the bot isn’t sure about', () => {
  beforeEach(async () => {
    const articles = {
      'Washing wool': 'Wash wool by hand in cold water and dry it flat.',
      'Mending wool': 'We mend wool by hand within two weeks.',
      Delivery: 'Parcels arrive after three working days.',
    };
    for (const [title, body] of Object.entries(articles))
      await app.rest(site.write, 'POST', '/v1/articles', { title, body, status: 'Published' });
  });

  it('chooses the right article, and reads its answer', async () => {
    const chat = await begin(await visit(), 'my wool jumper');
    await chat.locator('.messages').getByText('Is it one of these?').waitFor();
    await chat.getByRole('button', { name: 'Washing wool' }).click();
    await chat.locator('.messages').getByText('Wash wool by hand in cold water').waitFor();
    expect(await chat.getByRole('button', { name: 'None of these' }).count()).toBe(0);
  });

  it('is asked about a single article in the singular', async () => {
    const chat = await begin(await visit(), 'parcels to a packing station');
    await chat.locator('.messages').getByText('Is it this?').waitFor();
    await chat.getByRole('button', { name: 'Delivery' }).waitFor();
    expect(await chat.getByRole('button', { name: /wool/ }).count()).toBe(0);
  });

  it('is handed over if none is right', async () => {
    const chat = await begin(await visit(), 'my wool jumper');
    await chat.getByRole('button', { name: 'None of these' }).click();
    await chat.locator('.system').first().waitFor();
    const { rows } = await app.app.database.pool.query(
      'select status from conversations where site_id = $1',
      [site.site.id],
    );
    expect(rows).toEqual([{ status: 'waiting' }]);
    expect(await ownTexts(chat)).toEqual(['my wool jumper']);
  });
});

describe('a visitor who only chats finds the chat', () => {
  it('after a reload, and continues it', async () => {
    const page = await visit();
    await begin(page, 'First');
    await page.reload();
    const chat = await comeBack(page);
    await expectOneChat(chat, ['First']);
    await write(chat, 'Second');
    await expectOneChat(chat, ['First', 'Second']);
  });

  it('on another page of the site', async () => {
    const page = await visit();
    await begin(page, 'First');
    await page.goto(`${shop.origin}/second`);
    const chat = await comeBack(page);
    await write(chat, 'Second');
    await expectOneChat(chat, ['First', 'Second']);
  });

  it('after the tab was closed', async () => {
    const page = await visit();
    await begin(page, 'First');
    await page.close();
    await expectOneChat(await comeBack(await visit()), ['First']);
  });

  it('when the site asks for consent and opening the chat gave it', async () => {
    await app.desk(await app.signIn(site.admin.email), 'site.update', { consent: true });
    const page = await visit();
    await page.getByRole('button', { name: 'Open chat' }).waitFor();
    expect(await page.evaluate('Object.keys(localStorage)')).toEqual([]);
    await begin(page, 'First');
    await page.reload();
    await expectOneChat(await comeBack(page), ['First']);
  });

  it('when the page has lost its storage, because the frame’s storage still identifies the browser', async () => {
    const page = await visit();
    await begin(page, 'First');
    await page.evaluate('localStorage.clear()');
    await page.goto(`${shop.origin}/second`);
    await page.evaluate(`svc('track', 'looked')`);
    await page.reload();
    const chat = await comeBack(page);
    await write(chat, 'Second');
    await expectOneChat(chat, ['First', 'Second']);
  });

  it('if the page can’t store anything', async () => {
    await context.addInitScript(
      `if (location.origin === '${shop.origin}') Object.defineProperty(window, 'localStorage', { get() { throw new Error('blocked'); } })`,
    );
    const page = await visit();
    await begin(page, 'First');
    await page.reload();
    await expectOneChat(await comeBack(page), ['First']);
  });

  it('in a second tab that is open at the same time', async () => {
    const [one, other] = await Promise.all([visit(), visit('/second')]);
    const [first, second] = await Promise.all([openPanel(one), openPanel(other)]);
    await Promise.all(
      [first, second].map((chat) => chat.getByRole('button', { name: /Send us a message/ }).waitFor()),
    );
    await first.getByRole('button', { name: /Send us a message/ }).click();
    await write(first, 'From one tab');
    await second.getByRole('region', { name: 'Your chats' }).locator('.row-chat').click();
    await write(second, 'From the other');
    await expectOneChat(first, ['From one tab', 'From the other']);
    await expectOneChat(second, ['From one tab', 'From the other']);
    await one.close();
    await other.reload();
    await expectOneChat(await comeBack(other), ['From one tab', 'From the other']);
  });
});

describe('messages that are written offline are stored once, in order,', () => {
  it('after a reconnect', async () => {
    const page = await visit();
    const chat = await begin(page, 'Before');
    await goOffline();
    await write(chat, 'One');
    await write(chat, 'Two');
    await expect.poll(() => ownTexts(chat)).toEqual(['Before', 'One', 'Two']);
    expect(await stored()).toEqual([['Before']]);
    await goOnline();
    await expectOneChat(chat, ['Before', 'One', 'Two']);
  });

  it('when the tab was closed and the visitor comes back', async () => {
    const page = await visit();
    const chat = await begin(page, 'Before');
    await goOffline();
    for (const text of ['One', 'Two', 'Three']) await write(chat, text);
    await expect.poll(() => ownTexts(chat)).toHaveLength(4);
    await page.close();
    await goOnline();
    const back = await visit('/second');
    // Nobody opens the chat: the page sends the pending messages on its own.
    await expect.poll(stored).toEqual([['Before', 'One', 'Two', 'Three']]);
    await expectOneChat(await comeBack(back), ['Before', 'One', 'Two', 'Three']);
  });

  it('when the chat itself was begun offline, and the tab was closed', async () => {
    const page = await visit();
    const chat = await openPanel(page);
    await chat.getByRole('button', { name: /Send us a message/ }).click();
    await field(chat).waitFor();
    await goOffline();
    await write(chat, 'One');
    await write(chat, 'Two');
    await expect.poll(() => ownTexts(chat)).toEqual(['One', 'Two']);
    await page.close();
    await goOnline();
    const back = await visit();
    await expect.poll(stored).toEqual([['One', 'Two']]);
    expect(await writers()).toBe(1);
    await expect.poll(() => ownTexts(chatOf(back))).toEqual(['One', 'Two']);
  });

  it('in a new chat, when their own was erased meanwhile', async () => {
    const page = await visit();
    const chat = await begin(page, 'Before');
    const { rows } = await app.app.database.pool.query('select key from visitors where site_id = $1', [
      site.site.id,
    ]);
    await goOffline();
    await write(chat, 'One');
    await write(chat, 'Two');
    await expect.poll(() => ownTexts(chat)).toHaveLength(3);
    expect((await app.rest(site.write, 'DELETE', `/v1/visitors?key=${rows[0].key}`)).status).toBe(200);
    await goOnline();
    await expect.poll(stored).toEqual([['Before'], ['One', 'Two']]);
    await expect.poll(() => chat.locator('.message-pending').count()).toBe(0);
    expect(
      await page.evaluate(`Object.keys(localStorage).filter((name) => name.includes('outbox'))`),
    ).toEqual([]);
  });
});

it('a file that is chosen while its chat begins is added to that chat', async () => {
  const gate = Promise.withResolvers<void>();
  await context.route(/stored-uploads/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  const page = await visit();
  const chat = await openPanel(page);
  await chat.getByRole('button', { name: /Send us a message/ }).click();
  await field(chat).waitFor();
  await chat
    .locator('input[type=file]')
    .setInputFiles([{ name: 'receipt.txt', mimeType: 'text/plain', buffer: Buffer.from('paid') }]);
  await write(chat, 'Hello');
  await expect.poll(stored).toEqual([['Hello']]);
  await expect.poll(() => chat.locator('.message-pending').count()).toBe(0);
  gate.resolve();
  await chat.getByText('Ready to send').waitFor();
});

describe('a server that restarts', () => {
  it('gets the messages of its downtime, once and in order, also from a tab that was closed', async () => {
    const port = await freePort();
    const own = await startTestApp({ PORT: String(port) });
    const behind = await openLine(() => port);
    const ownSite = await own.makeSite();
    shop.page.html = `<!doctype html>${snippetFor(`http://localhost:${behind.port}`, ownSite.publicKey)}`;
    const page = await visit();
    const chat = await beginChat(page);
    await write(chat, 'Before');
    // Stored and acknowledged: what follows is written without a server.
    await expect.poll(() => storedAt(own, ownSite)).toEqual([['Before']]);
    await expect.poll(() => chat.locator('.message-pending').count()).toBe(0);
    await own.app.close();
    await write(chat, 'One');
    await write(chat, 'Two');
    await expect.poll(() => ownTexts(chat)).toEqual(['Before', 'One', 'Two']);
    await page.close();
    const again = await createApp({
      config: readConfig({ PORT: String(port), FOYER_WEBHOOK_ALLOW_PRIVATE: 'true' }),
      databaseUrl: own.databaseUrl,
      secret: TEST_SECRET,
      log: silentLog,
    });
    await again.listen();
    const back = await comeBack(await visit());
    await expect.poll(() => ownTexts(back)).toEqual(['Before', 'One', 'Two']);
    const stored = async () => {
      const { rows } = await again.database.pool.query(
        `select m.text, c.visitor_id from messages m join conversations c on c.id = m.conversation_id
         where c.site_id = $1 and m.sender = 'visitor' order by c.id, m.seq`,
        [ownSite.site.id],
      );
      return rows;
    };
    // A message is shown as soon as it is written.
    await expect.poll(async () => (await stored()).map(({ text }) => text)).toEqual(['Before', 'One', 'Two']);
    const rows = await stored();
    expect(new Set(rows.map(({ visitor_id }) => visitor_id)).size).toBe(1);
    await context.close();
    await behind.close();
    await again.close();
    await own.close();
  });
});

describe('a reset', () => {
  it('begins a new visitor, without the previous one’s chat', async () => {
    const page = await visit();
    await begin(page, 'Of the first');
    await page.evaluate(`svc('reset')`);
    await expect.poll(() => page.evaluate('Object.keys(localStorage)')).toEqual([]);
    await page.reload();
    const chat = await beginChat(page);
    await write(chat, 'Of the second');
    await expect.poll(stored).toEqual([['Of the first'], ['Of the second']]);
    expect(await writers()).toBe(2);
    expect(await ownTexts(chat)).toEqual(['Of the second']);
  });

  it('takes effect on the next page if it could not reach the chat on this one', async () => {
    const page = await visit();
    await begin(page, 'Of the first');
    await page.close();
    await context.route('**/widget/pk_*', (route) => route.abort());
    const out = await visit();
    await out.getByRole('button', { name: 'Open chat' }).waitFor();
    await out.evaluate(`svc('reset')`);
    await out.close();
    await context.unroute('**/widget/pk_*');
    const chat = await beginChat(await visit());
    await write(chat, 'Of the second');
    await expect.poll(stored).toEqual([['Of the first'], ['Of the second']]);
    expect(await writers()).toBe(2);
  });
});

describe('a file with a long name', () => {
  const NAME = 'receipt of my order number 4711 from last summer and of all the orders before it.txt';

  it.each([
    [1440, 'en', 'ltr'],
    [390, 'en', 'ltr'],
    [1440, 'ar', 'rtl'],
    [390, 'ar', 'rtl'],
  ])('stays within the panel at %i px, in %s', async (width, locale, direction) => {
    shop.page.html += `<script>svc('boot',{locale:'${locale}'})</script>`;
    const page = await context.newPage();
    await page.setViewportSize({ width, height: 800 });
    await page.goto(shop.origin);
    await page.locator('button[aria-expanded]').click();
    const chat = page.frameLocator('iframe');
    await chat.locator('.card-send').click();
    await chat
      .locator('input[type=file]')
      .setInputFiles([{ name: NAME, mimeType: 'text/plain', buffer: Buffer.from('paid') }]);
    await chat.locator('.tray-file').waitFor();
    await chat.locator('textarea').press('Enter');
    await chat.locator('a.file').waitFor();
    await expect.poll(stored).toEqual([['']]);
    expect(await chat.locator('html').getAttribute('dir')).toBe(direction);
    const [panel, chip, ...parts] = await Promise.all(
      ['html', 'a.file', 'a.file svg', 'a.file .file-name', 'a.file .file-size'].map((part) =>
        chat.locator(part).evaluate((one) => {
          const { left, right } = one.getBoundingClientRect();
          return { left, right };
        }),
      ),
    );
    const isWithin = (inner = { left: Number.NaN, right: Number.NaN }, outer = inner) =>
      inner.left >= outer.left && inner.right <= outer.right;
    expect({ chip, fits: isWithin(chip, panel) }).toEqual({ chip, fits: true });
    for (const part of parts) expect({ part, fits: isWithin(part, chip) }).toEqual({ part, fits: true });
    // People use the visible text to activate a link by voice control.
    const read = await chat.locator('a.file').innerText();
    expect(await chat.locator('a.file').getAttribute('aria-label')).toContain(read.replace(/\s+/g, ' '));
    expect(await chat.locator('html').evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  });
});

describe('the visitor’s browser', () => {
  it.each([
    ['en-GB', /\b\d\d:\d\d$/m],
    ['en-US', /\b\d{1,2}:\d\d\s[AP]M$/m],
  ])('decides how times are written: %s', async (locale, form) => {
    const own = await browser.newContext({ reducedMotion: 'reduce', locale });
    const page = await own.newPage();
    await page.goto(shop.origin);
    const chat = await beginChat(page);
    await write(chat, 'Hello');
    await expect.poll(stored).toEqual([['Hello']]);
    await expect.poll(() => chat.locator('body').innerText()).toMatch(form);
  });

  it('has finger-sized targets on a phone', async () => {
    const phone = await browser.newContext({ reducedMotion: 'reduce', hasTouch: true, isMobile: true });
    const page = await phone.newPage();
    await page.goto(shop.origin);
    const chat = await beginChat(page);
    const person = chat.getByRole('button', { name: 'Talk to a person' });
    await expect.poll(async () => (await person.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(44);
  });
});

it('shows no button if no browser would load the chat, and says why', async () => {
  const inner = shop.page.html.replaceAll('"', '&quot;');
  shop.page.html = `<!doctype html><title>Frame</title><iframe sandbox="allow-scripts" srcdoc="${inner}"></iframe>`;
  const page = await context.newPage();
  const said = page.waitForEvent('console', (message) => message.text().includes('[svc]'));
  await page.goto(shop.origin);
  expect((await said).text()).toContain('no chat in a page without an origin');
  expect(await page.frameLocator('iframe').getByRole('button').count()).toBe(0);
});

it('a card number that a visitor writes is redacted in the chat as in the database', async () => {
  const cookie = await app.signIn(site.admin.email);
  const redaction = { kinds: ['card'], patterns: [] };
  expect((await app.desk(cookie, 'site.update', { redaction })).status).toBe(200);
  const page = await visit();
  const chat = await beginChat(page);
  await write(chat, 'Charge 4111 1111 1111 1111, please');
  await expectOneChat(chat, ['Charge •••• 1111, please']);
  line.cut();
  await write(chat, 'or 5555 5555 5555 4444');
  line.mend();
  await expectOneChat(chat, ['Charge •••• 1111, please', 'or •••• 4444']);
  await page.reload();
  await expectOneChat(await comeBack(page), ['Charge •••• 1111, please', 'or •••• 4444']);
});
