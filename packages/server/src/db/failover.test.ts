import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { startTestApp } from '../../test/app.ts';
import { openLine } from '../../test/cut-line.ts';
import { testDatabase, until } from '../../test/harness.ts';
import { startLoad } from '../../test/outbox-load.ts';
import { makePair } from '../../test/postgres-pair.ts';
import { isReadOnly } from '../base/errors.ts';
import { openDatabase } from './database.ts';

const VISITORS = 6;
const ACKED_BEFORE = 60;
const ACKED_AFTER = 60;

test('a failover under load loses nothing that was acknowledged, and needs no restart', async () => {
  const { primary, standby } = await makePair({ isSynchronous: true });
  let target = primary;
  const line = await openLine(() => target.port);
  onTestFinished(() => line.close());
  const url = `postgres://foyer@127.0.0.1:${line.port}/postgres`;
  const app = await startTestApp({}, {}, { url, close: async () => undefined });
  const { publicKey } = await app.makeSite();
  const load = startLoad({ url: app.url, publicKey }, VISITORS);
  await until(async () => load.acked.size >= ACKED_BEFORE);
  line.cut();
  await primary.stop('SIGQUIT');
  await standby.query('select pg_promote()');
  const before = load.acked.size;
  target = standby;
  line.mend();
  await until(async () => load.acked.size >= before + ACKED_AFTER);
  await load.end();
  const { rows } = await sql<{ client_id: string; count: number }>`
    select client_id, count(*)::int as count from messages group by 1`.execute(app.app.database.db);
  const stored = new Map(rows.map(({ client_id, count }) => [client_id, count]));
  expect([...load.acked].filter((id) => stored.get(id) !== 1)).toEqual([]);
  const gaps = await sql`
    select conversation_id from messages group by 1 having count(*) <> max(seq)`.execute(app.app.database.db);
  expect(gaps.rows).toEqual([]);
  // Only errors that clients retry.
  expect([...load.refusals].filter((code) => code !== 'unavailable' && code !== 'closed')).toEqual([]);
  await app.close();
});

test('a standby is never mistaken for the primary, not even by a connection that was to its primary', async () => {
  const { standby } = await makePair({ isSynchronous: true });
  const there = openDatabase(standby.url, { max: 1 });
  await expect(there.pool.query('select 1')).rejects.toSatisfy(isReadOnly);
  await there.close();
  const replica = openDatabase(standby.url, { max: 1, replica: true });
  expect((await replica.pool.query('select pg_is_in_recovery() as standby')).rows).toEqual([
    { standby: true },
  ]);
  await replica.close();
  const own = await testDatabase();
  const { pool, close } = openDatabase(own.url, { max: 1 });
  onTestFinished(async () => {
    await close();
    await own.close();
  });
  await pool.query('set default_transaction_read_only = on');
  const write = () => pool.query(`insert into sites (name, greeting, public_key) values ('A', 'B', 'pk_a')`);
  await expect(write()).rejects.toSatisfy(isReadOnly);
  // On another connection: the first one still has the setting.
  expect((await write()).rowCount).toBe(1);
});
