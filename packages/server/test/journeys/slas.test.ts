import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { goWithin } from '../desk-tabs.ts';
import { openFaces } from '../faces.ts';
import { until } from '../harness.ts';
import { openChat } from '../stand.ts';

// An SLA policy is set up from nothing at the desk; a ticket becomes late, is warned about and escalated.

let browser: TestBrowser;
let app: TestApp;
let site: TestSite;
/** How far the server's clock is ahead. */
let aheadMs = 0;
beforeAll(async () => {
  [browser, app] = await Promise.all([
    openBrowser(),
    startTestApp({}, { now: () => new Date(Date.now() + aheadMs) }),
  ]);
  site = await app.makeSite('growth');
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

it('an admin creates SLA policies, and reorders them', { timeout: 120_000 }, async () => {
  await app.rest(site.write, 'POST', '/v1/teams', { name: 'Billing' });
  const { url } = app;
  const { page, look, found } = await openFaces(browser, { cookie: await app.signIn(site.admin.email), url });
  await page.goto(`${url}/app/settings/slas`);
  await page.getByText('No SLA policies').waitFor();
  await look('slas-none');
  await page.getByRole('link', { name: 'New policy' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Standard');
  const first = page.getByRole('group', { name: 'First response' });
  await first.getByLabel('Urgent').fill('soon');
  await page.getByText('Write a time such as 30 min or 4 h.').waitFor();
  await first.getByLabel('Urgent').fill('30 min');
  await first.getByLabel('Normal').fill('4h');
  await page.getByRole('group', { name: 'Resolution' }).getByLabel('Normal').fill('16 h 30 min');
  await look('sla-new');
  await page.getByRole('button', { name: 'Create policy' }).click();
  const rows = page.getByRole('list', { name: 'SLAs' }).getByRole('link');
  await rows.filter({ hasText: 'Standard' }).waitFor();
  expect(await rows.allInnerTexts()).toEqual([
    'Standard\nTickets · Everything · First answer in 30 min to 4 h',
  ]);

  await page.getByRole('link', { name: 'New policy' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Invoices');
  await page.getByLabel('Team', { exact: true }).selectOption({ label: 'Billing' });
  await first.getByLabel('Normal').fill('60');
  await page.getByRole('button', { name: 'Create policy' }).click();
  await page.getByRole('button', { name: 'Move “Invoices” up' }).click();
  await page.getByText('Invoices moved to position 1 of 2').waitFor();
  await look('slas');
  await rows.first().filter({ hasText: 'Team: Billing · First answer in 1 h' }).click();
  await page.getByRole('button', { name: 'Delete' }).waitFor();
  await look('sla');
  const { body } = await app.rest(site.read, 'GET', '/v1/sla_policies');
  expect(body.data).toMatchObject([
    { name: 'Invoices', position: 0, targets: { first_response: { normal: 60, urgent: null } } },
    { name: 'Standard', position: 1, warn_minutes: 30, targets: { resolution: { normal: 990 } } },
  ]);

  const made = await app.rest(site.write, 'POST', '/v1/tickets', {
    subject: 'Lamp',
    body: 'It broke.',
    requester: { name: 'Priya' },
  });
  await goWithin(page, `/app/inbox/tickets/${made.body.data.id}`);
  const part = page.getByRole('region', { name: 'SLA', exact: true });
  await part.getByText('Standard').waitFor();
  await part.getByText('Due in 3 h').waitFor();
  await part.getByText('Due in 16 h').waitFor();
  await page.getByRole('list', { name: 'Chats and tickets' }).getByText('Due in 3 h').waitFor();
  await look('sla-ticket');

  await goWithin(page, `/app/settings/slas/${body.data[1].id}`);
  await page.getByLabel('Chats', { exact: true }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Policy saved').waitFor();
  const chat = await openChat({ url, publicKey: site.publicKey });
  await app.rest(site.write, 'PATCH', `/v1/conversations?session_id=${chat.id}`, { status: 'waiting' });
  await goWithin(page, `/app/inbox/${chat.id}`);
  await page.getByRole('region', { name: 'SLA', exact: true }).getByText('Standard').waitFor();
  await page.locator('header').getByText('Due in 3 h').waitFor();
  await look('sla-chat');
  chat.socket.cut();
  expect(found).toEqual([]);
});

it('a ticket nobody answers is warned about, late, and escalated by a rule', {
  timeout: 120_000,
}, async () => {
  const { url } = app;
  const own = await app.makeSite('growth');
  const rest = async (method: string, path: string, body?: object) =>
    (await app.rest(own.write, method, `/v1/${path}`, body)).body.data;
  await rest('POST', 'sla_policies', {
    name: 'Standard',
    targets: { first_response: { normal: 60, urgent: 30 } },
    warn_minutes: 20,
  });
  await rest('POST', 'rules', {
    name: 'Late is urgent',
    trigger: { on: 'sla_breached' },
    actions: [{ type: 'set_priority', priority: 'urgent' }],
    enabled: true,
  });
  const { id } = await rest('POST', 'tickets', {
    subject: 'Lamp',
    body: 'It broke.',
    requester: { name: 'Priya' },
    assignee_id: own.admin.agentId,
  });
  const cookie = await app.signIn(own.admin.email);
  const { page, look, found } = await openFaces(browser, { cookie, url });
  const list = page.getByRole('list', { name: 'Chats and tickets' });
  const openAfter = async (minutes: number, search: string): Promise<void> => {
    aheadMs = minutes * 60_000;
    await page.clock.setFixedTime(new Date(Date.now() + aheadMs));
    await page.goto(`${url}/app/inbox?queue=open${search}`);
  };
  const notified = async (words: string): Promise<void> => {
    await page.getByRole('button', { name: /^Notifications, / }).click();
    await page.getByText(words).waitFor();
    await page.keyboard.press('Escape');
  };
  await openAfter(0, '&sort=next_due');
  await list.getByText(/^Due in 5. min$/).waitFor();
  await openAfter(41, '&due=soon');
  await list.getByText(/^Due in 1. min$/).waitFor();
  await notified(`Ticket #${id} is due soon`);
  await look('sla-soon');
  await openAfter(61, '&due=late&sort=next_due');
  await list.getByText('Urgent').waitFor();
  await list.getByText(/^Late by/).waitFor();
  await notified(`Ticket #${id} is late`);
  await look('sla-late');
  const runs = await rest('GET', 'rule_runs');
  expect(runs).toMatchObject([{ ticket_id: id, event: 'sla_breached', outcome: 'done' }]);
  await until(async () => (await app.desk(cookie, 'reports.slas')).body.data.now.missed === 1);
  await page.goto(`${url}/app/reports?report=slas`);
  await page.getByText('0% of 1 SLA target was met.').waitFor();
  await look('reports-slas');
  expect(found).toEqual([]);
});
