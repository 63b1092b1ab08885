import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { keepDesks } from '../desk-tabs.ts';
import { makeRecord } from '../examples.ts';
import { freePort } from '../foyer-process.ts';

// What an agent does fifty times a day, in a real browser, by keyboard alone.

let browser: TestBrowser;
let app: TestApp;
/** Most tests use this site; those about everything on a site create their own. */
let shop: TestSite;
let shopCookie: string;
let site: TestSite;
let url: string;
let cookie: string;
const desks = keepDesks(() => ({ browser, app, url }), { locale: 'en-GB' });

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [browser, app] = await Promise.all([openBrowser(), startTestApp({ PORT: String(port) })]);
  await newSite();
  [shop, shopCookie] = [site, cookie];
});
beforeEach(() => {
  [site, cookie] = [shop, shopCookie];
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const openDesk = (path: string): Promise<Page> => desks.open(site.admin.email, path);

async function openFresh(path: string): Promise<Page> {
  const page = await desks.fresh(site.admin.email);
  await page.goto(`${url}/app/${path}`);
  return page;
}

async function newSite(): Promise<void> {
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
}

const desk = async (operation: string, input: object) => (await app.desk(cookie, operation, input)).body.data;
const ticketOf = (requester: object, subject = 'A cracked shade') =>
  desk('tickets.create', { subject, body: 'It arrived broken.', requester });

it('g and a letter open a page; g and any other letter do nothing', async () => {
  const { id } = await ticketOf({ email: 'mira@example.com' });
  const page = await openDesk(`inbox/tickets/${id}`);
  await page.getByRole('button', { name: 'Solve' }).waitFor();
  // Alone, e would solve the ticket. Typed in one call: the second key counts only soon after the first.
  await page.keyboard.type('ge');
  for (const [key, place] of Object.entries({
    v: 'visitors',
    k: 'knowledge',
    r: 'reports',
    s: 'settings',
    i: 'inbox',
  })) {
    await page.keyboard.type(`g${key}`);
    await page.waitForURL(new RegExp(`/app/${place}\\b`));
  }
  expect((await desk('tickets.list', { id })).status).toBe('new');
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await sheet.getByText('Suggest reply').waitFor();
  const box = await sheet.boundingBox();
  expect(box && box.y >= 0 && box.y + box.height <= 900, 'the sheet fits').toBe(true);
  const scrolls = await page.evaluate(
    `[...document.querySelectorAll('[role=dialog] .scroll-y')].some((one) => one.scrollHeight > one.clientHeight + 1)`,
  );
  expect(scrolls, 'and nothing of it has to be scrolled to').toBe(false);
  await page.keyboard.press('Escape');
});

it('a new ticket finds the customer by the beginning of the address, and Ctrl Enter creates it', async () => {
  await ticketOf({ email: 'lindqvist@example.com', name: 'Mira Lindqvist' });
  await ticketOf({ email: 'jonas@example.com', name: 'Jonas' });
  const page = await openDesk('inbox?queue=open');
  await page.getByRole('link', { name: /Mira Lindqvist/ }).waitFor();
  await page.keyboard.press('c');
  const email = page.getByRole('combobox', { name: 'Customer email' });
  await email.and(page.locator(':focus')).waitFor();
  await page.keyboard.type('lindqvist@');
  const found = page.getByRole('listbox', { name: 'Known customers' });
  await found.getByRole('option', { name: /Mira Lindqvist/ }).waitFor();
  expect(await found.getByRole('option').count()).toBe(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => email.inputValue()).toBe('lindqvist@example.com');
  expect(await page.getByRole('textbox', { name: 'Customer name' }).inputValue()).toBe('Mira Lindqvist');
  const subject = page.getByRole('dialog').getByRole('textbox', { name: 'Subject' });
  await subject.and(page.locator(':focus')).waitFor();
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.fill('Asked on the phone.');
  await message.press('Control+Enter');
  expect(await page.getByRole('dialog').count(), 'the subject is missing').toBe(1);
  await subject.fill('A phone call');
  await message.press('Control+Enter');
  await page.waitForURL('**/inbox/tickets/*');
  const items = await desk('tickets.list', { limit: 10 });
  const made = items.find((one: { subject: string }) => one.subject === 'A phone call');
  const before = items.find(
    (one: { requester: { name: string } }) => one.requester.name === 'Mira Lindqvist',
  );
  expect(made.requester.key).toBe(before.requester.key);
});

it('a subject is shown in full in the header, can be changed there, and Undo restores it', async () => {
  const long = `${'My lamp arrived with a cracked shade and no bulb. '.repeat(3)}What now?`;
  const { id } = await ticketOf({ email: 'mira@example.com' }, long);
  const page = await openDesk(`inbox/tickets/${id}`);
  const subject = page.getByRole('textbox', { name: 'Subject' });
  await subject.waitFor();
  const isWhole = `(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight + 1)(document.querySelector('textarea[aria-label=Subject]'))`;
  // Its neighbours load later and may make it narrower for a moment.
  await expect.poll(() => page.evaluate(isWhole)).toBe(true);
  await subject.fill('Not this');
  await subject.press('Escape');
  expect(await subject.inputValue()).toBe(long);
  await subject.fill('A cracked shade');
  await subject.press('Enter');
  await page.getByText('Subject updated').waitFor();
  expect((await desk('tickets.list', { id })).subject).toBe('A cracked shade');
  await page.keyboard.press('u');
  await expect.poll(async () => (await desk('tickets.list', { id })).subject).toBe(long);
  await expect.poll(() => subject.inputValue()).toBe(long);
});

it('a pending ticket is pending again once its snooze is undone', async () => {
  const { id } = await ticketOf({ email: 'mira@example.com' });
  await desk('tickets.update', { id, status: 'pending' });
  const page = await openDesk(`inbox/tickets/${id}`);
  await page.getByRole('button', { name: 'Snooze', exact: true }).click();
  await page.getByLabel('Snooze until').fill('in 3 hours');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Unsnooze' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Unsnooze' }).waitFor({ state: 'detached' });
  await expect.poll(async () => (await desk('tickets.list', { id })).status).toBe('pending');
  expect((await desk('tickets.list', { id })).snoozed_until_utc).toBe(null);
});

it('a search marks no queue as shown, and clearing it returns to the queue', async () => {
  await ticketOf({ email: 'tove@example.com', name: 'Tove' });
  const page = await openDesk('inbox?queue=open');
  const shown = page.getByRole('navigation', { name: 'Queues' }).locator('[aria-current]');
  await expect.poll(() => shown.allInnerTexts()).toEqual([expect.stringContaining('All open')]);
  await page.getByRole('link', { name: /Tove/ }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('cracked');
  await page.getByRole('heading', { name: 'Search' }).waitFor();
  expect(await shown.count()).toBe(0);
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect.poll(() => shown.allInnerTexts()).toEqual([expect.stringContaining('All open')]);
});

it('an @ shows a notice if there is nobody to mention', async () => {
  const chat = await makeRecord.session(app, site);
  const page = await openDesk(`inbox/${chat}`);
  await page.getByRole('tab', { name: 'Note' }).click();
  await page.getByRole('textbox', { name: 'Note', exact: true }).pressSequentially('Ask @');
  await page.getByText('You’re the only one on your team so far.').waitFor();
  await page.keyboard.press('Space');
  await page.getByText('You’re the only one on your team so far.').waitFor({ state: 'detached' });
});

it('a bulk change says how many records have nothing to undo', async () => {
  await newSite();
  const tickets = [await ticketOf({ email: 'a@example.com' }), await ticketOf({ email: 'b@example.com' })];
  await desk('tickets.update', { id: tickets[0].id, priority: 'urgent' });
  const page = await openFresh('inbox?queue=open');
  await page.getByRole('list', { name: 'Chats and tickets' }).getByRole('link').nth(1).waitFor();
  // Before anything is selected: the keys after Ctrl A are its commands.
  await expect
    .poll(() => page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name).join()"))
    .toMatch(/\/desk-[^,]*\.js/);
  await page.keyboard.press('Control+a');
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.getByText('Priority', { exact: true }).waitFor();
  await page.keyboard.press('p');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await page.keyboard.type('urg');
  await page.getByRole('option', { name: 'Urgent' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('2 tickets set to Urgent').waitFor();
  await page.getByText('1 of them has nothing to undo.').waitFor();
  const toast = await page.getByText('2 tickets set to Urgent').boundingBox();
  const list = await page.getByRole('region', { name: 'Inbox' }).boundingBox();
  expect(toast && list && toast.x >= list.x + list.width, 'it lies beside the list').toBe(true);
  await page.keyboard.press('u');
  const undone = page.getByText('1 change undone');
  await undone.waitFor();
  // A reloaded desk fetches the latest bulk change, and doesn't report this one again.
  const latest = page.waitForResponse((response) => response.url().endsWith('/bulk_changes.latest'));
  await page.reload();
  expect((await (await latest).json()).data.latest.finished_utc).not.toBeNull();
  await page.keyboard.press('c');
  await page.getByRole('dialog').waitFor();
  expect(await undone.count()).toBe(0);
});

it('a bulk change of another page is reported even if the desk’s phrases for it load late', async () => {
  await newSite();
  const { id } = await ticketOf({ email: 'mira@example.com' });
  await desk('bulk_changes.start', {
    of: { tickets: [id], sessions: [] },
    change: { action: 'set_priority', priority: 'urgent' },
  });
  await expect
    .poll(async () => (await desk('bulk_changes.latest', {})).latest?.finished_utc ?? null)
    .not.toBeNull();
  const page = await openFresh('settings/account');
  await page.getByRole('heading', { name: 'Account' }).waitFor();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  const told = page.waitForResponse('**/api/bulk_changes.latest');
  const late = Promise.withResolvers<void>();
  let held = 0;
  await page.route('**/assets/*en-*.js', async (route) => {
    const response = await route.fetch();
    if ((await response.text()).includes('All {number} selected')) {
      held += 1;
      await late.promise;
    }
    await route.fulfill({ response });
  });
  // Holding back the phrases may delay the page's load event too.
  await page.goto(`${url}/app/inbox?queue=open`, { waitUntil: 'commit' });
  await (await told).finished();
  await page.getByRole('link', { name: /Mira|mira/ }).waitFor();
  expect(held).toBe(1);
  late.resolve();
  await page.getByText('1 conversation updated').waitFor();
  expect(errors).toEqual([]);
});

it('office hours use the desk’s time format, and invalid times are not saved', async () => {
  const page = await openDesk('settings/hours');
  await page.getByRole('switch', { name: 'Use office hours' }).click();
  const from = page.getByRole('textbox', { name: 'Monday, from' });
  expect(await from.inputValue()).toBe('9:00');
  await from.fill('soon');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await page.getByText('Enter a time, such as 9:00.').waitFor();
  expect((await desk('me.get', {})).site.office_hours).toBeNull();
  await from.fill('8am');
  await save.click();
  await expect
    .poll(async () => (await desk('me.get', {})).site.office_hours?.weekly.monday[0].from)
    .toBe('08:00');
  expect(await from.inputValue()).toBe('8:00');
});

it('a long ticket opens at its newest reply, and scrolls to a reply that is sent from further up', async () => {
  const { id } = await ticketOf({ email: 'mira@example.com' });
  const long = Array.from({ length: 12 }, (_, line) => `Line ${line + 1}`).join('\n\n');
  for (const text of [long, long, 'The newest reply'])
    await desk('tickets.reply', { ticket_id: id, client_id: randomUUID(), type: 'public', text });
  const page = await openDesk(`inbox/tickets/${id}`);
  const log = page.getByRole('log');
  await expectInView(log.getByText('The newest reply'));
  await page.getByRole('textbox', { name: 'Reply', exact: true }).fill('It ships today');
  await log.getByText('It arrived broken.').scrollIntoViewIfNeeded();
  await expectNotInView(log.getByText('The newest reply'));
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expectInView(log.getByText('It ships today'));
});

it('a ticket is merged by keyboard into one of the same customer, even a snoozed one', async () => {
  const { id } = await ticketOf({ email: 'petra@example.com' }, 'The first shade');
  const snoozed = await ticketOf({ email: 'petra@example.com' }, 'The second shade');
  await desk('ticket_snoozes.set', { ticket_id: snoozed.id, minutes: 60 });
  expect((await desk('tickets.list', { id: snoozed.id })).snoozed_until_utc).not.toBeNull();
  const elsewhere = await ticketOf({ email: 'emil@example.com' }, 'Another customer');
  const page = await openDesk(`inbox/tickets/${id}?queue=open`);
  await page.getByRole('button', { name: 'Solve' }).waitFor();
  // A ticket that is created while the desk already has the customer's other ones.
  await page.getByRole('link', { name: /Another customer/ }).click();
  await page.getByRole('log').getByText('It arrived broken.').waitFor();
  await ticketOf({ email: 'petra@example.com' }, 'The third shade');
  await page.getByRole('link', { name: /The first shade/ }).click();
  await page
    .getByRole('heading', { name: 'The first shade' })
    .or(page.getByText('The first shade'))
    .first()
    .waitFor();
  await page.keyboard.press('Shift+M');
  await page.getByRole('option', { name: /The third shade/ }).waitFor();
  await page.keyboard.type(`${snoozed.id}`);
  await page.getByRole('option', { name: `#${snoozed.id} The second shade` }).waitFor();
  expect(await page.getByRole('option', { name: `#${elsewhere.id}` }).count()).toBe(0);
  await page.keyboard.press('Enter');
  // The button is busy until the desk knows whose ticket that is.
  await page.locator('button:focus:not([aria-busy="true"])', { hasText: 'Merge' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/tickets/${snoozed.id}\\b`));
  expect((await desk('tickets.list', { id })).status).toBe('closed');
});

it('a dialog focuses its first field: a visitor is erased by typing the name', async () => {
  await newSite();
  await ticketOf({ email: 'mira@example.com', name: 'Mira Lindqvist' });
  const page = await openFresh('visitors');
  await page.getByRole('link', { name: /Mira Lindqvist/ }).click();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Erase visitor' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase Mira Lindqvist?' });
  await dialog.getByRole('textbox').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Mira Lindqvist');
  await page.keyboard.press('Enter');
  await page.getByText('No visitors yet').waitFor();
  expect((await desk('tickets.list', {}))[0].requester).toMatchObject({ name: null, email: null });
});

const isInView = (place: Locator): Promise<boolean> =>
  place.evaluate(
    new Function(
      'element',
      `return new Promise((done) => new IntersectionObserver(([entry], observer) => {
        observer.disconnect();
        done(entry.isIntersecting);
      }).observe(element))`,
    ) as (element: unknown) => Promise<boolean>,
  );
const expectInView = async (place: Locator) => {
  await place.waitFor();
  await expect.poll(() => isInView(place)).toBe(true);
};
const expectNotInView = (place: Locator) => expect.poll(() => isInView(place)).toBe(false);

it('a selected card number is redacted, immediately for a colleague too; the rest stays', async () => {
  const card = '4111 1111 1111 1111';
  const { id } = await desk('tickets.create', {
    subject: 'My card',
    body: `Please charge ${card} for the lamp.`,
    requester: { email: 'mira@example.com' },
  });
  const [page, other] = [await openDesk(`inbox/tickets/${id}`), await openFresh(`inbox/tickets/${id}`)];
  await other.getByText(card).first().waitFor();
  const message = page.getByRole('article').filter({ hasText: 'Please charge' });
  await message.waitFor();
  await message.hover();
  // Nothing is selected yet, so only the whole message can be redacted.
  await message.getByRole('button', { name: 'Redact' }).click();
  const question = page.getByRole('alertdialog', { name: 'Redact this?' });
  await question.getByText('select it first').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });

  await selectText(page, card);
  await message.hover();
  await message.getByRole('button', { name: 'Redact' }).click();
  await question.getByRole('radio', { name: card }).and(page.locator(':checked')).waitFor();
  await question.getByRole('button', { name: 'Redact' }).click();
  for (const one of [page, other]) {
    await one.getByText('Please charge [redacted] for the lamp.').first().waitFor();
    await expect.poll(() => one.getByText(card).count()).toBe(0);
  }
});

/** Selects a text on the page as a mouse does. */
const selectText = (page: Page, text: string): Promise<void> =>
  page.evaluate(`(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const at = texts.currentNode.data.indexOf(${JSON.stringify(text)});
      if (at < 0 || !texts.currentNode.parentElement.closest('article')) continue;
      getSelection().setBaseAndExtent(texts.currentNode, at, texts.currentNode, at + ${text.length});
      return;
    }
    throw new Error('the text isn’t on the page');
  })()`);
