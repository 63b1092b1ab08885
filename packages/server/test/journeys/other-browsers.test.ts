import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import { type Shop, startShop } from '../../../sdk/test/shop.ts';
import { PASSWORD, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { type DrivenWindow, type RunningBrowser, windowOf } from '../browsers/driven.ts';
import { firefoxProgram, startFirefox } from '../browsers/firefox.ts';
import { startWebKit, webkitProgram } from '../browsers/webkit.ts';
import { freePort } from '../foyer-process.ts';
import { snippetFor } from '../snippet.ts';

// The main story in the engines of other browsers, where they are installed: no npm package carries one.

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const BROWSERS = [
  { name: 'Firefox', program: firefoxProgram, start: startFirefox, needs: 'firefox or firefox-esr' },
  {
    name: 'WebKit',
    program: webkitProgram,
    start: startWebKit,
    needs: 'WebKitWebDriver and Xvfb (Debian: webkit2gtk-driver, xvfb)',
  },
] as const;
const SCREENSHOTS = fileURLToPath(new URL('../../../../screenshots/other-browsers/', import.meta.url));
const PHONE = [390, 844] as const;
const DESKTOP = [1440, 900] as const;

for (const { name, program, start, needs } of BROWSERS) {
  if (program === undefined) console.warn(`NOT TESTED: ${name}. Install ${needs} to run these tests.`);

  describe.skipIf(program === undefined)(`in ${name}`, () => {
    let running: RunningBrowser;
    let browser: DrivenWindow;
    let app: TestApp;
    let shop: Shop;
    let site: TestSite;
    let url: string;

    beforeAll(async () => {
      const port = await freePort();
      url = `http://localhost:${port}`;
      [running, app, shop] = await Promise.all([start(), startTestApp({ PORT: String(port) }), startShop()]);
      browser = windowOf(running.commands);
      site = await app.makeSite();
      shop.page.html = `<!doctype html><meta name="viewport" content="width=device-width"><title>Shop</title>${snippetFor(url, site.publicKey)}<p>A shop`;
      await app.rest(site.write, 'POST', '/v1/articles', {
        title: 'Delivery',
        body: 'Parcels arrive after three working days.',
        status: 'Published',
      });
    });
    afterAll(async () => {
      await running?.close();
      await shop?.stop();
      await app?.close();
    });

    const openChat = async (): Promise<void> => {
      await browser.open(shop.origin);
      await browser.click('button', 'Open chat');
      await browser.goInto('iframe[title=Chat]');
    };
    const say = (text: string) => browser.enter('textarea', 'Write a message', text);
    const picture = (state: string) => browser.picture(join(SCREENSHOTS, `${name}-${state}.png`));

    it('a visitor asks the bot, and finds the chat again on the next page', async () => {
      await browser.resize(...PHONE);
      await openChat();
      await browser.click('button', 'Send us a message');
      await say('When do parcels arrive?');
      await browser.see('.bubble', 'Parcels arrive after three working days.');
      await picture('visitor');

      await openChat();
      await browser.click('.row-chat');
      await browser.see('.bubble-own', 'When do parcels arrive?');
      await browser.see('.bubble', 'Parcels arrive after three working days.');
      await say('I want to talk to a person');
      await browser.see('.system', 'handed over');
    });

    it('an agent signs in, takes the chat and answers, and the visitor reads it', async () => {
      await browser.resize(...DESKTOP);
      await browser.open(`${url}/app`);
      await browser.type('input', 'Email', site.admin.email);
      await browser.enter('input', 'Password', PASSWORD);
      await browser.click('a', 'I want to talk to a person');
      await browser.click('button', 'Join chat');
      await browser.enter('textarea', 'Write to', 'Good morning');
      await browser.see('[role=log] *', 'Good morning');
      await picture('desk');

      await browser.resize(...PHONE);
      await openChat();
      await browser.click('.row-chat');
      await browser.see('.bubble', 'Good morning');
      await picture('visitor-answered');
    });
  });
}
