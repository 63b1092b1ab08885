import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { violationsIn } from '../axe.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { openFaces } from '../faces.ts';
import { freePort } from '../foyer-process.ts';

// A customer reads and answers by the portal link, in a browser without scripts.

let browser: TestBrowser;
let app: TestApp;
let url: string;
let site: TestSite;
let cookie: string;
beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [browser, app] = await Promise.all([
    openBrowser(),
    startTestApp({ PORT: String(port), FOYER_BASE_URL: url }),
  ]);
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const rest = async (method: string, path: string, body?: object): Promise<Json> => {
  const answer = await app.rest(site.write, method, path, body);
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
};
const desk = async (operation: string, input: object): Promise<Json> =>
  (await app.desk(cookie, operation, input)).body.data;
const makeTicket = (parts: object = {}): Promise<{ id: number }> =>
  rest('POST', '/v1/tickets', {
    subject: 'The third lampshade arrived cracked',
    body: 'The parcel came this morning.\n\nOne of the shades has a crack.',
    requester: { key: 'user_priya', name: 'Priya Nair', email: 'priya@visitor.example' },
    ...parts,
  });
const openPage = async (): Promise<Page> => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  return context.newPage();
};

it('a customer reads, answers with text and a file, and sees both; no note; and a revoked link says so', async () => {
  const ticket = await makeTicket({ tags: ['fragile'] });
  await desk('ticket_replies.create', {
    ticket_id: ticket.id,
    type: 'public',
    status: 'pending',
    body: 'Could you send us a photo?',
    attachments: [{ name: 'return-label.txt', content: Buffer.from('Lantern & Loom').toString('base64') }],
  });
  await desk('ticket_replies.create', { ticket_id: ticket.id, type: 'note', body: 'The third this month.' });
  const link = await rest('POST', '/v1/portal_token', { ticket_id: ticket.id });
  const page = await openPage();
  await page.goto(link.url);

  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
    'The third lampshade arrived cracked',
  );
  await page.getByText('Waiting for your reply').waitFor();
  await page
    .getByRole('article')
    .filter({ hasText: 'Could you send us a photo?' })
    .getByText('Ada')
    .waitFor();
  for (const hidden of ['The third this month', 'fragile', 'note'])
    expect(await page.locator('body').textContent()).not.toContain(hidden);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /return-label/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('return-label.txt');

  await page.getByLabel('Your reply').fill('Here it is.');
  await page.getByLabel('Attach files').setInputFiles({
    name: 'crack.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.alloc(300_000),
  });
  await page.getByRole('button', { name: 'Send reply' }).click();
  await page.getByText('Your reply has been sent.').waitFor();
  const own = page.getByRole('article').filter({ hasText: 'Here it is.' });
  await own.getByText('You', { exact: true }).waitFor();
  await own.getByRole('link', { name: 'crack.jpg 293 kB' }).waitFor();
  await page.getByText('We’re working on it').waitFor();
  // A reload sends nothing again.
  await page.reload();
  expect(await page.getByRole('article').filter({ hasText: 'Here it is.' }).count()).toBe(1);
  const { replies, status } = await rest('GET', `/v1/tickets?id=${ticket.id}`);
  expect(status).toBe('open');
  expect(replies.at(-1)).toMatchObject({
    body: 'Here it is.',
    author: { type: 'requester' },
    attachments: [{ name: 'crack.jpg', content_type: 'image/jpeg', size: 300_000 }],
  });

  await rest('DELETE', `/v1/portal_token?id=${link.id}`);
  await page.reload();
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  expect(await page.locator('body').textContent()).not.toContain('lampshade');
});

it('a customer reads the time by their own clock, and without a script by that of the site', async () => {
  await desk('site.update', { time_zone: 'Asia/Kolkata' });
  const ticket = await makeTicket();
  await desk('ticket_replies.create', { ticket_id: ticket.id, type: 'public', body: 'Ask **Mia**.' });
  const link = await rest('POST', '/v1/portal_token', { ticket_id: ticket.id });
  const shownAt = async (javaScriptEnabled: boolean): Promise<{ at: Date; shown: string | null }> => {
    const context = await browser.newContext({ javaScriptEnabled, timezoneId: 'America/New_York' });
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => void refused.push(message.text()));
    await page.goto(link.url);
    const time = page.locator('time').first();
    const found = {
      at: new Date((await time.getAttribute('datetime')) ?? ''),
      shown: await time.textContent(),
    };
    await context.close();
    expect(refused).toEqual([]);
    return found;
  };
  const clockIn = (at: Date, timeZone: string): string =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone }).format(at);
  const own = await shownAt(true);
  expect(own.shown).toBe(clockIn(own.at, 'America/New_York'));
  const still = await shownAt(false);
  expect(still.shown).toBe(`${clockIn(still.at, 'Asia/Kolkata')} GMT+5:30`);
  await desk('site.update', { time_zone: 'UTC' });
});

it('the text is kept in the form if there are too many files', async () => {
  const link = await rest('POST', '/v1/portal_token', { ticket_id: (await makeTicket()).id });
  const page = await openPage();
  await page.goto(link.url);
  await page.getByLabel('Your reply').fill('\n  A list:\n  - one <b>');
  const files = Array.from({ length: 11 }, (_, at) => ({
    name: `${at}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from('x'),
  }));
  await page.getByLabel('Attach files').setInputFiles(files);
  await page.getByRole('button', { name: 'Send reply' }).click();
  await page.getByRole('alert').getByText('You chose 11 files').waitFor();
  expect(await page.getByLabel('Your reply').inputValue()).toBe('A list:\n  - one <b>');
});

it('an answer to a closed request begins another, and the page links to it', async () => {
  const { id } = await makeTicket();
  await sql`update tickets set status = 'closed', solved_at = now() where id = ${id}`.execute(
    app.app.database.db,
  );
  const link = await rest('POST', '/v1/portal_token', { ticket_id: id });
  const page = await openPage();
  await page.goto(link.url);
  await page.getByText('start a new request').waitFor();
  await page.getByLabel('Your message').fill('It broke again.');
  await page.getByRole('button', { name: 'Send as a new request' }).click();
  await page.getByText(`Request ${id} is closed, so your reply started this new request.`).waitFor();
  await page.getByRole('article').filter({ hasText: 'It broke again.' }).waitFor();
  expect(page.url()).not.toContain(link.token);
});

const RICH = `Hello **Priya**, it took us a while:

1. Pack *both* shades
2. [Print the label](https://shop.example/label)
   - on paper

> One of the shades has a crack.

| Part | Price |
|---|---|
| Shade | 12 € |

\`\`\`
LL-2041-${'7'.repeat(120)}
\`\`\`

Quote \`LL-2041\`.`;

it('every state of the portal passes axe without browser errors', {
  timeout: 120_000,
}, async () => {
  const { page, look, found, allow } = await openFaces(browser, { url });
  const ticket = await makeTicket({
    subject: `Die dritte Lampe kam zerbrochen an – ${'und noch eine lange Geschichte '.repeat(4)}`,
    body: 'وصلت الطرد هذا الصباح.\n\nhttps://shop.example/orders/1042 '.repeat(3),
  });
  const link = await rest('POST', '/v1/portal_token', { ticket_id: ticket.id });
  await page.goto(link.url);
  await look('portal-new');
  await desk('ticket_replies.create', {
    ticket_id: ticket.id,
    type: 'public',
    status: 'pending',
    body: `${RICH}\n\n${'One sentence after the other. '.repeat(20)}`,
    attachments: [{ name: `${'a-long-name-'.repeat(12)}.pdf`, content: 'eA==' }],
  });
  await page.goto(link.url);
  await look('portal-pending');
  await page.getByLabel('Your reply').fill('Thank you');
  await page.getByRole('button', { name: 'Send reply' }).click();
  await page.getByText('Your reply has been sent.').waitFor();
  await look('portal-sent');
  allow(/status of 400/);
  await page.getByLabel('Your reply').fill('   ');
  await page.getByRole('button', { name: 'Send reply' }).click();
  await page.getByRole('alert').waitFor();
  await look('portal-problem');
  await rest('PATCH', `/v1/tickets?id=${ticket.id}`, { status: 'solved' });
  await page.goto(link.url);
  await look('portal-solved');
  await sql`update tickets set status = 'closed' where id = ${ticket.id}`.execute(app.app.database.db);
  await page.goto(link.url);
  await look('portal-closed');
  allow(/status of 410/);
  await rest('DELETE', `/v1/portal_token?id=${link.id}`);
  await page.getByLabel('Your message').fill('Written while it ended');
  await page.getByRole('button', { name: 'Send as a new request' }).click();
  await page.getByLabel('Copy your message').waitFor();
  await look('portal-ended');
  allow(/status of 404/);
  await page.goto(`${url}/portal/${'A'.repeat(43)}`);
  await look('portal-nothing');
  expect(found).toEqual([]);
});

it('fits a tablet and double text size without horizontal scrolling', async () => {
  const link = await rest('POST', '/v1/portal_token', { ticket_id: (await makeTicket()).id });
  const context = await browser.newContext();
  const page = await context.newPage();
  for (const width of [1440, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(link.url);
    expect(
      await page.evaluate<number>('document.documentElement.scrollWidth'),
      String(width),
    ).toBeLessThanOrEqual(width);
  }
  expect((await violationsIn(page)).map(({ id }) => id)).toEqual([]);
  // By keyboard alone: the text, the files, the button.
  await page.getByLabel('Your reply').focus();
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Your reply has been sent.').waitFor();
});
