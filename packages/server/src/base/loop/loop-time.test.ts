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

/** Seconds that the loop has worked for an entry point. */
const busy = (entry: string): number => {
  const counter = allCounters().find(({ name }) => name === 'foyer_event_loop_busy_seconds_total');
  return [...(counter?.counted() ?? [])].find(([[known]]) => known === entry)?.[1] ?? 0;
};
const BLOCK_S = 0.4;
/** Blocks the event loop, for longer than a busy machine keeps this process from running. */
function block(): void {
  const until = performance.now() + BLOCK_S * 1_000;
  while (performance.now() < until);
}
/** What ran before it is counted with the next mark. */
const next = (): void => workFor('other', () => undefined);

it.each([
  ['scim', 'by the pool', () => database.pool.query('select pg_sleep(0.05)')],
  ['mcp', 'by Kysely', () => database.db.selectFrom('sites').select('id').execute()],
] as const)(
  'work of %s after an answer %s counts as its own, no matter what has begun since',
  async (entry, _by, ask) => {
    const portal = busy('portal');
    const slow = workFor(entry, async () => {
      await ask();
      block();
    });
    workFor('portal', () => undefined);
    await slow;
    next();
    expect(busy(entry)).toBeGreaterThanOrEqual(BLOCK_S);
    expect(busy('portal') - portal).toBeLessThan(BLOCK_S);
  },
);

it('idle time counts for no entry point', async () => {
  const before = busy('help');
  await workFor('help', () => database.pool.query('select pg_sleep(1)'));
  next();
  expect(busy('help') - before).toBeLessThan(1);
});
