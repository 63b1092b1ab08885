import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { openFaces } from '../faces.ts';
import { freePort } from '../foyer-process.ts';
import { FOYER_CLIENT, type IdentityProvider, startIdentityProvider } from '../identity-provider.ts';
import { PROVIDER_CERTIFICATE, type SamlProvider, startSamlProvider } from '../saml-provider.ts';

// A company connects its identity provider, and a colleague signs in with it for the first time.

let browser: TestBrowser;
let app: TestApp;
let idp: IdentityProvider;
let saml: SamlProvider;
let site: TestSite;
let url: string;
beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  idp = await startIdentityProvider([`${url}/app/sso/1/callback`]);
  saml = await startSamlProvider();
  [browser, app] = await Promise.all([openBrowser(), startTestApp({ PORT: String(port) })]);
  site = await app.makeSite();
});
afterAll(async () => {
  await browser.close();
  await app.close();
  await idp.close();
  await saml.close();
});

async function ownPage(): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  return context.newPage();
}

async function logIn(page: Page, account: string): Promise<void> {
  await page.getByRole('heading', { name: 'Company login' }).waitFor();
  await page.getByLabel('Account').fill(account);
  await page.getByRole('button', { name: 'Log in' }).click();
}

it('an admin connects a provider, and a colleague becomes an agent with it', {
  timeout: 180_000,
}, async () => {
  const cookie = await app.signIn(site.admin.email);
  const { page, look, found } = await openFaces(browser, { cookie, url });
  await page.goto(`${url}/app/settings/single-sign-on`);
  await page.getByRole('heading', { name: 'No identity providers' }).waitFor();
  await look('providers-none');
  await page.getByRole('link', { name: 'New provider' }).click();
  await page.getByText(`${url}/app/sso/1/callback`).waitFor();
  await page.getByLabel('Button name').fill('Corp');
  await page.getByLabel('Issuer').fill(`${idp.issuer}/wrong`);
  await page.getByLabel('Client ID').fill(FOYER_CLIENT.client_id);
  await page.getByLabel('Client secret').fill(FOYER_CLIENT.client_secret);
  await page.getByLabel('Email domains').fill('corp.example');
  const test = page.getByRole('button', { name: 'Test connection' });
  await test.click();
  await page.getByText('answered 404. Check the issuer.').waitFor();
  await page.getByLabel('Issuer').fill(idp.issuer);
  await test.click();
  await page.getByText('The provider answers, and accepts').waitFor();
  await page.getByLabel('Create agents on first sign-in').check();
  await page.getByLabel('Groups claim').fill('groups');
  await page.getByLabel('Groups of admins').fill('leads');
  await look('provider-form');
  await page.getByRole('button', { name: 'Create provider' }).click();
  await page.getByText('People can sign in with Corp.').waitFor();
  await look('provider');
  await page.goto(`${url}/app/settings/single-sign-on`);
  await page.getByText('corp.example').waitFor();
  await look('providers');
  expect(found).toEqual([]);

  // From a page of the desk, by entering only the email address, and back to that page.
  const own = await ownPage();
  await own.goto(`${url}/app/reports`);
  await own.getByRole('link', { name: 'Continue with Corp' }).waitFor();
  await own.getByLabel('Email').fill('grace@corp.example');
  await own.getByRole('button', { name: 'Continue with Corp' }).click();
  idp.people.set('grace', { email: 'grace@corp.example', email_verified: false, name: 'Grace Hopper' });
  await logIn(own, 'grace');
  await own.getByText('doesn’t say that your email address is verified').waitFor();
  idp.people.set('grace', {
    email: 'grace@corp.example',
    email_verified: true,
    name: 'Grace Hopper',
    groups: ['leads'],
  });
  await own.getByRole('link', { name: 'Continue with Corp' }).click();
  await own.getByRole('heading', { name: 'Reports' }).waitFor();
  await own.goto(`${url}/app/settings/team`);
  const row = own.getByRole('listitem').filter({ hasText: 'Grace Hopper' });
  await row.getByText('Admin').first().waitFor();

  // Disabling the provider closes her desk.
  await page.getByRole('link', { name: 'Corp' }).click();
  await page.getByRole('switch', { name: 'Accept sign-ins' }).click();
  await page.getByText('Nobody can sign in with Corp.').waitFor();
  await own.getByRole('heading', { name: 'Sign in to continue' }).waitFor();
});

it('an admin connects a provider by SAML, and a colleague signs in with it from another website’s page', {
  timeout: 180_000,
}, async () => {
  const cookie = await app.signIn(site.admin.email);
  const { page, look, found } = await openFaces(browser, { cookie, url });
  await page.goto(`${url}/app/settings/single-sign-on`);
  await page.getByRole('link', { name: 'New provider' }).click();
  await page.getByLabel('Protocol').selectOption('SAML 2.0');
  await page.getByText(`${url}/app/sso/1/saml`).waitFor();
  await page.getByLabel('Button name').fill('Saml Corp');
  await page.getByLabel('Provider’s entity ID').fill(saml.entityId);
  await page.getByLabel('Sign-in URL').fill(saml.signInUrl);
  await page.getByLabel('Certificate').fill(PROVIDER_CERTIFICATE);
  await page.getByLabel('Email domains').fill('saml.example');
  await page.getByLabel('Create agents on first sign-in').check();
  await look('provider-saml-form');
  await page.getByRole('button', { name: 'Create provider' }).click();
  await page.getByText('People can sign in with Saml Corp.').waitFor();
  await page.getByRole('button', { name: 'Create certificate' }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const certificate = await readFile(await (await saving).path(), 'utf8');
  await page.getByLabel('Accept only encrypted assertions').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  await look('provider-saml');
  expect(found).toEqual([]);

  // The provider has another host, so its form sends no cookie of Foyer's.
  saml.people.set('alan', {
    attributes: { email: 'alan@saml.example', displayName: 'Alan Turing' },
    encryption: { certificate },
  });
  const own = await ownPage();
  await own.goto(`${url}/app/reports`);
  await own.getByRole('link', { name: 'Continue with Saml Corp' }).click();
  await logIn(own, 'alan');
  await own.getByRole('heading', { name: 'Reports' }).waitFor();
  await own.goto(`${url}/app/settings/account`);
  await own.getByText('alan@saml.example').first().waitFor();
});
