import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/harness.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { allCounters } from '../counters.ts';
import { workFor } from './loop-time.ts';

let test: TestDatabase;
let database: Database;
beforeAll(async () => {
  test = await testDatabase();
  database = openDatabase(test.url, { max: 2 });
  await database.pool.query('select 1');
});
afterAll(async () => {
  await database.close();
  await test.close();
});

const blocked = (entry: string): number => {
  const counter = allCounters().find(({ name }) => name === 'foyer_event_loop_blocked_total');
  return [...(counter?.counted() ?? [])].find(([[known]]) => known === entry)?.[1] ?? 0;
};
/** Keeps the event loop for longer than what counts as blocked. */
function block(): void {
  const until = performance.now() + 80;
  while (performance.now() < until);
}
/** What ran before it is counted with the next mark. */
const next = (): void => workFor('other', () => undefined);

it('work that blocks the event loop counts as its entry point’s, whoever began after it', async () => {
  const query = database.pool.query('select 1');
  const slow = workFor('scim', async () => {
    await database.pool.query('select pg_sleep(0.05)');
    block();
  });
  workFor('portal', () => undefined);
  await slow;
  next();
  expect([blocked('scim'), blocked('portal')]).toEqual([1, 0]);
  await query;

  const typed = workFor('mcp', async () => {
    await database.db.selectFrom('sites').select('id').execute();
    block();
  });
  workFor('portal', () => undefined);
  await typed;
  next();
  expect([blocked('mcp'), blocked('portal')]).toEqual([1, 0]);
});

it('time in which nothing runs is nobody’s', async () => {
  const before = blocked('help');
  await workFor('help', () => database.pool.query('select pg_sleep(0.2)'));
  next();
  expect(blocked('help')).toBe(before);
});
