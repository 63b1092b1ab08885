import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAgent, PASSWORD } from '../accounts.ts';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { goWithin } from '../desk-tabs.ts';
import { openFaces } from '../faces.ts';
import { TestSocket } from '../sockets.ts';

// A new team, set up at the desk, and its first work.

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

it('an admin sets up a team, a colleague transfers work to it, and only its member has it as a queue', {
  timeout: 120_000,
}, async () => {
  const email = `ben-${randomUUID()}@example.com`;
  await makeAgent(site.operator, { email, name: 'Ben' });
  const { url } = app;
  const { page, look, found, allow } = await openFaces(browser, {
    cookie: await app.signIn(site.admin.email),
    url,
  });
  allow(/status of 400/);
  await page.goto(`${url}/app/settings/teams`);
  await page.getByText('No teams').waitFor();
  await page.getByRole('link', { name: 'New team' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Billing');
  await page.getByRole('textbox', { name: 'Emoji' }).fill('x');
  await page.getByRole('checkbox', { name: 'Ben' }).check();
  await page.getByLabel('Lead').selectOption({ label: 'Ben' });
  await page.getByRole('switch', { name: 'Own office hours' }).click();
  await page.getByText('Weekly hours').waitFor();
  await look('team-new');
  await page.getByRole('button', { name: 'Create team' }).click();
  await page.getByText('Emoji must be an emoji').waitFor();
  await page.getByRole('textbox', { name: 'Emoji' }).fill('💳');
  await page.getByRole('button', { name: 'Create team' }).click();
  const row = page.getByRole('list', { name: 'Teams' }).getByRole('link', { name: /Billing/ });
  await row.waitFor();
  await look('teams');
  await row.click();
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByText('This team is archived').waitFor();
  await look('team-archived');
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('This team is archived').waitFor({ state: 'detached' });
  expect(found).toEqual([]);

  const ben = await openFaces(browser, { cookie: await app.signIn(email, PASSWORD), url });
  await ben.page.goto(`${url}/app/settings/teams`);
  await ben.page.getByRole('link', { name: /Billing.*1 member/ }).waitFor();
  expect(await ben.page.getByRole('link', { name: 'New team' }).count()).toBe(0);

  const sessionId = await chat('My invoice is wrong');
  await goWithin(page, `/app/inbox/${sessionId}`);
  await page.getByRole('button', { name: 'Close chat' }).first().waitFor();
  await page.locator('body').press('t');
  await page.getByRole('option', { name: 'Team: Billing' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('They want a refund');
  await look('team-transfer');
  await page.keyboard.press('Enter');
  await page.getByText('Now with the team Billing').waitFor();
  await page
    .getByText(/Team Billing/)
    .first()
    .waitFor();
  expect(await page.getByRole('region', { name: 'My teams' }).count()).toBe(0);

  await goWithin(ben.page, '/app/inbox');
  const mine = ben.page.getByRole('region', { name: 'My teams' });
  await mine.getByRole('link', { name: /Billing.*1/ }).click();
  await ben.page.getByRole('list', { name: 'Chats and tickets' }).getByText('My invoice is wrong').click();
  await ben.page.getByText('They want a refund').waitFor();
  await ben.look('team-queue');
  const { id } = (
    await app.rest(site.write, 'POST', '/v1/tickets', {
      subject: 'Lamp',
      body: 'It broke.',
      requester: { name: 'Priya' },
    })
  ).body.data;
  await goWithin(ben.page, `/app/inbox/tickets/${id}`);
  await ben.page.getByLabel('Team', { exact: true }).selectOption({ label: 'Billing' });
  await ben.page.getByText('Now with the team Billing').waitFor();
  await mine.getByRole('link', { name: /Billing.*2/ }).waitFor();
  await ben.look('team-ticket');
  expect([found, ben.found]).toEqual([[], []]);
});

/** A visitor's chat that waits for an agent. */
async function chat(text: string): Promise<string> {
  const { socket } = await TestSocket.visitor(app.url, site.publicKey);
  const { session } = (await socket.call('chat.send', {
    session_id: null,
    client_id: randomUUID(),
    text,
  })) as {
    session: { session_id: string };
  };
  await socket.call('chat.request_person', { session_id: session.session_id, client_id: randomUUID() });
  socket.cut();
  return session.session_id;
}
