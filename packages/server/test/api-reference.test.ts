import { createClient } from '@foyer/client';
import { contract } from '@foyer/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientResource } from '../src/core/client-names.ts';
import { clientCallOf, curlOf, sentBy } from '../src/http/openapi/docs-examples.ts';
import { describeApi } from '../src/http/openapi/document.ts';
import { describeSchemas } from '../src/http/openapi/schemas.ts';
import type { HttpMethod } from '../src/http/openapi/types.ts';
import { fieldKinds, mergeInput, queryInput } from '../src/http/rest/rest-input.ts';
import { operations, resources } from '../src/registry.ts';
import { startTestApp, type TestApp } from './app.ts';
import { violationsIn } from './axe.ts';
import { openBrowser, type TestBrowser } from './chromium.ts';
import { readCurl } from './doc-pages.ts';

let app: TestApp;
let browser: TestBrowser;
let page: string;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestApp(), openBrowser()]);
  page = await (await fetch(`${app.url}/docs`)).text();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const restOperations = operations.flatMap((operation) =>
  operation.rest ? [[operation.name, operation, operation.rest] as const] : [],
);
const document = describeApi({ baseUrl: 'https://chat.example.com', version: '1', queryToken: true });
const schemas = describeSchemas();

describe.each(restOperations)('%s', (name, operation, route) => {
  const described = document.paths[`/v1/${route.resource}`]?.[route.method.toLowerCase() as HttpMethod];
  if (!described) throw new Error(`${name} is not described`);
  const sent = sentBy(described, document.components.schemas);

  it('has its own section, which the list of its resource links to', () => {
    expect(page).toContain(`id="${name}"`);
    expect(page).toContain(`href="#${name}"`);
    expect(page).toContain(`href="#${route.resource}"`);
  });

  it('is shown with a curl call that works as it is', () => {
    const call = readCurl(curlOf('https://chat.example.com', route, sent), { TOKEN: 'foy_x' });
    expect([call.method, call.url.pathname]).toEqual([route.method, `/v1/${route.resource}`]);
    const query = queryInput(call.url.searchParams, fieldKinds(operation), route.query);
    const input =
      call.body === undefined ? query : mergeInput(JSON.parse(call.body), query, route.query ?? []);
    expect(contract[name].input.safeParse(input).error?.issues).toBeUndefined();
  });

  it('is shown with a call that the client has', () => {
    const foyer = createClient({ baseUrl: 'https://chat.example.com', token: 'foy_x' });
    const code = clientCallOf(operation, route, schemas.answers(name), sent);
    const calls = [...code.matchAll(/foyer\.(\w+)\.(\w+)\(/g)];
    expect(calls.length).toBeGreaterThan(0);
    for (const [, resource = '', method = ''] of calls) {
      expect(resource).toBe(clientResource(route.resource));
      expect(foyer, `${resource}.${method}`).toHaveProperty([resource, method], expect.any(Function));
    }
  });
});

describe('/docs', () => {
  it('has every resource, and nothing of another host, no script and no style of its own', () => {
    for (const name of resources.keys()) expect(page).toContain(`id="${name}"`);
    expect(page).not.toMatch(/<script|<style|\son\w+=|\sstyle=|<img|<iframe/i);
    const targets = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target = '']) => target);
    expect(targets.filter((target) => !/^(#|\/(?!\/))/.test(target))).toEqual([]);
    const ids = new Set([...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => `#${id}`));
    expect(targets.filter((target) => target.startsWith('#') && !ids.has(target))).toEqual([]);
  });

  it('is held to that by its policy, and sent once', async () => {
    const first = await fetch(`${app.url}/docs`);
    expect(first.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/);
    expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(`${app.url}/docs`, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    const [, sheet = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(page) ?? [];
    const style = await fetch(app.url + sheet);
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    expect(style.headers.get('cache-control')).toContain('immutable');
  });

  it.each([
    [1440, 'light'],
    [768, 'dark'],
    [390, 'light'],
  ] as const)('is whole at %i px in %s', async (width, colorScheme) => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const tab = await context.newPage();
    const said: string[] = [];
    tab.on('console', (message) => said.push(message.text()));
    await tab.goto(`${app.url}/docs`);
    const contents = tab.getByRole('navigation').filter({ visible: true });
    if (width < 1024) await tab.getByText('Contents', { exact: true }).click();
    await contents.getByRole('link', { name: 'tags', exact: true }).click();
    await tab.getByRole('heading', { name: 'tags', exact: true }).waitFor();
    const wide = await tab.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect([wide, said]).toEqual([0, []]);
    // The page has thousands of similar parts; these are one of each.
    const include = ['.top', '.intro', '#errors', '#tags', 'nav'].map((part) => [part]);
    const violations = await violationsIn(tab, {}, { include });
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    await context.close();
  });
});
