import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../server/test/chromium.ts';
import { type Service, type Shop, startService, startShop } from './shop.ts';

// The package as somebody gets it: packed, installed without a network, type-checked, bundled, run.

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const TSC = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));

const SAMPLE = `import { type Attributes, load, svc } from '@foyer/sdk';

const who: Attributes = { user_id: 42, email: null, plan: 'pro', since: new Date(), userHash: 'f00' };
load({ url: 'https://chat.example.com/', site: 'pk_1', position: 'left', nonce: 'n' });
svc('boot', { apiToken: 'foyb_', locale: 'de' });
svc('identify', who);
svc('update', { plan: null });
svc('track', 'order_placed', { total: 89.5, items: ['a'] });
svc('on', 'unread', (count) => count.toFixed());
svc('on', 'message', ({ sender, text }) => sender === 'bot' && text.trim());
for (const command of ['show', 'hide', 'open', 'close', 'reset'] as const) svc(command);

// @ts-expect-error there is no such command
svc('dance');
// @ts-expect-error a site is needed
load({ url: 'https://chat.example.com' });
// @ts-expect-error a list is no attribute
svc('identify', { tags: ['a'] });
// @ts-expect-error there is no such event
svc('on', 'closed', () => {});
`;

let folder: string;
let service: Service;
let shop: Shop;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-sdk-package-'));
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: folder, encoding: 'utf8' });
  const [packed] = JSON.parse(npm('pack', PACKAGE, '--json', '--ignore-scripts'));
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  npm('install', '--offline', '--ignore-scripts', join(folder, packed.filename));
  [service, shop] = await Promise.all([startService(), startShop()]);
});
afterAll(async () => {
  await Promise.all([service?.stop(), shop?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const bundle = async (source: string): Promise<string> => {
  const entry = join(folder, 'entry.js');
  writeFileSync(entry, source);
  const outDir = join(folder, 'out');
  const lib = { entry, formats: ['iife' as const], name: 'shop', fileName: () => 'shop.js' };
  await build({ root: folder, configFile: false, logLevel: 'error', build: { outDir, lib } });
  return readFileSync(join(outDir, 'shop.js'), 'utf8');
};

test('it contains the loader, its types and its README, and has no dependencies', () => {
  const installed = join(folder, 'node_modules', '@foyer', 'sdk');
  const { dependencies, exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  expect([dependencies, Object.keys(exports)]).toEqual([undefined, ['.']]);
  expect(execFileSync('ls', ['-R', `${folder}/node_modules/@foyer`], { encoding: 'utf8' })).not.toContain(
    'visitor-sdk',
  );
  expect(readFileSync(join(installed, 'README.md'), 'utf8')).toContain("from '@foyer/sdk'");
});

test('its types accept every command and refuse others', () => {
  writeFileSync(join(folder, 'sample.ts'), SAMPLE);
  const options = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--ignoreConfig', '--types', ''];
  const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom'];
  const check = () =>
    execFileSync(process.execPath, [TSC, 'sample.ts', ...options, ...modules], {
      cwd: folder,
      encoding: 'utf8',
    });
  expect(check()).toBe('');
});

test('importing it does nothing, and on a server its functions do nothing', () => {
  const script = `const before = Object.keys(globalThis).length;
    const { load, svc } = await import('@foyer/sdk');
    load({ url: 'https://chat.example.com', site: 'pk_1' }); svc('track', 'x'); svc('open');
    console.log(Object.keys(globalThis).length - before, typeof window);`;
  const run = [
    process.execPath,
    ['--input-type=module', '-e', script],
    { cwd: folder, encoding: 'utf8' },
  ] as const;
  expect(execFileSync(...run).trim()).toBe('0 undefined');
});

test('bundled, it queues, loads the SDK once, and works if Trusted Types allow its policy', async () => {
  const code = await bundle(`import { load, svc } from '@foyer/sdk';
    svc('track', 'early');
    for (const _ of [1, 2]) load({ url: '${service.origin}/', site: 'pk_test' });
    svc('identify', { plan: 'pro' });`);
  const { origin } = service;
  shop.page.headers = {
    'Content-Security-Policy': `default-src 'none'; script-src 'nonce-n' ${origin}; connect-src ${origin}; frame-src ${origin}; require-trusted-types-for 'script'; trusted-types foyer`,
  };
  shop.page.html = `<!doctype html><title>Shop</title><script nonce="n">${code}</script><p>A shop`;
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(`${error}`));
    await page.goto(shop.origin);
    await page.getByRole('button', { name: 'Open chat' }).waitFor();
    await expect.poll(() => service.received.length, { timeout: 10_000 }).toBe(2);
    expect(service.received.map(({ body }) => body)).toMatchObject([
      { events: [{ name: 'early' }] },
      { attributes: { plan: 'pro' } },
    ]);
    expect(service.asked.filter((path) => path.endsWith('visitor-sdk.js'))).toHaveLength(1);
    expect(said).toEqual([]);
  } finally {
    await browser.close();
  }
});
