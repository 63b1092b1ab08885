import { CLOSE_UNAUTHORIZED } from '@foyer/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importSampleKnowledge } from '../../src/knowledge/sample.ts';
import { makeAgent } from '../accounts.ts';
import { PASSWORD, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { codeOf } from '../authenticator.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { goWithin, keepDesks } from '../desk-tabs.ts';
import { makeRecord } from '../examples.ts';
import { openFaces } from '../faces.ts';
import { freePort } from '../foyer-process.ts';
import { until } from '../harness.ts';
import { TestSocket } from '../sockets.ts';

// What an owner finds under Settings, in a real browser.

let browser: TestBrowser;
let app: TestApp;
let site: TestSite;
let url: string;
const desks = keepDesks(() => ({ browser, app, url }));

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [browser, app] = await Promise.all([openBrowser(), startTestApp({ PORT: String(port) })]);
  site = await app.makeSite();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const newAgent = async ({ operator }: TestSite, email: string): Promise<number> =>
  (await makeAgent(operator, { email, name: 'Cleo', role: 'agent' })).id;

const code = (page: Page) => page.getByRole('textbox', { name: 'Code' });

/** The address in the QR code, by the key below it. */
async function uriOn(page: Page): Promise<string> {
  const key = await page.locator('pre').innerText();
  return `otpauth://totp/Foyer?secret=${key.replaceAll(' ', '')}`;
}

it('an agent sets up a second factor, and signs in by keyboard with it and with a backup code', {
  timeout: 120_000,
}, async () => {
  const email = 'cleo@example.com';
  await newAgent(site, email);
  const { page, look, found, allow } = await openFaces(browser, { cookie: await app.signIn(email), url });
  await page.goto(`${url}/app/settings/account`);
  await page.getByText('This device').waitFor();
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  await look('two-factor-set-up');
  const uri = await uriOn(page);
  allow(/401/);
  await code(page).fill('000000');
  await page.keyboard.press('Enter');
  await page.getByText('Two-factor authentication isn’t on yet.').waitFor();
  await code(page).fill(codeOf(uri, -1));
  await page.keyboard.press('Enter');
  await page.getByText('Two-factor authentication is on.').waitFor();
  await look('two-factor-codes');
  const [backup = ''] = (await page.locator('pre').innerText()).split('\n');
  await page.getByRole('button', { name: 'I’ve saved them' }).click();
  await page.getByRole('button', { name: 'New backup codes' }).waitFor();
  await look('two-factor-on');

  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  const enter = async (): Promise<void> => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
  };
  await enter();
  await look('sign-in-code');
  expect(await code(page).getAttribute('autocomplete')).toBe('one-time-code');
  await page.keyboard.type(codeOf(uri));
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Main' }).waitFor();

  await page.context().clearCookies();
  await page.goto(`${url}/app/sign-in`);
  await enter();
  await page.getByRole('button', { name: 'Use backup code' }).click();
  await page.getByLabel('Backup code').fill(backup);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  expect(found).toEqual([]);
});

it('an agent sees the settings that agents can change, an admin all of them', async () => {
  const email = 'own-settings@example.com';
  await newAgent(site, email);
  const groupsOf = async (who: string): Promise<string[]> => {
    const page = await desks.open(who, 'settings/account');
    const nav = page.getByRole('navigation', { name: 'Settings' });
    await nav.getByRole('heading', { name: 'You', exact: true }).waitFor();
    return nav.getByRole('heading').allInnerTexts();
  };
  expect(await groupsOf(email)).toEqual(['Productivity', 'You']);
  expect(await groupsOf(site.admin.email)).toEqual([
    'Your website',
    'General',
    'Developers',
    'Data',
    'Productivity',
    'You',
  ]);
});

it('an error of a form is shown below its field, which gets the focus, until it is corrected', async () => {
  // The previous address of this page.
  const { page, look } = await desks.faces(site.admin.email, 'settings/team');
  await page.waitForURL(`${url}/app/settings/agents`);
  await page.getByRole('button', { name: 'Invite' }).click();
  const email = page.getByRole('dialog').getByLabel('Email');
  await email.fill('nobody');
  await page.keyboard.press('Enter');
  const fault = page.getByText('Enter an email address, such as name@example.com.');
  await fault.waitFor();
  expect(await email.getAttribute('aria-invalid')).toBe('true');
  await email.and(page.locator(':focus')).waitFor();
  await look('invite-fault');
  await email.pressSequentially('@');
  await fault.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
});

it('compact rows of the inbox are a choice of this browser, on screens wider than a phone', async () => {
  await makeRecord.ticket(app, site);
  const page = await desks.fresh(site.admin.email);
  await page.goto(`${url}/app/settings/preferences`);
  await page.getByRole('group', { name: 'Inbox density' }).getByText('Compact').click();
  await page.goto(`${url}/app/inbox?queue=open`);
  const heights = async (): Promise<number[]> => {
    const row = page.getByRole('list', { name: 'Chats and tickets' }).getByRole('listitem').first();
    const box = await row.boundingBox();
    const link = await row.getByRole('link').boundingBox();
    return [box?.height ?? 0, link?.height ?? 0];
  };
  expect(await heights()).toEqual([57, 56]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(heights).toEqual([81, 80]);
});

it('an owner finds who changed what, by filters that are kept in the address', {
  timeout: 120_000,
}, async () => {
  const cookie = await app.signIn(site.admin.email);
  const asked = (operation: string, input: object) => app.desk(cookie, operation, input);
  await asked('site.update', { greeting: 'Good day', allowed_origins: ['https://shop.example'] });
  await asked('tags.create', { name: 'طلب استرداد' });
  const { page, look, found } = await desks.faces(site.admin.email, 'settings/audit');
  const log = page.getByRole('list', { name: 'Audit log' });
  await log.getByRole('listitem').filter({ hasText: 'Site: changed' }).getByText('2 changes').click();
  await log.getByText('https://shop.example').waitFor();
  await look('audit-log');
  await page.getByLabel('Type').selectOption('tag');
  await page.waitForURL(/subject=tag/);
  await log.locator('bdi').getByText('طلب استرداد').waitFor();
  expect(await log.getByRole('listitem').count()).toBe(1);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await saved).suggestedFilename()).toMatch(/^audit-.*\.csv$/);
  await page.getByLabel('Type').selectOption('macro');
  await page.getByText('No matching changes').waitFor();
  await look('audit-log-none');
  expect(found).toEqual([]);
});

it('an owner creates a macro with a known variable, and merges one tag into another, in German', {
  timeout: 120_000,
}, async () => {
  const cookie = await app.signIn(site.admin.email);
  for (const name of ['Parcels', 'Parcel']) await app.desk(cookie, 'tags.create', { name });
  const requester = { name: 'Jonas', email: 'jonas@example.com' };
  const late = { subject: 'Late', body: 'Still on its way', requester, tags: ['Parcels'] };
  expect((await app.desk(cookie, 'tickets.create', late)).status).toBe(200);
  await app.desk(cookie, 'me.set_language', { language: 'de' });
  const { page, look, found, allow } = await openFaces(browser, { cookie, url });
  await page.goto(`${url}/app/settings/macros`);
  await page.getByRole('link', { name: 'Neues Makro' }).click();
  await page.getByLabel('Name').fill('Unterwegs');
  await page.getByRole('button', { name: 'Schritt hinzufügen' }).click();
  await page.getByRole('menuitem', { name: 'Antworten' }).click();
  const reply = page.getByRole('textbox', { name: 'Antworten' });
  await reply.fill('Hallo {{name}}, ');
  await page.getByText('Unbekannte Variable: {{name}}.').waitFor();
  await look('macro-unknown-variable');
  await reply.fill('Hallo ');
  await page.getByRole('button', { name: 'Variable einfügen' }).click();
  await page.getByRole('menuitem', { name: 'Name des Besuchers' }).click();
  await page.getByRole('complementary', { name: 'Vorschau' }).getByText('Hallo Mara Lind').waitFor();
  expect(await reply.inputValue()).toBe('Hallo {{visitor.name}}');
  await page.getByRole('button', { name: 'Schritt hinzufügen' }).click();
  await page.getByRole('menuitem', { name: 'Tags hinzufügen' }).click();
  await page.getByRole('button', { name: 'Makro erstellen' }).click();
  await page.getByText('Wählen Sie mindestens einen Tag.').waitFor();
  await page.getByRole('button', { name: 'Tag hinzufügen' }).click();
  await page.getByRole('button', { name: 'Parcels' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Makro erstellen' }).click();
  const macros = page.getByRole('list', { name: 'Makros' });
  await macros.getByText('nie benutzt').waitFor();
  await look('settings-macros');

  await goWithin(page, '/app/settings/tags');
  const tags = page.getByRole('list', { name: 'Tags' });
  await tags.getByRole('listitem').filter({ hasText: 'Parcels' }).getByText('1 Ticket und 1 Makro').waitFor();
  await look('settings-tags');
  allow(/status of 409/);
  await page.getByRole('button', { name: 'Neuer Tag' }).click();
  await page.getByLabel('Name').fill('parcel');
  await page.getByRole('button', { name: 'Tag erstellen' }).click();
  await page.getByText('Der Name „parcel“ ist vergeben.').waitFor();
  await look('settings-tag-taken');
  await page.getByRole('button', { name: 'Abbrechen' }).click();
  await page.getByRole('button', { name: 'Mehr zu Parcels' }).click();
  await page.getByRole('menuitem', { name: 'Mit anderem zusammenführen' }).click();
  await page.getByLabel('Mit', { exact: true }).selectOption('Parcel');
  await look('settings-tag-merge');
  await page.getByRole('button', { name: 'Zusammenführen', exact: true }).click();
  await page.getByText('„Parcels“ mit „Parcel“ zusammengeführt').waitFor();
  await tags.getByRole('listitem').filter({ hasText: 'Parcel' }).getByText('1 Ticket und 1 Makro').waitFor();
  await tags.getByText('Parcels').waitFor({ state: 'detached' });
  await app.desk(cookie, 'me.set_language', { language: null });
  expect(found).toEqual([]);
});

it('leaving unsaved settings opens a dialog, and a truncated name is shown in full', async () => {
  const cookie = await app.signIn(site.admin.email);
  const name = `${'Rücksendung'.repeat(9)}!`;
  await app.desk(cookie, 'macros.create', { name, actions: [{ type: 'set_priority', priority: 'high' }] });
  const { page, found } = await desks.faces(site.admin.email, 'settings/site');
  await page.setViewportSize({ width: 1024, height: 800 });
  const field = page.getByLabel('Name');
  await field.fill('Half a thought');
  const away = page.getByRole('link', { name: 'Macros' });
  await away.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click();
  expect(await field.inputValue()).toBe('Half a thought');
  await away.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await page.getByText(name).hover();
  await page.getByRole('tooltip').getByText(name).waitFor();

  await goWithin(page, '/app/settings/mail');
  await page.getByRole('textbox', { name: 'Port' }).waitFor();
  await page.getByLabel('Encryption').selectOption({ index: 1 });
  expect(await page.getByRole('textbox', { name: 'Port' }).inputValue()).toBe('465');
  await page.getByRole('link', { name: 'Macros' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  expect(found).toEqual([]);
});

it('a failed save or load is reported once, and the widget’s preview stays on its page', async () => {
  const { page, found, allow } = await openFaces(browser, {
    cookie: await app.signIn(site.admin.email),
    url,
  });
  allow(/ERR_FAILED/);
  await page.goto(`${url}/app/settings/install`);
  await page.route('**/api/site.update', (route) => route.abort());
  await page.getByRole('switch', { name: 'Wait for consent' }).click();
  await page.getByRole('alert').getByText('Couldn’t save your changes.').waitFor();

  const isLeft = Promise.withResolvers<void>();
  await page.route('**/visitor-sdk.js', async (route) => {
    await isLeft.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Show widget' }).click();
  await page.getByRole('link', { name: 'Macros' }).click();
  await page.getByRole('heading', { name: 'Macros', exact: true }).waitFor();
  const isThere = (): Promise<boolean> => page.evaluate('globalThis.svc?.sdk === 1');
  expect(await isThere()).toBe(false);
  isLeft.resolve();
  await expect.poll(isThere).toBe(true);
  const launcher = page.getByRole('button', { name: 'Open chat' });
  expect(await launcher.count()).toBe(0);
  await page.getByRole('link', { name: 'Install' }).click();
  await page.getByRole('button', { name: 'Show widget' }).click();
  await launcher.waitFor();

  allow(/status of 400/);
  let pages = 0;
  await page.route('**/api/visitors.list', (route) => {
    pages += 1;
    if (pages > 1)
      return route.fulfill({
        status: 400,
        json: { ok: false, error: { code: 'invalid_input', message: 'No' } },
      });
    return route.fulfill({ json: { ok: true, data: [], page: { next_cursor: 'more' }, request_id: 'r' } });
  });
  await goWithin(page, '/app/visitors');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => pages).toBe(3);
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  expect(pages).toBe(3);
  expect(found).toEqual([]);
});

it('if the team requires a second factor, nothing opens before it is set up, and open desks close', {
  timeout: 120_000,
}, async () => {
  const email = 'dana@example.com';
  const strict = await app.makeSite();
  await newAgent(strict, email);
  const theirs = await app.signIn(email);
  const admin = await app.signIn(strict.admin.email);
  const require = (two_factor_required: boolean) => app.desk(admin, 'site.update', { two_factor_required });
  expect((await require(true)).body.error.code).toBe('conflict');

  const socket = await TestSocket.agent(app.url, theirs);
  const { db } = strict.operator;
  const ofAdmin = db.updateTable('auth_users').where('email', '=', strict.admin.email);
  await ofAdmin.set({ two_factor_enabled: true }).execute();
  expect((await require(true)).status).toBe(200);
  await until(async () => socket.closed?.code === CLOSE_UNAUTHORIZED);
  expect((await app.desk(theirs, 'inbox.counts')).status).toBe(403);
  expect((await app.desk(theirs, 'me.get')).body.data.site.two_factor_required).toBe(true);
  const refused = await TestSocket.open(`${app.url}/app/socket`, { cookie: theirs, origin: url });
  await until(async () => refused.closed?.code === CLOSE_UNAUTHORIZED);

  const { page, look, found, allow } = await openFaces(browser, { cookie: theirs, url });
  allow(/40[13]/);
  await page.goto(`${url}/app/inbox`);
  await page.getByRole('heading', { name: 'Set up two-factor authentication' }).waitFor();
  await look('two-factor-required');
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await code(page).waitFor();
  await code(page).fill(codeOf(await uriOn(page), -1));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'I’ve saved them' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  expect(found).toEqual([]);
});

/** The archive that an admin creates at the desk. */
async function archiveOf(cookie: string): Promise<Buffer> {
  await app.desk(cookie, 'site_archives.create');
  let link = '';
  await until(async () => {
    link = (await app.desk(cookie, 'site_archives.get')).body.data.archive.url ?? '';
    return link !== '';
  });
  const { pathname, search } = new URL(link);
  return Buffer.from(await (await fetch(app.url + pathname + search)).arrayBuffer());
}

it('an admin who moves servers replaces the trial data with the archive of the old server', {
  timeout: 120_000,
}, async () => {
  const old = await app.makeSite();
  const ticket = { subject: 'Where is it?', body: 'My order', requester: { email: 'maya@example.com' } };
  await app.rest(old.write, 'POST', '/v1/tickets', ticket);
  const archive = await archiveOf(await app.signIn(old.admin.email));
  const fresh = await app.makeSite();
  await importSampleKnowledge(fresh.operator);
  const cookie = await app.signIn(fresh.admin.email);
  const { page, look, found } = await openFaces(browser, { cookie, url });
  await page.goto(`${url}/app/settings/import`);
  await page.getByText('This site only has trial data').waitFor();
  const choose = page.getByLabel('Choose file: Site archive');
  await choose.setInputFiles({
    name: 'shop.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7'),
  });
  await page.getByText('This isn’t a site archive.').waitFor();
  await look('import-refused');
  await page.getByRole('button', { name: 'Remove file' }).click();
  await choose.setInputFiles({ name: 'old.tar.gz', mimeType: 'application/gzip', buffer: archive });
  await page.getByText('Archive of “Lantern & Loom”').waitFor();
  await page.getByText('20 articles').waitFor();
  await look('import-archive');
  // The result of the check is still there after a reload.
  await page.reload();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('alertdialog').waitFor();
  await look('import-archive-ask');
  await page.getByRole('button', { name: 'Delete and import' }).click();
  await page.getByText('Done:').waitFor();
  await look('import-archive-done');
  const tickets = (await app.rest(fresh.read, 'GET', '/v1/tickets')).body.data;
  expect(tickets).toMatchObject([{ subject: 'Where is it?', requester: { email: 'maya@example.com' } }]);
  expect((await app.rest(fresh.read, 'GET', '/v1/articles')).body.data).toEqual([]);
  await page.getByRole('link', { name: 'All imports' }).click();
  await page.getByRole('list', { name: 'Recent imports' }).getByText('Imported').waitFor();
  await look('imports');
  expect(found).toEqual([]);
});

it('an admin imports visitors from a CSV, maps its columns, and sees which rows were skipped', {
  timeout: 120_000,
}, async () => {
  const fresh = await app.makeSite();
  const cookie = await app.signIn(fresh.admin.email);
  const { page, look, found, allow } = await openFaces(browser, { cookie, url });
  await page.goto(`${url}/app/settings/import`);
  await page.getByText('This site is empty').waitFor();
  await look('imports-empty');
  const buffer = Buffer.from(
    'Kontakt;Name;Firma\nmaya@example.com;Maya Müller;Loom & Söhne\nkein;Ben;Loom\n',
    'latin1',
  );
  await page
    .getByLabel('Choose file: Visitors from CSV')
    .setInputFiles({ name: 'kontakte.csv', mimeType: 'text/csv', buffer });
  await page.getByText('2 rows in 3 columns').waitFor();
  await page.getByText('This file isn’t UTF-8').waitFor();
  await page.getByText('Maya Müller · Ben').waitFor();
  await page.getByLabel('Field for Kontakt').selectOption({ label: 'Email address' });
  await page.getByLabel('Attribute name for Firma').fill('company');
  await look('import-csv');
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await page.getByText('Done: 1 created, 0 updated, 0 unchanged.').waitFor();
  await page.getByText('Line 3').waitFor();
  await look('import-csv-done');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toMatch(/^not-imported-.*\.csv$/);
  const people = (await app.rest(fresh.read, 'GET', '/v1/visitors')).body.data;
  expect(people).toMatchObject([
    { email: 'maya@example.com', name: 'Maya Müller', attributes: { company: expect.any(String) } },
  ]);

  // Text that is being entered for a person stays when a reconnect brings their changes.
  allow(/ERR_INTERNET_DISCONNECTED/);
  await goWithin(page, `/app/visitors/${people[0].key}`);
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Maya M');
  await page.context().setOffline(true);
  await app.rest(fresh.write, 'POST', '/v1/visitors', { key: people[0].key, name: 'Maya Muller' });
  await page.context().setOffline(false);
  await page.getByRole('heading', { name: 'Maya Muller', level: 1 }).waitFor();
  expect(await name.inputValue()).toBe('Maya M');
  await name.press('Enter');
  await page.getByRole('heading', { name: 'Maya M', level: 1, exact: true }).waitFor();
  expect(await name.inputValue()).toBe('Maya M');
  expect(found).toEqual([]);
});

it('an owner tries a redaction rule, and saves it', {
  timeout: 120_000,
}, async () => {
  const { page, look, found, allow } = await desks.faces(site.admin.email, 'settings/redaction');
  await page.getByLabel('Card numbers').check();
  await page.getByRole('button', { name: 'Add pattern' }).click();
  const pattern = page.getByLabel('Pattern 1', { exact: true });
  await page.getByLabel('Name of pattern 1').fill('customer');
  await pattern.fill('C-#');
  await page
    .getByRole('textbox', { name: 'Message', exact: true })
    .fill('I am C-123456, 4111 1111 1111 1111');
  allow(/status of 400/);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('must have at least 4').waitFor();
  await look('redaction-refused');
  await pattern.fill('C-######');
  await page.getByText('I am [customer], •••• 1111').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Redaction updated').waitFor();
  await look('redaction');
  expect(found).toEqual([]);
});
