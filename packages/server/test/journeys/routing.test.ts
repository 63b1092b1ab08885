import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAgent, PASSWORD } from '../accounts.ts';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { goWithin } from '../desk-tabs.ts';
import { openFaces } from '../faces.ts';
import { until } from '../harness.ts';
import { TestSocket } from '../sockets.ts';

// A chat in German while nobody who speaks it is there.

let browser: TestBrowser;
let app: TestApp;
let site: TestSite;
beforeAll(async () => {
  [browser, app] = await Promise.all([openBrowser(), startTestApp()]);
  site = await app.makeSite('growth');
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

it('an admin routes by language, and a German chat waits for the agent who speaks it', {
  timeout: 120_000,
}, async () => {
  const email = `ben-${randomUUID()}@example.com`;
  await makeAgent(site.operator, { email, name: 'Ben' });
  await app.rest(site.write, 'POST', '/v1/tags', { name: 'refund' });
  const { url } = app;
  const { page, look, found } = await openFaces(browser, { cookie: await app.signIn(site.admin.email), url });
  await page.goto(`${url}/app/settings/routing`);
  const choose = async (kind: string) => {
    await page.getByRole('group', { name: kind, exact: true }).getByText('Least busy').click();
    await page.getByText('Routing updated').first().waitFor();
  };
  await choose('Waiting chats');
  await choose('Tickets');
  await page.getByLabel('Ticket capacity of Ben').selectOption('5 tickets');
  await page.getByRole('switch', { name: 'Last agent first' }).click();
  await page.getByRole('button', { name: 'Skills of Ben' }).click();
  const skills = page.getByRole('dialog');
  await skills.getByRole('checkbox', { name: 'Deutsch' }).check();
  await skills.getByRole('checkbox', { name: 'refund' }).check();
  await look('routing-skills');
  await skills.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Deutsch · refund').waitFor();
  await look('routing');

  const { socket } = await TestSocket.visitor(url, site.publicKey, { locale: 'de-AT' });
  const said = { session_id: null, client_id: randomUUID(), text: 'Meine Lampe ist kaputt' };
  const { session } = (await socket.call('chat.send', said)) as { session: { session_id: string } };
  const { session_id } = session;
  await socket.subscribe(session_id);
  await socket.call('chat.request_person', { session_id, client_id: randomUUID() });
  await goWithin(page, `/app/inbox/${session_id}`);
  // Ada is here and has capacity, but speaks no German.
  await page.getByText('No suitable agent is available: speaks German').waitFor();
  expect(
    (await app.desk(await app.signIn(site.admin.email), 'sessions.get', { session_id })).body.data,
  ).toMatchObject({
    status: 'waiting',
    agent: null,
  });
  await look('routing-nobody');

  const ben = await openFaces(browser, { cookie: await app.signIn(email, PASSWORD), url, locale: 'de' });
  await ben.page.goto(`${url}/app/inbox`);
  await socket.next('session', ({ session: now }) => now.agent?.name === 'Ben');
  await page.getByText('Assigned to Ben: fewest open chats, speaks German').waitFor();
  await look('routing-assigned');
  await goWithin(ben.page, `/app/inbox/${session_id}`);
  await ben.page.getByText('Ben zugewiesen: am wenigsten offene Chats, spricht Deutsch').waitFor();
  await ben.look('routing-assigned-de');

  const ticket = await app.rest(site.write, 'POST', '/v1/tickets', {
    subject: 'Rechnung',
    body: 'Ich habe meine Rechnung noch nicht bekommen und warte auf die Lieferung.',
    requester: { email: 'kai@example.com' },
  });
  await until(async () => {
    const { body } = await app.rest(site.read, 'GET', `/v1/tickets?id=${ticket.body.data.id}`);
    return body.data.assignee?.name === 'Ben';
  });
  await goWithin(page, `/app/inbox/tickets/${ticket.body.data.id}`);
  await page.getByText('assigned it to Ben: fewest open tickets, speaks German').waitFor();
  await look('routing-ticket');
  await goWithin(ben.page, `/app/inbox/tickets/${ticket.body.data.id}`);
  await ben.page.getByText('hat es Ben zugewiesen: am wenigsten offene Tickets, spricht Deutsch').waitFor();
  const shown = socket.frames.map((frame) => JSON.stringify(frame)).join('\n');
  expect(shown, 'the visitor learns nothing of the reasons').not.toMatch(/least_busy|fewest/);
  socket.cut();
  expect([found, ben.found]).toEqual([[], []]);
});
