import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog, testDatabase } from '../../test/harness.ts';
import { openQueue } from '../jobs/queue.ts';
import { jobs } from '../registry.ts';
import { type Database, openDatabase } from './database.ts';
import { constant, prepared } from './prepared.ts';

let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const { url, close } = await testDatabase();
  drop = close;
  database = openDatabase(url, { max: 1 });
});
afterAll(async () => {
  await database.close();
  await drop();
});

const kept = async (): Promise<number> => {
  const { rows } = await sql<{
    kept: number;
  }>`select count(*)::int as kept from pg_prepared_statements`.execute(database.db);
  return rows[0]?.kept ?? 0;
};

describe('a marked statement', () => {
  const twice = (value: number) => sql<{ twice: number }>`${prepared} select 2 * ${value}::int as twice`;

  it('is prepared once by its connection and accepts other values each time', async () => {
    const before = await kept();
    for (const value of [1, 2, 3]) {
      const { rows } = await twice(value).execute(database.db);
      expect(rows).toEqual([{ twice: 2 * value }]);
    }
    expect(await kept()).toBe(before + 1);
  });

  it('works within a transaction, and after one that failed', async () => {
    const failing = database.db.transaction().execute(async (tx) => {
      await twice(4).execute(tx);
      await sql`select 1 / 0`.execute(tx);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect((await twice(5).execute(database.db)).rows).toEqual([{ twice: 10 }]);
  });
});

it('one whose mark is on its second line is prepared too', async () => {
  const before = await kept();
  await sql`
    ${prepared} select ${1}::int as one`.execute(database.db);
  expect(await kept()).toBe(before + 1);
});

it('a constant part is compiled in place, and refuses parameters, which it would lose', async () => {
  const part = constant(sql`1 as ${sql.ref('some one')}`);
  expect((await sql`select ${part}, ${2}::int as two`.execute(database.db)).rows).toEqual([
    { 'some one': 1, two: 2 },
  ]);
  expect(() => constant(sql`${1}::int as one`)).toThrow('parameters in a constant part');
});

it('the one that queues a job of a kind is prepared once', async () => {
  const queue = await openQueue({ url: database.url }, jobs, silentLog);
  const before = await kept();
  for (const received_id of [1, 2])
    await queue.send(database.db, 'email.process', { received_id }, { key: `${received_id}` });
  await queue.stop();
  expect(await kept()).toBe(before + 1);
  const { rows } = await sql`select from foyer_jobs.job where name = 'email.process'`.execute(database.db);
  expect(rows).toHaveLength(2);
});

it('one of Kysely’s is prepared once too', async () => {
  const before = await kept();
  for (const id of [1, 2])
    await database.db.selectFrom('sites').modifyFront(prepared).select('id').where('id', '=', id).execute();
  expect(await kept()).toBe(before + 1);
});

it('beyond a connection’s limit of texts, statements are not prepared, and work all the same', async () => {
  const before = await kept();
  for (let at = 0; at < 120; at++) {
    const { rows } = await sql`${prepared} select ${sql.lit(at)}::int as at`.execute(database.db);
    expect(rows).toEqual([{ at }]);
  }
  expect((await kept()) - before).toBeLessThan(100);
});

it('an unmarked statement is not prepared', async () => {
  const before = await kept();
  await sql`select ${1}::int as one`.execute(database.db);
  expect(await kept()).toBe(before);
});
