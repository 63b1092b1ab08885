import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';

let app: TestApp;
let site: TestSite;
beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
});
afterAll(() => app.close());

const CALLERS = 200;

test('of 200 callers at once over HTTP one creates the visitor, and every value is stored', async () => {
  const made = await app.rest(site.write, 'POST', '/v1/segments', {
    name: 'Pros',
    rule: { all: [{ attribute: 'plan', op: 'eq', value: 'pro' }] },
  });
  expect(made.status).toBe(201);
  const answers = await Promise.all(
    Array.from({ length: CALLERS }, (_, at) =>
      app.rest(site.write, 'POST', '/v1/visitors', { key: 'user_1', plan: 'pro', [`a${at % 90}`]: at % 90 }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([
    ...Array.from({ length: CALLERS - 1 }, () => 200),
    201,
  ]);
  const { body } = await app.rest(site.read, 'GET', '/v1/visitors');
  expect(body.data).toHaveLength(1);
  expect(Object.keys(body.data[0].attributes)).toHaveLength(91);
  expect(body.data[0].segments).toEqual(['Pros']);
  await expect
    .poll(async () => (await app.rest(site.read, 'GET', `/v1/segments?id=${made.body.data.id}`)).body.data, {
      timeout: 30_000,
    })
    .toMatchObject({ size: 1, ready: true });
});

test('concurrent events for a new key create one visitor and are all kept', async () => {
  const answers = await Promise.all(
    Array.from({ length: CALLERS }, () =>
      app.rest(site.write, 'POST', '/v1/track', { key: 'user_2', name: 'looked' }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  const { body } = await app.rest(site.read, 'GET', '/v1/visitors?key=user_2');
  expect(body.data.event_count).toBe(CALLERS);
});
