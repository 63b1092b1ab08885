import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLog, type TestDatabase, testDatabase, until } from '../../../test/harness.ts';
import type { Bus } from './bus.ts';
import { openPostgresBus } from './postgres-bus.ts';

let database: TestDatabase;
let pool: pg.Pool;
let sender: Bus;
let receiver: Bus;
const received: unknown[] = [];
beforeAll(async () => {
  database = await testDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  // The database is dropped while the pool's connections are still closing.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const open = (onMessage: (message: unknown) => void) =>
    openPostgresBus({ url: database.url, pool, log: silentLog, onMessage, onGap: () => undefined });
  sender = await open((message) => received.push({ own: message }));
  receiver = await open((message) => received.push(message));
});
afterAll(async () => {
  await sender.close();
  await receiver.close();
  await pool.end();
  await database.close();
});

/** The messages that the receiver got, in order. The last one is for everybody. */
async function sent(...messages: [siteId: number | undefined, message: object][]): Promise<unknown[]> {
  received.length = 0;
  const end = { end: true };
  for (const [siteId, message] of messages) sender.publish(siteId, message);
  sender.publish(undefined, end);
  await until(async () => received.length > 0 && JSON.stringify(received.at(-1)) === JSON.stringify(end));
  return received.slice(0, -1);
}

it('delivers to a process the messages for everybody and for its followed sites, in order, and no others', async () => {
  receiver.follow(7);
  receiver.follow(70);
  const text = 'two\nlines, [and] "marks" ü';
  const all = await sent([7, { text }], [8, { n: 1 }], [undefined, { n: 2 }], [70, { n: 3 }], [7, { n: 4 }]);
  expect(all).toEqual([{ text }, { n: 2 }, { n: 3 }, { n: 4 }]);
  receiver.unfollow(7);
  expect(await sent([7, { n: 5 }], [70, { n: 6 }])).toEqual([{ n: 6 }]);
});

it('carries messages of the largest size, in any number', async () => {
  const filled = (n: number) => ({ n, text: 'x'.repeat(sender.maxBytes - `{"n":${n},"text":""}`.length) });
  const many = Array.from({ length: 40 }, (_, index) => ({ n: 1_000 + index, text: 'ü'.repeat(index * 7) }));
  const messages = [...many, filled(7), filled(8), ...many];
  expect(await sent(...messages.map((message): [number, object] => [70, message]))).toEqual(messages);
});

it('understands processes of the version before, and is understood by them', async () => {
  received.length = 0;
  await pool.query(`select pg_notify('foyer', 'abcdefabcdef[{"site":9,"notice":{"kind":"lists"}}]')`);
  await until(async () => received.length === 2);
  expect(received).toContainEqual({ site: 9, notice: { kind: 'lists' } });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('listen foyer');
  const payload = new Promise<string>((resolve) =>
    client.once('notification', (notification) => resolve(notification.payload ?? '')),
  );
  await sent([3, { n: 1 }], [4, { n: 2 }]);
  // In the form in which they read it.
  expect(JSON.parse((await payload).slice(12))).toEqual([[3, 4, 0], { n: 1 }, { n: 2 }, { end: true }]);
  await client.end();
});

it('disconnects a process that reads nothing, and no other', async () => {
  const [reading, hung] = ['reading', 'hung'].map(
    () => new pg.Client({ connectionString: database.url, application_name: 'foyer bus' }),
  );
  const ended = { reading: false, hung: false };
  reading?.on('error', () => undefined).on('end', () => Object.assign(ended, { reading: true }));
  hung?.on('error', () => undefined).on('end', () => Object.assign(ended, { hung: true }));
  for (const client of [reading, hung]) {
    await client?.connect();
    await client?.query('listen foyer');
  }
  const { rows } = await pool.query(
    `select count(*)::int from pg_stat_activity where datname = current_database() and application_name = 'foyer bus'`,
  );
  const { stream } = Reflect.get(hung ?? {}, 'connection');
  stream.pause();
  const checking = await openPostgresBus({
    url: database.url,
    pool,
    log: silentLog,
    onMessage: () => undefined,
    onGap: () => undefined,
    // A reader that a busy machine delays for less than three checks must not count as hung.
    checkMs: 1_000,
  });
  // 32 MB: the kernel buffers less.
  await pool.query(
    `select pg_notify('foyer', repeat('0', 12) || json_build_object('nothing', n || repeat('x', 7900)))
     from generate_series(1, 4000) n`,
  );
  await until(async () => {
    const left = await pool.query(
      `select count(*)::int from pg_stat_activity where datname = current_database() and application_name = 'foyer bus'`,
    );
    return left.rows[0]?.count === rows[0]?.count;
  });
  stream.resume();
  await until(async () => ended.hung);
  expect(ended.reading).toBe(false);
  await reading?.end();
  await checking.close();
});
