import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';

let app: TestApp;
let busy: TestSite;
let quiet: TestSite;
beforeAll(async () => {
  app = await startTestApp({ FOYER_SITE_CPU_PERCENT: '5' });
  [busy, quiet] = [await app.makeSite(), await app.makeSite()];
});
afterAll(() => app.close());

it('if a site uses more than its share, its programs are refused, but neither its desk nor other sites', async () => {
  const body = `${'A paragraph with **bold** words, a [link](https://shop.example) and more.\n\n'.repeat(2_000)}`;
  let answer = await app.rest(busy.write, 'GET', '/v1/tags');
  for (let n = 0; n < 300 && answer.status !== 429; n++)
    answer = await app.rest(busy.write, 'POST', '/v1/articles', { title: `Article ${n}`, body });
  expect([answer.status, answer.body.error.code, answer.headers.get('retry-after')]).toEqual([
    429,
    'rate_limited',
    '5',
  ]);
  expect(answer.body.error.message).toBe(
    'This site takes more than its share of the server. Try again in 5 s.',
  );
  expect((await app.rest(quiet.read, 'GET', '/v1/tags')).status).toBe(200);
  const cookie = await app.signIn(busy.admin.email);
  expect((await app.desk(cookie, 'articles.list')).status).toBe(200);
});
