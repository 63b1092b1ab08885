import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { holdUp } from '../../../test/waiting.ts';
import { IDEMPOTENCY_HOURS } from './idempotency.ts';

let app: TestApp;
let site: TestSite;
let now = new Date();
beforeAll(async () => {
  app = await startTestApp({}, { now: () => now });
  site = await app.makeSite();
});
afterAll(() => app.close());

const create = (key: string): Promise<Answer> =>
  app.rest(
    site.write,
    'POST',
    '/v1/tickets',
    { subject: 'Lamp', body: 'Broken', requester: { key: 'user_1' } },
    { 'idempotency-key': key },
  );
const idOf = ({ body }: Answer): number => body.data.id;
const keys = async (): Promise<string[]> =>
  (
    await sql<{ key: string }>`select key from idempotency_keys order by created_at`.execute(
      app.app.database.db,
    )
  ).rows.map(({ key }) => key);

test('a key is valid for a day to the millisecond, and gone a moment later', async () => {
  const first = idOf(await create('monday'));
  now = new Date(now.getTime() + IDEMPOTENCY_HOURS * 3_600_000);
  expect(idOf(await create('monday'))).toBe(first);
  now = new Date(now.getTime() + 1);
  expect(idOf(await create('monday'))).not.toBe(first);
});

test('of fifty calls at once under one key one runs, and all get its answer; another body is refused', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => create('crowd')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(answers.map(idOf)).size).toBe(1);
  const all = await app.rest(site.read, 'GET', '/v1/tickets?limit=200');
  expect(all.body.data.filter(({ id }: { id: number }) => id >= idOf(answers[0] as Answer))).toHaveLength(1);
  const body = { subject: 'Other', body: 'Broken', requester: { key: 'user_1' } };
  const other = await app.rest(site.write, 'POST', '/v1/tickets', body, { 'idempotency-key': 'crowd' });
  expect(other.status).toBe(409);
});

test('a call does not wait for an expired key that another call is using', async () => {
  await create('old');
  now = new Date(now.getTime() + (IDEMPOTENCY_HOURS + 1) * 3_600_000);
  const holder = await holdUp(app.databaseUrl);
  await holder.query(`select from idempotency_keys where key = 'old' for update`);
  const call = create('new');
  const first = await Promise.race([call, holder.awaited()]);
  await holder.commit();
  expect((await call).status).toBe(201);
  expect(first).toBeDefined();
  await create('next');
  expect(await keys()).toEqual(['new', 'next']);
});
