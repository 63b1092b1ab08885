// Takes the pictures of docs/images: a real installation, a shop, its visitors and its team, in a real browser.
// Run: npm run build && node scripts/pictures.ts (by the Node in node_modules/.bin)
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { launchChromium } from '../packages/server/test/chromium.ts';
import { makeInstallation } from '../packages/server/test/foyer-process.ts';
import { TestSocket } from '../packages/server/test/sockets.ts';

const IMAGES = fileURLToPath(new URL('../docs/images/', import.meta.url));
const ARTICLES = fileURLToPath(new URL('../packages/server/src/cli/sample-articles.md', import.meta.url));
const VIEWPORT = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery';

interface Guest {
  user_id: string;
  name: string;
  email: string;
  [attribute: string]: string | number;
}

const LINA: Guest = {
  user_id: 'K-20418',
  name: 'Lina Petersen',
  email: 'lina@visitor.example',
  plan: 'friend of the house',
  orders: 4,
};

/** The other visitors of this evening and their questions. */
const OTHERS: { guest: Guest; questions: string[]; wantsPerson: boolean }[] = [
  {
    guest: { user_id: 'K-19003', name: 'Jonas Weber', email: 'jonas@visitor.example' },
    questions: ['How long is the warranty?'],
    wantsPerson: true,
  },
  {
    guest: { user_id: 'K-20377', name: 'Priya Nair', email: 'priya@visitor.example' },
    questions: ['My lamp arrived with a cracked shade. What can I do?'],
    wantsPerson: true,
  },
  {
    guest: { user_id: 'K-17555', name: 'Tom Achterberg', email: 'tom@visitor.example' },
    questions: ['Do you ship to Norway?'],
    wantsPerson: false,
  },
  {
    guest: { user_id: 'K-20420', name: 'Mira Lindqvist', email: 'mira@visitor.example' },
    questions: ['How many days do I have to return something?'],
    wantsPerson: false,
  },
];

type Foyer = Awaited<ReturnType<typeof makeInstallation>>;

/** @returns the site's public key. */
async function furnish(foyer: Foyer): Promise<string> {
  const made = await foyer.foyer<{ id: number; public_key: string }>(
    ...['site', 'create', '--name', 'Lantern & Loom', '--plan', 'growth'],
  );
  const site = ['--site', String(made.id)];
  const user = ['--email', EMAIL, '--name', 'Ada Winter', '--password', PASSWORD, '--role', 'admin'];
  await foyer.foyer('user', 'create', ...site, ...user);
  await foyer.foyer('kb', 'import', ...site, ARTICLES);
  return made.public_key;
}

async function ask(foyer: Foyer, key: string, { guest, questions, wantsPerson }: (typeof OTHERS)[number]) {
  const { user_id, ...attributes } = guest;
  await fetch(`${foyer.url}/widget/collect?site=${key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key: user_id, attributes }),
  });
  const { socket } = await TestSocket.visitor(foyer.url, key, { key: user_id });
  let session: string | null = null;
  const page_url = `${foyer.url}/demo`;
  for (const text of questions) {
    const input = { session_id: session, client_id: randomUUID(), text, page_url };
    const sent = (await socket.call('chat.send', input)) as {
      session: { session_id: string } | null;
      message: { seq: number };
    };
    session = sent.session?.session_id ?? session ?? '';
    await socket.subscribe(session);
    await socket.next('message', ({ message }) => message.sender === 'bot' && message.seq > sent.message.seq);
  }
  if (wantsPerson) await socket.call('chat.request_person', { session_id: session, client_id: randomUUID() });
  socket.cut();
}

async function openShop(browser: Browser, foyer: Foyer): Promise<{ page: Page; widget: FrameLocator }> {
  const context = await browser.newContext({ viewport: VIEWPORT, reducedMotion: 'reduce', locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${foyer.url}/demo`);
  await page.evaluate(`svc('identify', ${JSON.stringify(LINA)})`);
  await page.getByRole('button', { name: 'Add to basket' }).nth(2).click();
  await page.getByRole('button', { name: /chat/i }).click();
  return { page, widget: page.frameLocator('iframe[src*="/widget/"]') };
}

async function openDesk(browser: Browser, foyer: Foyer): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT, reducedMotion: 'reduce', locale: 'en-GB' });
  // The prompt for notifications only appears on the first visit.
  await context.grantPermissions(['notifications']);
  const page = await context.newPage();
  await page.goto(`${foyer.url}/app/`);
  await page.getByLabel('Email').fill(EMAIL);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  return page;
}

async function converse(widget: FrameLocator, desk: Page): Promise<void> {
  const chat = widget.getByRole('region', { name: 'Chat', exact: true });
  const say = async (text: string): Promise<void> => {
    await widget.getByRole('textbox', { name: 'Write a message…' }).fill(text);
    await widget.getByRole('button', { name: 'Send', exact: true }).click();
  };
  await widget.getByRole('button', { name: /Send us a message/ }).click();
  await say('Can I order fabric samples?');
  await chat.getByText('Made-to-measure curtains and fabric samples').waitFor();
  await widget.getByRole('button', { name: 'Talk to a person' }).click();
  await widget.getByText('Waiting for less than a minute').waitFor();

  const chats = desk.getByRole('list', { name: 'Chats and tickets' });
  await chats.getByRole('link', { name: /Lina Petersen/ }).click();
  await desk.getByRole('button', { name: 'Join chat' }).click();
  await chat.getByText('Ada Winter joined the chat').waitFor();
  await desk
    .getByRole('textbox', { name: 'Reply' })
    .fill('Hello Lina! I can pack them for you right away. Which window are the curtains for?');
  await desk.getByRole('button', { name: 'Send', exact: true }).click();
  await chat.getByText('Which window are the curtains for?').waitFor();
  await say('The bay window in the living room. Something light would be lovely.');
  await desk.getByRole('log').getByText('Something light would be lovely.').waitFor();
}

/** A ticket of a chat with a note, found in the palette, and the inbox on a phone. */
async function pictureAgentsWork(desk: Page, foyer: Foyer): Promise<void> {
  await desk.getByRole('link', { name: /Priya Nair/ }).click();
  await desk.getByRole('button', { name: 'Join chat' }).click();
  await desk.getByRole('textbox', { name: 'Reply' }).waitFor();
  await desk.getByRole('log').click();
  await desk.keyboard.press('i');
  await desk.getByRole('heading', { name: /cracked shade/ }).waitFor();
  await desk.keyboard.press('n');
  await desk
    .getByRole('textbox', { name: 'Note', exact: true })
    .fill('We have this shade in stock. I have asked the workshop to pack one today.');
  await desk.getByRole('button', { name: 'Add note' }).click();
  await desk.getByText('added a note').waitFor();
  await desk.getByText('Ticket #1 created').waitFor({ state: 'hidden' });
  await desk.screenshot({ path: `${IMAGES}ticket.png` });
  await desk.keyboard.press('Control+k');
  await desk.getByRole('dialog').getByRole('combobox').fill('snooze');
  await desk.getByRole('option').first().waitFor();
  await desk.screenshot({ path: `${IMAGES}palette.png` });
  await desk.keyboard.press('Escape');
  await desk.setViewportSize(PHONE);
  await desk.goto(`${foyer.url}/app/inbox?queue=open`);
  await desk.getByRole('link', { name: /Lina Petersen/ }).waitFor();
  await desk.screenshot({ path: `${IMAGES}desk-phone.png` });
  await desk.setViewportSize(VIEWPORT);
}

async function pictureSettings(desk: Page, foyer: Foyer): Promise<void> {
  await desk.goto(`${foyer.url}/app/settings/widget`);
  await desk.frameLocator('iframe').getByText('Send us a message').waitFor();
  await desk.screenshot({ path: `${IMAGES}settings-widget.png` });
}

async function pictureHelpCentre(page: Page, foyer: Foyer, key: string): Promise<void> {
  await page.goto(`${foyer.url}/help/${key}`);
  await page.screenshot({ path: `${IMAGES}help-centre.png` });
}

const foyer = await makeInstallation();
await mkdir(IMAGES, { recursive: true });
const browser = await launchChromium();
try {
  await foyer.start();
  const key = await furnish(foyer);
  for (const other of OTHERS) await ask(foyer, key, other);
  const desk = await openDesk(browser, foyer);
  const { page, widget } = await openShop(browser, foyer);
  await converse(widget, desk);
  await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({ path: `${IMAGES}widget.png` });
  await desk
    .getByRole('navigation', { name: 'Queues' })
    .getByRole('link', { name: /^All open/ })
    .click();
  await desk.getByRole('link', { name: /Lina Petersen/ }).click();
  await desk.getByRole('log').getByText('Something light would be lovely.').waitFor();
  await desk.getByRole('link', { name: /Tom Achterberg/ }).waitFor();
  await desk.getByRole('navigation', { name: 'Queues' }).getByRole('link', { name: 'Mine 1' }).waitFor();
  await desk.screenshot({ path: `${IMAGES}desk.png` });
  await pictureAgentsWork(desk, foyer);
  await pictureSettings(desk, foyer);
  await pictureHelpCentre(page, foyer, key);
} finally {
  await browser.close();
  await foyer.remove();
}
