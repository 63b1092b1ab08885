import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD, startTestApp, type TestApp } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { freePort } from '../foyer-process.ts';
import { until } from '../harness.ts';
import { type Mailbox, shown, startMailbox } from '../mailbox.ts';

// An agent who has forgotten their password gets in again by email, on their own.

const NEW_PASSWORD = 'lamp shade in march';

let browser: TestBrowser;
let app: TestApp;
let mailbox: Mailbox;
let url: string;
beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  mailbox = await startMailbox();
  [browser, app] = await Promise.all([
    openBrowser(),
    startTestApp({ PORT: String(port), SMTP_URL: mailbox.url, FOYER_MAIL_FROM: 'help@shop.example' }),
  ]);
});
afterAll(async () => {
  await browser.close();
  await Promise.all([app.close(), mailbox.close()]);
});

/** A new browser with the width of a desk. */
async function ownPage(): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  return context.newPage();
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function requestLink(page: Page, email: string): Promise<void> {
  const send = page.getByRole('button', { name: 'Send reset link' });
  // The sign-in page that is being left has a field of that name too.
  await send.waitFor();
  await page.getByLabel('Email').fill(email);
  await send.click();
  await page.getByText(`If an account exists for ${email}, we sent a link.`).waitFor();
}

it('leads from the sign-in by a mailed link to a new password, and ends the session elsewhere', {
  timeout: 120_000,
}, async () => {
  const { email } = (await app.makeSite()).admin;
  const elsewhere = await ownPage();
  await elsewhere.goto(`${url}/app/inbox`);
  await signIn(elsewhere, email, PASSWORD);
  await elsewhere.getByRole('heading', { name: 'Inbox' }).waitFor();

  const page = await ownPage();
  await page.goto(`${url}/app/sign-in`);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await requestLink(page, 'nobody@example.com');
  await page.getByRole('link', { name: 'Back to sign-in' }).click();
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await requestLink(page, email);
  await until(async () => mailbox.received.length > 0);
  expect(mailbox.received.map(({ to }) => to)).toEqual([[email]]);
  const [mail] = mailbox.received;
  const link = /http:\S+\/app\/reset-password#[\w-]+/.exec(mail ? shown(mail) : '')?.[0] ?? '';
  expect(link).toContain(url);

  await page.goto(link);
  await page.getByText(`For ${email}.`).waitFor();
  await page.getByLabel('New password').fill('password123');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('is too easy to guess').waitFor();
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await elsewhere.getByRole('dialog').getByRole('button', { name: 'Sign in' }).waitFor();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signIn(page, email, NEW_PASSWORD);
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();

  const later = await ownPage();
  await later.goto(link);
  await later.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
  await later.getByRole('link', { name: 'Request new link' }).click();
  await later.getByRole('button', { name: 'Send reset link' }).waitFor();
});
