import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Answer, startTestApp, type TestApp, type TestSite } from '../app.ts';

// The free plan's 60 requests per minute and token.

let app: TestApp;
let site: TestSite;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  site = await app.makeSite('free');
});
afterAll(() => app.close());

const at = (answer: Answer, header: string): number => Number(answer.headers.get(header));

test('of 200 requests at once exactly 60 are accepted, each with its own remainder', async () => {
  const paths = ['/v1/tags', '/v1/api.ashx?resource=whoami', '/v1/nothing', '/v1/tags?limit=0'];
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => app.rest(site.read, 'GET', paths[index % paths.length] ?? '')),
  );
  const refused = answers.filter(({ status }) => status === 429);
  const admitted = answers.filter(({ status }) => status !== 429);
  expect(admitted).toHaveLength(60);
  // Requests that are refused for another reason count too.
  expect(new Set(admitted.map(({ status }) => status))).toEqual(new Set([200, 400, 404]));
  const remainders = admitted.map((answer) => at(answer, 'ratelimit-remaining')).sort((a, b) => a - b);
  expect(remainders).toEqual(Array.from({ length: 60 }, (_, index) => index));
  for (const answer of refused) {
    expect(answer.body).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
    expect(answer.body.error.request_id).toBe(answer.headers.get('x-service-request-id'));
    expect(answer.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect(at(answer, 'ratelimit-limit')).toBe(60);
    expect(at(answer, 'ratelimit-remaining')).toBe(0);
  }
});

test('another token of the site has its own limit, and one token has the same limit in all of its forms', async () => {
  await Promise.all(Array.from({ length: 60 }, () => app.rest(site.read, 'GET', '/v1/whoami')));
  expect((await app.rest(undefined, 'GET', `/v1/whoami?token=${site.read}`)).status).toBe(429);
  expect((await app.rest(site.write, 'GET', '/v1/whoami')).status).toBe(200);
  // The token is checked before its rate, and the input after it.
  expect((await app.rest('foy_unknown', 'GET', '/v1/whoami')).status).toBe(401);
  expect((await app.rest(site.read, 'POST', '/v1/nothing', {})).status).toBe(429);
});

test('the response to a limited call costs no query', async () => {
  await Promise.all(Array.from({ length: 60 }, () => app.rest(site.read, 'GET', '/v1/whoami')));
  let queries = 0;
  const count = (): void => {
    queries += 1;
  };
  app.app.database.pool.on('acquire', count);
  for (let round = 0; round < 40; round++) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => app.rest(site.read, 'GET', '/v1/tags')),
    );
    expect(answers.every(({ status }) => status === 429)).toBe(true);
  }
  app.app.database.pool.off('acquire', count);
  // Recurring jobs run meanwhile; one query per call would be 2,000.
  expect(queries).toBeLessThan(200);
  // A request within the limit costs one query, which proves that they are counted.
  queries = 0;
  app.app.database.pool.on('acquire', count);
  await app.rest(site.write, 'GET', '/v1/tags');
  app.app.database.pool.off('acquire', count);
  expect(queries).toBeGreaterThan(0);
});
