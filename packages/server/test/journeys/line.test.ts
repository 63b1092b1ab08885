import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { answeredChat } from '../chats.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { type CutLine, openLine } from '../cut-line.ts';
import { freePort } from '../foyer-process.ts';
import { until } from '../harness.ts';
import { TestSocket } from '../sockets.ts';

// The widget in a real browser, over a bad connection.

let browser: TestBrowser;
let app: TestApp;
let site: TestSite;
let line: CutLine;
let agent: TestSocket;
let pings: NodeJS.Timeout;

beforeAll(async () => {
  const port = await freePort();
  [browser, app, line] = await Promise.all([
    openBrowser(),
    // A thousand messages of one visitor in less than a minute exceed the usual limit.
    startTestApp({ PORT: String(port), FOYER_LIMIT_FACTOR: '10' }),
    openLine(() => port),
  ]);
  site = await app.makeSite();
  agent = await TestSocket.agent(app.url, await app.signIn(site.admin.email));
  pings = setInterval(() => agent.send({ type: 'ping' }), 10_000);
});
afterEach(async () => {
  line.faults = {};
  line.mend();
  await Promise.all(browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  clearInterval(pings);
  await browser.close();
  await line.close();
  await app.close();
});

const address = () => `http://localhost:${line.port}/widget/${site.publicKey}`;
const newContext = (): Promise<BrowserContext> =>
  browser.newContext({ viewport: { width: 400, height: 640 }, reducedMotion: 'reduce' });

async function openWidget(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address());
  await page.getByText('Send us a message').waitFor();
  return page;
}

/** A message in the chat, not in the live region for screen readers. */
const said = (page: Page, text: string) => page.locator('.messages').getByText(text);
const field = (page: Page) => page.getByPlaceholder('Write a message…');
async function write(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
}

interface Chat {
  page: Page;
  context: BrowserContext;
  id: string;
}

/** A visitor in a chat with an agent, in which nobody else writes. */
async function openTalk(context?: BrowserContext): Promise<Chat> {
  const theirs = context ?? (await newContext());
  const page = await openWidget(theirs);
  await page.getByText('Send us a message').click();
  const hello = `hello ${randomUUID()}`;
  await write(page, hello);
  const id = await answeredChat(app.app.database.pool, hello);
  await agent.call('sessions.accept', { session_id: id });
  await page.getByText('Ada joined the chat').waitFor();
  return { page, context: theirs, id };
}

const reply = (id: string, text: string) =>
  agent.call('sessions.reply', { session_id: id, client_id: randomUUID(), text });
const textsOf = async (id: string): Promise<string[]> => {
  const { rows } = await app.app.database.pool.query(
    `select m.text from messages m join conversations c on c.site_id = m.site_id and c.id = m.conversation_id
     where c.session_id = $1 and m.sender = 'visitor' order by m.seq`,
    [id],
  );
  return rows.map(({ text }) => text);
};
const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) });
const upTo = (count: number): string[] => Array.from({ length: count }, (_, index) => `number ${index + 1}`);

describe('a connection that', () => {
  it('loses acknowledgements stores each of 1,000 messages once, in order', {
    timeout: 120_000,
  }, async () => {
    const { page, context, id } = await openTalk();
    let answers = 0;
    line.faults = {
      // Committed, but the visitor never gets the acknowledgement.
      loses: (chunk) => chunk.includes('"type":"result"') && ++answers % 120 === 0,
    };
    // Another tab writes them, as fast as the outbox accepts them.
    const writer = await openWidget(context);
    await writer.evaluate(`(async () => {
      const prefix = 'foyer.${site.publicKey}.outbox.';
      const waiting = () => Object.keys(localStorage).filter((name) => name.startsWith(prefix)).length;
      const from = Date.now();
      for (let number = 1; number <= 1000; number++) {
        while (waiting() >= 200) await new Promise((resolve) => setTimeout(resolve, 20));
        const time = (from + number).toString(16).padStart(12, '0');
        const client_id = time.slice(0, 8) + '-' + time.slice(8) + '-7000-8000-' + crypto.randomUUID().slice(24);
        localStorage.setItem(prefix + client_id, JSON.stringify({
          client_id, chat: '${id}', session_id: '${id}', kind: 'message', text: 'number ' + number, page_url: '',
          created_utc: new Date().toISOString(),
        }));
      }
    })()`);
    await until(async () => (await textsOf(id)).length >= 1_001);
    expect((await textsOf(id)).slice(1)).toEqual(upTo(1_000));
    expect(answers).toBeGreaterThan(120);
    await said(page, 'number 1000').waitFor();
    await page.getByText(/^(Delivered|Sent) ·/).waitFor();
  });

  it('blocks sockets carries the chat over requests', async () => {
    line.faults = { sockets: 'refused' };
    const { page, id } = await openTalk();
    await reply(id, 'Can you read me?');
    await said(page, 'Can you read me?').waitFor();
    await write(page, 'I can');
    await page.getByText(/^Delivered ·/).waitFor();
    expect((await textsOf(id)).at(-1)).toBe('I can');
  });

  it('accepts sockets and drops their frames carries the chat over requests', async () => {
    line.faults = { sockets: 'swallowed' };
    const { page, id } = await openTalk();
    await reply(id, 'And now?');
    await said(page, 'And now?').waitFor();
  });

  it('accepts sockets and closes them at once carries the chat over requests', async () => {
    line.faults = { sockets: 'closed' };
    const { page, id } = await openTalk();
    await reply(id, 'Are you there?');
    await said(page, 'Are you there?').waitFor();
    await write(page, 'I am');
    await page.getByText(/^Delivered ·/).waitFor();
    expect((await textsOf(id)).at(-1)).toBe('I am');
  });

  it('is cut in one direction is detected as dead, and nothing is missing', async () => {
    const { page, id } = await openTalk();
    line.faults = { silent: true };
    await write(page, 'into the dark');
    await until(async () => (await textsOf(id)).includes('into the dark'));
    await reply(id, 'You can’t hear this yet');
    line.faults = {};
    await said(page, 'You can’t hear this yet').waitFor();
    expect((await textsOf(id)).filter((text) => text === 'into the dark')).toHaveLength(1);
    expect(await said(page, 'into the dark').count()).toBe(1);
  });

  it('is cut is reported as offline, and pending messages are sent once the tab is opened again', async () => {
    const { page, context, id } = await openTalk();
    line.cut();
    await write(page, 'for later');
    await page.getByText('Reconnecting…').waitFor();
    await page.getByText('Will be sent when you’re back online').waitFor();
    await context.setOffline(true);
    await page.getByText('You’re offline.').waitFor();
    await page.close();
    await context.setOffline(false);
    line.mend();
    await openWidget(context);
    await until(async () => (await textsOf(id)).includes('for later'));
  });

  it('is cut while a part of the panel loads gets it at the next try', async () => {
    const page = await openWidget(await newContext());
    await page.route('**/widget/assets/Conversation-*.js*', (route) => route.abort());
    await page.reload();
    await page.getByText('Send us a message').click();
    const again = page.getByRole('button', { name: 'Try again' });
    await again.click();
    await again.waitFor();
    await page.unroute('**/widget/assets/Conversation-*.js*');
    await again.click();
    await field(page).waitFor();
  });
});

describe('a chat of 1,000 messages', () => {
  const rows = (page: Page) => page.locator('.messages > .message');
  const inView = (page: Page, text: string) =>
    until(async () => {
      const list = await page.locator('.list').boundingBox();
      const row = rows(page).getByText(text, { exact: true });
      // It may have been removed since the last check.
      const box = await row.boundingBox({ timeout: 500 }).catch(() => null);
      if (!list || !box) return false;
      return box.y + box.height > list.y && box.y < list.y + list.height;
    });

  it('is only drawn around the visible part, by wheel and by keys, and keeps the keyboard’s place', async () => {
    const { page, context, id } = await openTalk();
    await page.close();
    await app.app.database.pool.query(
      `with chat as (select * from conversations where session_id = $1), added as (
         insert into messages (site_id, conversation_id, seq, client_id, sender, author_name, text, sources, created_at)
         select c.site_id, c.id, c.last_seq + n, gen_random_uuid(), 'agent', 'Ada', 'number ' || n || case when n = 990 then ': https://shop.example/990' else '' end,
           case when n = 700 then '[{"article_id":1,"slug":"gone","title":"Costs"}]'::jsonb end, now()
         from chat c, generate_series(1, 1000) n)
       update conversations c set last_seq = c.last_seq + 1000, last_text = 'number 1000', last_sender = 'agent' from chat
       where c.site_id = chat.site_id and c.id = chat.id`,
      [id],
    );
    const again = await openWidget(context);
    // A background page is drawn once a second.
    await again.bringToFront();
    await again.getByRole('button', { name: /number 1000/ }).click();
    await inView(again, 'number 1000');
    expect(await rows(again).count()).toBeLessThan(120);

    // Focuses a link in a row that soon is no longer drawn: the keys still scroll the list.
    await again.getByRole('link', { name: 'https://shop.example/990' }).focus();
    // Several times: whether the beginning stays in view once depended on the order of work in a frame.
    for (let turn = 0; turn < 20; turn++) {
      await again.keyboard.press('End');
      await inView(again, 'number 1000');
      await again.keyboard.press('Home');
      await inView(again, 'number 1');
    }
    expect(await rows(again).count()).toBeLessThan(120);
    expect(await again.evaluate<string>('document.activeElement.className')).toBe('list');
    expect(
      await rows(again)
        .filter({ hasText: /number 1$/ })
        .getAttribute('aria-posinset'),
    ).toBe('4');

    // The visible rows stay in place while rows before and after are added and removed.
    for (let turn = 0; turn < 12; turn++) await again.mouse.wheel(0, 400);
    await again.keyboard.press('End');
    await inView(again, 'number 1000');
    await again.mouse.move(200, 300);
    const seen = new Set<string>();
    while (!seen.has('number 800')) {
      await again.mouse.wheel(0, -300);
      for (const text of await rows(again).locator('.bubble').allTextContents()) seen.add(text);
    }
    const numbers = [...seen].flatMap((text) => Number(/^number (\d+)/.exec(text)?.[1] ?? []));
    expect(numbers.filter((number) => number >= 800).sort((one, other) => one - other)).toEqual(
      Array.from({ length: 201 }, (_, index) => 800 + index),
    );
    expect(await rows(again).count()).toBeLessThan(120);

    // Returning from an article goes to its link, even if that row has to be drawn first.
    const source = again.getByRole('button', { name: 'Costs' });
    for (let turn = 0; (await source.count()) === 0; turn++) {
      await again.mouse.wheel(0, -1000);
      if (turn > 200) throw new Error('the row with its article was never drawn');
    }
    await source.click();
    await again.getByText('This article is no longer available.').waitFor();
    await again.getByRole('button', { name: 'Back' }).click();
    await inView(again, 'number 700');
    expect(await again.locator(':focus').textContent()).toBe('Costs');
    await reply(id, 'number 1001');
    await again.getByRole('button', { name: 'Jump to latest message' }).click();
    await inView(again, 'number 1001');
  });
});

describe('three tabs of one visitor', () => {
  it('agree on the chat, on unread messages and on the draft, and are one browser to the server', async () => {
    const context = await newContext();
    const tabs = await Promise.all([openWidget(context), openWidget(context), openWidget(context)]);
    const countDevices = async (): Promise<number> =>
      (await app.app.database.pool.query('select count(*)::int as n from visitor_devices')).rows[0].n;
    // Three open tabs have no record yet: the first message creates one browser for them.
    const before = await countDevices();
    const { page, id } = await openTalk(context);
    const [first, second, third] = tabs;
    if (!first || !second || !third) throw new Error('no tabs');
    expect(await countDevices()).toBe(before + 1);
    await second.getByText('Ada joined the chat').click();
    await write(second, 'from the second');
    await said(page, 'from the second').waitFor();
    await third.getByRole('button', { name: /from the second/ }).waitFor();

    await field(page).fill('half a thou');
    await page.bringToFront();
    await expect.poll(() => field(second).inputValue()).toBe('half a thou');

    await first.bringToFront();
    await page.close();
    await second.close();
    await reply(id, 'Are you there?');
    await third.getByText('1 unread').waitFor({ state: 'attached' });
    await first.getByRole('button', { name: /Are you there/ }).click();
    await first.bringToFront();
    await third.getByText('1 unread').waitFor({ state: 'detached' });
  });
});

describe('blocked storage', () => {
  it('chats from memory, and warns that a message would be lost with the page', async () => {
    const context = await newContext();
    await context.addInitScript(
      `for (const name of ['localStorage', 'indexedDB'])
         Object.defineProperty(window, name, { get() { throw new Error('blocked'); } })`,
    );
    const { page, id } = await openTalk(context);
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(`${error}`));
    line.cut();
    await write(page, 'only here');
    await page.getByText('Keep this page open until it’s sent').waitFor();
    line.mend();
    await until(async () => (await textsOf(id)).includes('only here'));
    await page.locator('input[type=file]').setInputFiles([file('from-memory.txt')]);
    await page.getByText('Ready to send').waitFor();
    await field(page).press('Enter');
    await page.getByRole('link', { name: 'Download from-memory.txt' }).waitFor();
    expect(faults).toEqual([]);
  });
});

describe('files', () => {
  const picture = () =>
    sharp({ create: { width: 300, height: 200, channels: 3, background: '#286' } })
      .png()
      .toBuffer();

  it('are chosen, pasted and dropped, arrive as images and downloads, and come from the team', async () => {
    const { page, id } = await openTalk();
    const png = await picture();
    await page.locator('input[type=file]').setInputFiles([
      { name: 'lamp.png', mimeType: 'image/png', buffer: png },
      { name: 'virus.exe', mimeType: 'image/png', buffer: png },
    ]);
    await page.getByText('Ready to send').waitFor();
    await page.getByText('This file type isn’t supported.').waitFor();
    const give = (event: 'paste' | 'drop', name: string) =>
      page.evaluate(`(() => {
        const data = new DataTransfer();
        data.items.add(new File(['words'], '${name}', { type: 'text/plain' }));
        const event = '${event}' === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
        document.querySelector('textarea').dispatchEvent(event);
      })()`);
    await give('paste', 'pasted.txt');
    await give('drop', 'dropped.txt');
    await expect.poll(() => page.getByText('Ready to send').count()).toBe(3);
    await page.getByRole('button', { name: 'Remove pasted.txt' }).click();
    await write(page, 'It looks like this');
    const seen = page.getByRole('link', { name: 'Open lamp.png' }).locator('img');
    await seen.waitFor();
    await expect
      .poll(() => page.evaluate(`document.querySelector('.file-image img').naturalWidth`))
      .toBe(300);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download dropped.txt' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('dropped.txt');
    await agent.subscribe(id);
    const { message } = await agent.next('message', (frame) => frame.message.text === 'It looks like this');
    expect(message.attachments.map(({ name }) => name)).toEqual(['lamp.png', 'dropped.txt']);
  });

  it('that do not get through block no text, and are retried', async () => {
    const { page, id } = await openTalk();
    await page.route('**/widget/uploads/**', (route) => route.abort());
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: 'slow.txt', mimeType: 'text/plain', buffer: Buffer.from('slow') }]);
    await page.getByText('slow.txt').waitFor();
    await write(page, 'words go first');
    await until(async () => (await textsOf(id)).includes('words go first'));
    await page.unroute('**/widget/uploads/**');
    // It was sent before its upload was done: it follows automatically.
    await page.getByRole('link', { name: 'Download slow.txt' }).waitFor();
    expect(await textsOf(id)).toEqual([expect.stringMatching(/^hello/), 'words go first', '']);
  });

  it('that are unsent outlive their tab, are sent when the visitor returns, and are deleted at sign-out', async () => {
    const { page, context, id } = await openTalk();
    const kept = (where: Page) =>
      where.evaluate<string[]>(`new Promise((resolve) => {
        const open = indexedDB.open('foyer.${site.publicKey}.files', 1);
        // The widget makes it with its first file; made here, it would have no store.
        open.onupgradeneeded = () => open.transaction.abort();
        open.onerror = () => resolve([]);
        open.onsuccess = () => {
          const all = open.result.transaction('files').objectStore('files').getAll();
          all.onsuccess = () => { open.result.close(); resolve(all.result.map(({ blob }) => blob.name)); };
        };
      })`);
    const choose = (where: Page, name: string) =>
      where.locator('input[type=file]').setInputFiles([file(name)]);
    await context.route('**/widget/uploads/**', (route) => route.abort());
    await choose(page, 'goes.txt');
    await page.getByText('goes.txt').waitFor();
    await field(page).press('Enter');
    await choose(page, 'stays.txt');
    await expect.poll(() => kept(page)).toHaveLength(2);
    await page.close();
    await context.unroute('**/widget/uploads/**');

    const back = await openWidget(context);
    await agent.subscribe(id);
    const { message } = await agent.next(
      'message',
      (frame) => frame.session_id === id && frame.message.attachments.length > 0,
    );
    expect(message.attachments.map(({ name }) => name)).toEqual(['goes.txt']);
    await back.getByRole('button', { name: /goes\.txt/ }).click();
    await back.getByText('stays.txt').waitFor();
    await back.getByText('Ready to send').waitFor();
    await expect.poll(() => kept(back)).toEqual(['stays.txt']);

    // Another tab signs the visitor out.
    const other = await openWidget(context);
    await other.evaluate(`localStorage.removeItem('foyer.${site.publicKey}.token')`);
    const databases = () => back.evaluate('indexedDB.databases().then((all) => all.map(({ name }) => name))');
    await expect.poll(databases).toEqual([]);
  });
});

describe('emoji', () => {
  it('are chosen by keyboard alone, in the text field', async () => {
    const { page } = await openTalk();
    await field(page).fill('ab');
    await field(page).press('ArrowLeft');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '😀' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(() => field(page).inputValue()).toBe('a😃b');
    await page.keyboard.type('!');
    expect(await field(page).inputValue()).toBe('a😃!b');
  });
});
