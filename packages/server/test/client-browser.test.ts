import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build, type Rollup } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { openBrowser } from './chromium.ts';

// The built client in a real browser, from a page of another origin.

let app: TestApp;
let code: string;

beforeAll(async () => {
  app = await startTestApp();
  const configFile = fileURLToPath(new URL('../../client/vite.config.ts', import.meta.url));
  const built = await build({ configFile, build: { write: false } });
  const [bundle] = [built].flat();
  if (!bundle || !('output' in bundle)) throw new Error('nothing was built');
  code = (bundle as Rollup.RollupOutput).output[0].code;
});
afterAll(() => app.close());

it('works in a browser, from another origin, without dependencies', async () => {
  expect(code).not.toMatch(/\bimport\b\s*[^(]|\brequire\(/);
  expect(code.length).toBeLessThan(17_920);
  const site = await app.makeSite();
  const page = `<!doctype html><title>x</title><script type="module">
    import { createClient } from '/client.js';
    const foyer = createClient({ baseUrl: ${JSON.stringify(app.url)}, token: ${JSON.stringify(site.write)} });
    const made = await foyer.tags.create({ name: 'returns' });
    const names = [];
    for await (const { name } of foyer.tags.all()) names.push(name);
    const error = await foyer.tags.create({ name: 'returns' }).catch(({ code, requestId }) => code + typeof requestId);
    document.title = [made.name, ...names, error].join(' ');
  </script>`;
  const server = createServer((request, response) => {
    const isCode = request.url === '/client.js';
    response.writeHead(200, { 'Content-Type': isCode ? 'text/javascript' : 'text/html' });
    response.end(isCode ? code : page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await openBrowser();
  try {
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await tab.waitForFunction(`document.title !== 'x'`);
    expect(await tab.title()).toBe('returns returns conflictstring');
  } finally {
    await browser.close();
    server.close();
  }
});
