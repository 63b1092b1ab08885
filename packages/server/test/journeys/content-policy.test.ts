import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importSampleKnowledge } from '../../src/knowledge/sample.ts';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { signInto } from '../desk-session.ts';
import { goWithin } from '../desk-tabs.ts';
import { freePort } from '../foyer-process.ts';

// The desk works under a policy that allows nothing inline and no script from a string.

/** With all kinds of parts: lists, charts, forms, the editor, previews in frames. */
const SCREENS = [
  'visitors',
  'reports',
  'knowledge',
  'bot',
  'settings/account',
  'settings/widget',
  'settings/tags',
  'settings/webhooks',
  'settings/plan',
];

let browser: TestBrowser;
let app: TestApp;
let site: TestSite;
let url: string;
let page: Page;
let ticketId: number;

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [browser, app] = await Promise.all([openBrowser(), startTestApp({ PORT: String(port) })]);
  site = await app.makeSite();
  await importSampleKnowledge(site.operator);
  const asked = await app.rest(site.write, 'POST', '/v1/tickets', {
    subject: 'The lamp',
    body: 'It broke.',
    requester: { email: 'priya@visitor.example', name: 'Priya' },
  });
  ticketId = asked.body.data.id;
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const cookie = await app.signIn(site.admin.email);
  await signInto(context, cookie, url);
  page = await context.newPage();
  await page.addInitScript(`
    globalThis.refusals = [];
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
      refusals.push([location.pathname, violatedDirective, blockedURI, sourceFile, lineNumber].join(' ')));`);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const refusals = (): Promise<unknown> => page.evaluate('refusals.splice(0)');
const policyOf = async (path: string): Promise<string> =>
  (await fetch(url + path)).headers.get('content-security-policy') ?? '';

it('no screen of the desk breaks its policy', { timeout: 180_000 }, async () => {
  await page.goto(`${url}/app/inbox`);
  await page.getByRole('link', { name: /The lamp/ }).waitFor();
  for (const path of SCREENS) await goWithin(page, `/app/${path}`);
  await goWithin(page, `/app/tickets/${ticketId}`);
  expect(await refusals()).toEqual([]);
});

it('neither do dialogs, menus, the editor and pasted content', { timeout: 180_000 }, async () => {
  await page.goto(`${url}/app/settings/blocked`);
  await page.getByRole('button', { name: 'Block', exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await refusals()).toEqual([]);

  await page.goto(`${url}/app/knowledge/new`);
  const text = page.getByRole('textbox', { name: 'Text' });
  await text.click();
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', '<p style="font-weight: bold">A <span style="font-style: italic">lamp</span>');
    document.activeElement.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }`);
  await text.locator('em').getByText('lamp').waitFor();
  expect(await refusals()).toEqual([]);
});

it('and additions of an injected script are refused', async () => {
  expect(
    await page.evaluate(`(() => {
    try { document.body.innerHTML = '<img src=x onerror=alert(1)>'; return 'parsed'; } catch (error) { return error.name; }
  })()`),
  ).toBe('TypeError');
  expect(
    await page.evaluate(`(async () => {
    const style = document.createElement('style');
    style.textContent = 'body { outline: 7px solid red }';
    document.head.append(style);
    await new Promise(requestAnimationFrame);
    style.remove();
    return getComputedStyle(document.body).outlineWidth === '7px';
  })()`),
  ).toBe(false);
  await expect(page.evaluate(`trustedTypes.createPolicy('another', {})`)).rejects.toThrow('another');
});

it('nor do the help centre and articles in the chat, where text can’t become a script either', async () => {
  await page.goto(`${url}/help/${site.publicKey}`);
  await page.getByRole('button', { name: 'Open chat' }).click();
  const chat = page.frameLocator('iframe[title=Chat]');
  await chat.getByRole('button', { name: 'Search for help' }).click();
  await chat
    .getByRole('button', { name: /Returning/ })
    .first()
    .click();
  await chat.locator('.article-text p').first().waitFor();
  for (const frame of page.frames()) {
    expect(await frame.evaluate('refusals.splice(0)'), frame.url()).toEqual([]);
    expect(
      await frame.evaluate(`(() => {
      try { document.body.innerHTML = '<b>'; return 'parsed'; } catch (error) { return error.name; }
    })()`),
      frame.url(),
    ).toBe('TypeError');
  }
});

it('no page allows inline scripts or styles', async () => {
  const paths = [
    '/app/',
    '/app/sign-in',
    `/widget/${site.publicKey}`,
    `/help/${site.publicKey}`,
    '/docs',
    '/mail-off/none',
  ];
  for (const path of paths) {
    const policy = await policyOf(path);
    expect(policy, path).toContain("default-src 'none'");
    expect(policy.replace("style-src-attr 'unsafe-inline'", ''), path).not.toContain('unsafe');
  }
  for (const path of [
    '/app/',
    '/portal/none',
    `/widget/${site.publicKey}`,
    '/widget/preview',
    `/help/${site.publicKey}`,
  ])
    expect(await policyOf(path), path).toContain("require-trusted-types-for 'script'");
  for (const path of ['/app/', '/portal/none']) {
    const { headers } = await fetch(url + path);
    expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy'), path).toBe('same-origin');
  }
});
