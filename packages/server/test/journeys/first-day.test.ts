import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Shop, startShop } from '../../../sdk/test/shop.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { type Installation, makeInstallation } from '../foyer-process.ts';
import { until } from '../harness.ts';
import { type Mailbox, shown, startMailbox } from '../mailbox.ts';

// The first day with Foyer: an empty data folder, no settings, no mail server, and a colleague who joins.

const SCREENSHOTS = fileURLToPath(new URL('../../../../screenshots/first-day/', import.meta.url));
const PICTURED = process.env.SCREENSHOTS === 'true';
const PASSWORD = 'correct horse battery';

let browser: TestBrowser;
let foyer: Installation;
let mailbox: Mailbox;
let shop: Shop;
beforeAll(async () => {
  if (PICTURED) await mkdir(SCREENSHOTS, { recursive: true });
  [browser, mailbox, shop, foyer] = await Promise.all([
    openBrowser(),
    startMailbox(),
    startShop(),
    // The mailbox is on the loopback, which isn't otherwise allowed for a site's mail server.
    makeInstallation({ FOYER_WEBHOOK_ALLOW_PRIVATE: 'true' }),
  ]);
  await foyer.start();
});
afterAll(async () => {
  await browser.close();
  await Promise.all([foyer.remove(), mailbox.close(), shop.stop()]);
});

/** A page in a new browser. */
async function ownPage(): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  return context.newPage();
}

const SIZES = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const;

/** Takes a screenshot for people to look at, if SCREENSHOTS=true. */
async function shot(page: Page, name: string): Promise<void> {
  if (!PICTURED) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: join(SCREENSHOTS, `${name}-${colorScheme}-${width}.png`) });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** The link in the clipboard, once it has the expected target. */
async function copiedOn(page: Page, part: string): Promise<string> {
  let link = '';
  await until(async () => {
    link = await page.evaluate<string>('navigator.clipboard.readText()');
    return link.startsWith(foyer.url + part);
  });
  return link;
}

/**
 * From the sign-in page, which nobody can use yet, to the inbox of the first account.
 * @returns the snippet that was copied on the way
 */
async function setUp(page: Page): Promise<string> {
  const printed = () => /http:\S+\/app\/setup#[\w-]+/.exec(foyer.output())?.[0];
  // It is printed once the server is ready.
  await until(async () => printed() !== undefined);
  await page.goto(foyer.url);
  await page.getByRole('heading', { name: 'Foyer isn’t set up yet' }).waitFor();
  await page.getByText('npx foyer setup-link').waitFor();
  expect(await page.getByLabel('Password').count()).toBe(0);
  await shot(page, 'not-set-up');

  const { url } = await foyer.foyer<{ url: string }>('setup-link');
  await page.goto(printed() ?? '');
  await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
  // The address differs only after `#`, so that goto alone wouldn't load it.
  await page.goto('about:blank');
  await page.goto(url);
  await page.getByLabel('Your name').fill('Ada Winter');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByLabel('Site name').fill('Lantern & Loom');
  expect(await page.getByLabel('Public address').inputValue()).toBe(foyer.url);
  await page.getByText('Only this computer can open this address.').waitFor();
  expect(await page.getByLabel('Add sample articles').isChecked()).toBe(false);
  await shot(page, 'set-up');
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByText('This snippet works only on this computer').waitFor();
  await shot(page, 'set-up-done');
  await page.getByRole('button', { name: 'Copy' }).first().click();
  let snippet = '';
  await until(async () => {
    snippet = await page.evaluate<string>('navigator.clipboard.readText()');
    return snippet.includes('data-site');
  });
  await page.getByRole('button', { name: 'Go to inbox' }).click();
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  return snippet;
}

/** A visitor on the owner's own page asks for a person, and reads the agent's reply. */
async function chat(agent: Page, snippet: string): Promise<void> {
  shop.page.html = `<!doctype html><title>Lantern & Loom</title><p>Lamps${snippet}`;
  const visitor = await ownPage();
  await visitor.goto(shop.origin);
  await visitor.getByRole('button', { name: 'Open chat' }).click();
  const widget = visitor.frameLocator('iframe[title=Chat]');
  await widget.getByRole('button', { name: /Send us a message/ }).click();
  await widget.getByRole('textbox', { name: 'Message' }).fill('Can I talk to a person, please?');
  await visitor.keyboard.press('Enter');
  await widget.getByText('This chat was handed over to the team').first().waitFor();

  await agent.getByRole('list', { name: 'Chats and tickets' }).getByRole('link').first().click();
  await agent.getByRole('button', { name: 'Join chat' }).click();
  await agent.getByRole('textbox', { name: 'Reply', exact: true }).fill('Ben here. What is it about?');
  await agent.keyboard.press('Enter');
  await widget.getByText('Ben here. What is it about?').first().waitFor();
  await shot(agent, 'chat');
  await agent.keyboard.press('Escape');
  await agent.keyboard.press('e');
  await agent.getByText('Undo').first().waitFor();
}

async function inviteTo(page: Page, email: string): Promise<string> {
  await page.goto(`${foyer.url}/app/settings/agents`);
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a teammate' });
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  const made = page.getByRole('dialog', { name: 'Share this invitation link' });
  await made.getByRole('button', { name: 'Copy link' }).click();
  return copiedOn(page, '/app/invitation#');
}

async function makeTicket(page: Page, requester: { email: string; name: string }): Promise<void> {
  await page.getByRole('button', { name: 'New ticket' }).click();
  const dialog = page.getByRole('dialog', { name: 'New ticket' });
  await dialog.getByLabel('Customer email').fill(requester.email);
  await dialog.getByLabel('Customer name').fill(requester.name);
  await dialog.getByLabel('Subject').fill('The lamp is broken');
  await dialog.getByLabel('Message', { exact: true }).fill('It arrived with a crack.');
  await dialog
    .getByText(`Email isn’t set up. ${requester.name} can only read replies on the ticket page.`)
    .waitFor();
  await shot(page, 'new-ticket');
  await dialog.getByRole('button', { name: 'Create ticket' }).click();
  await page.getByRole('region', { name: /^Ticket #\d+$/ }).waitFor();
}

/** Replies to the open ticket. @returns the reply in the thread */
async function answer(page: Page, text: string) {
  await page.getByRole('textbox', { name: 'Reply' }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const reply = page.getByRole('log').getByRole('article').filter({ hasText: text });
  await reply.waitFor();
  return reply;
}

/** Sets the installation's public address. The open pages of the owner and the team stay usable. */
async function setAddress(owner: Page, colleague: Page): Promise<void> {
  await colleague.goto(`${foyer.url}/app/settings/install`);
  await colleague.getByText('set FOYER_BASE_URL to Foyer’s public address').waitFor();
  expect(await colleague.getByRole('button', { name: 'Set public address' }).count()).toBe(0);
  await owner.goto(`${foyer.url}/app/settings/install`);
  await owner.getByRole('button', { name: 'Set public address' }).click();
  await shot(owner, 'public-address');
  const dialog = owner.getByRole('dialog', { name: 'Public address' });
  await dialog.getByLabel('Address').fill('ftp://chat.shop.example');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByText('must be an address such as https://chat.example.com').waitFor();
  await shot(owner, 'public-address-refused');
  await dialog.getByLabel('Address').fill('https://chat.shop.example/');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await owner.getByText('Foyer’s public address: https://chat.shop.example').waitFor();
  await owner.getByText('src="https://chat.shop.example/assets/js/visitor-sdk.js"').waitFor();
  expect(await owner.getByText('This snippet works only on this computer').count()).toBe(0);
  await shot(owner, 'public-address-set');
  await owner.goto(`${foyer.url}/app/settings/agents`);
  await owner.getByRole('button', { name: 'Invite' }).click();
  const invitation = owner.getByRole('dialog', { name: 'Invite a teammate' });
  await invitation.getByLabel('Email').fill('cleo@example.com');
  const before = mailbox.received.length;
  await invitation.getByRole('button', { name: 'Invite', exact: true }).click();
  await until(async () => mailbox.received.length > before);
  expect(mailbox.received.map(shown).at(-1)).toContain('https://chat.shop.example/app/invitation#');
}

it('leads from an empty folder to a team of two whose customers get every reply, in the chat, by link and then by email', {
  timeout: 180_000,
}, async () => {
  const owner = await ownPage();
  const snippet = await setUp(owner);

  const invitation = await inviteTo(owner, 'ben@example.com');
  const colleague = await ownPage();
  await colleague.goto(invitation);
  await colleague.getByRole('heading', { name: 'Join Lantern & Loom' }).waitFor();
  await colleague.getByLabel('Your name').fill('Ben Summer');
  await colleague.getByLabel('Password').fill(PASSWORD);
  await colleague.getByRole('button', { name: 'Join team' }).click();
  await colleague.getByRole('heading', { name: 'Inbox' }).waitFor();
  // The page that was open all the time shows it automatically.
  await owner.keyboard.press('Escape');
  await owner.getByRole('list', { name: 'Agents' }).getByText('Ben Summer').waitFor();
  await owner.goto(`${foyer.url}/app/settings/plan`);
  await owner.getByText('Unlimited.').waitFor();
  await shot(owner, 'plan');

  await colleague.goto(`${foyer.url}/app/inbox`);
  await chat(colleague, snippet);

  await makeTicket(colleague, { email: 'priya@visitor.example', name: 'Priya' });
  const byLink = colleague.getByText('Email isn’t set up. Priya can only read replies on the ticket page.');
  await byLink.waitFor();
  await shot(colleague, 'before-reply');
  const unmailed = await answer(colleague, 'A new one is on its way.');
  await unmailed.getByText('Not emailed').waitFor();
  await shot(colleague, 'not-emailed');

  await colleague.getByRole('button', { name: 'Copy customer link' }).first().click();
  await colleague.getByText('Customer link copied').waitFor();
  await shot(colleague, 'link-copied');
  const customer = await ownPage();
  await customer.goto(await copiedOn(colleague, '/portal/'));
  await customer.getByRole('heading', { name: 'The lamp is broken' }).waitFor();
  await customer.getByText('A new one is on its way.').waitFor();

  const server = new URL(mailbox.url);
  await owner.goto(`${foyer.url}/app/settings/mail`);
  await owner.getByRole('textbox', { name: 'Host' }).fill(server.hostname);
  await owner.getByRole('textbox', { name: 'Port' }).fill(server.port);
  await owner.getByRole('textbox', { name: 'From address' }).fill('help@shop.example');
  await owner.getByRole('button', { name: 'Save', exact: true }).click();
  await owner.getByText('Saved. Send a test email to check it.').waitFor();

  // The ticket was open all the time in another browser.
  await colleague.getByText('Replies are emailed to priya@visitor.example.').waitFor();
  expect(await byLink.count()).toBe(0);
  await shot(colleague, 'emailed');
  const mailed = await answer(colleague, 'It leaves today.');
  await until(async () => mailbox.received.length > 0);
  expect(mailbox.received.map(({ to }) => to)).toEqual([['priya@visitor.example']]);
  expect(mailbox.received.map(shown).join()).toContain('It leaves today.');
  expect(await mailed.getByText('Not emailed').count()).toBe(0);
  expect(await unmailed.getByText('Not emailed').count()).toBe(1);

  mailbox.refuseWith({ code: 550, at: 'rcpt' });
  const refused = await answer(colleague, 'Did it arrive?');
  await refused.getByText('Email rejected').waitFor();
  await refused.getByText(/550/).waitFor();
  await shot(colleague, 'refused');
  mailbox.refuseWith(undefined);
  await refused.getByRole('button', { name: 'Try again' }).click();
  await until(async () => mailbox.received.length === 2);
  await expect.poll(() => refused.getByText('Email rejected').count()).toBe(0);
  expect(mailbox.received.map(shown).at(-1)).toContain('Did it arrive?');
  await colleague.getByText('created a customer link').first().waitFor();
  await setAddress(owner, colleague);
});
