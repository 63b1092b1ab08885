import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { silentLog, until } from '../../../test/harness.ts';
import { makePair } from '../../../test/postgres-pair.ts';
import { makePostgres, type PostgresServer } from '../../../test/postgres-server.ts';
import { StartError } from '../../base/start-error.ts';
import { operations } from '../../registry.ts';
import { openDatabase } from '../database.ts';
import { ReplicaLag } from './position.ts';
import { openReplica, type Replica } from './replica.ts';

const AN_HOUR_S = '3600';
const RANGE = { range: '7d' };

async function startWith(
  { primary, standby }: { primary: PostgresServer; standby: Pick<PostgresServer, 'url'> },
  maxLagS: string,
): Promise<TestApp> {
  const app = await startTestApp(
    { FOYER_REPLICA_MAX_LAG_S: maxLagS },
    { replicaUrl: standby.url },
    { url: primary.url, close: async () => undefined },
  );
  onTestFinished(() => app.close());
  return app;
}

const readiness = async (app: TestApp) => (await app.rest(undefined, 'GET', '/readyz')).body.data;
const becomes = (app: TestApp, replica: string): Promise<void> =>
  until(async () => (await readiness(app)).replica === replica);

/** How many reads this whole process has answered that way. */
async function readsOf(app: TestApp, answered: string): Promise<number> {
  const { body } = await app.rest(undefined, 'GET', '/metrics');
  return Number(
    new RegExp(`^foyer_replica_reads_total\\{answered="${answered}"\\} (\\d+)$`, 'm').exec(body)?.[1] ?? 0,
  );
}

test('the replica answers reports and searches, and the primary everything that reads its own writes', async () => {
  const pair = await makePair();
  const app = await startWith(pair, AN_HOUR_S);
  const { write, admin } = await app.makeSite();
  const cookie = await app.signIn(admin.email);
  const find = async () => (await app.rest(write, 'GET', '/v1/tickets?q=ibis')).body.data;
  await until(async () => {
    await app.rest(write, 'GET', '/v1/tickets?q=ibis');
    return (await readiness(app)).replica === 'up' && (await readsOf(app, 'replica')) > 0;
  });
  await pair.standby.query('select pg_wal_replay_pause()');
  const made = await app.rest(write, 'POST', '/v1/tickets', {
    subject: 'An ibis',
    body: 'It is white.',
    requester: { email: 'ada@example.com' },
  });
  expect(made.status).toBe(201);
  const { id } = made.body.data;
  expect((await app.rest(write, 'GET', `/v1/tickets?id=${id}`)).body.data.id).toBe(id);
  expect((await app.rest(write, 'GET', '/v1/tickets')).body.data).toMatchObject([{ id }]);
  const before = await readsOf(app, 'replica');
  expect(await find()).toEqual([]);
  expect((await app.desk(cookie, 'inbox.search', { q: 'ibis' })).body.data).toEqual([]);
  expect((await app.desk(cookie, 'reports.export', { ...RANGE, report: 'volume' })).status).toBe(200);
  expect(await readsOf(app, 'replica')).toBe(before + 3);
  // Exports are recorded, which the replica couldn't.
  const log = (await app.desk(cookie, 'audit.list', {})).body.data;
  expect(log).toContainEqual(expect.objectContaining({ action: 'reports.export' }));
  await pair.standby.query('select pg_wal_replay_resume()');
  await until(async () => (await find()).length === 1);
});

test('every operation that may lag writes nothing, so that the replica can answer it', async () => {
  const pair = await makePair();
  const app = await startWith(pair, AN_HOUR_S);
  const { admin, write } = await app.makeSite();
  const cookie = await app.signIn(admin.email);
  await until(async () => {
    await app.rest(write, 'GET', '/v1/tickets?q=ibis');
    return (await readsOf(app, 'replica')) > 0 && (await readiness(app)).replica === 'up';
  });
  const inputs: Record<string, object> = {
    'reports.conversations': { ...RANGE, figure: 'chats' },
    'reports.get': { ...RANGE, report: 'slas' },
    'reports.export': { ...RANGE, report: 'comments' },
    'rules.try': { trigger: { on: 'ticket_created' }, conditions: { all: [{ priority: 'high' }] } },
    'processing_record.get': {},
    'processing_record.export': {},
  };
  const names = operations.filter(({ mayLag }) => mayLag).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    const before = await readsOf(app, 'replica');
    const input = inputs[name] ?? (name.startsWith('reports.') ? RANGE : { q: 'ibis' });
    const { status, body } = await app.desk(cookie, name, input);
    expect({ name, status, error: body.error }).toEqual({ name, status: 200, error: undefined });
    expect(await readsOf(app, 'replica'), name).toBe(before + 1);
  }
});

test('while the replica is down the primary answers, and nothing has to be restarted', async () => {
  const pair = await makePair();
  const app = await startWith(pair, AN_HOUR_S);
  const { write } = await app.makeSite();
  const search = () => app.rest(write, 'GET', '/v1/tickets?q=ibis');
  await becomes(app, 'up');
  await pair.standby.stop();
  expect((await search()).status).toBe(200);
  await becomes(app, 'down');
  expect(await readiness(app)).toMatchObject({ status: 'degraded' });
  const down = await readsOf(app, 'down');
  expect((await search()).status).toBe(200);
  expect(await readsOf(app, 'down')).toBe(down + 1);
  await pair.standby.start();
  await becomes(app, 'up');
  expect(await readiness(app)).toMatchObject({ status: 'ready' });
  const answered = await readsOf(app, 'replica');
  expect((await search()).status).toBe(200);
  expect(await readsOf(app, 'replica')).toBe(answered + 1);
  // A promoted server has its own history.
  await pair.standby.query('select pg_promote()');
  await becomes(app, 'down');
  expect((await search()).status).toBe(200);
  expect(await readsOf(app, 'replica')).toBe(answered + 1);
});

test('a replica that lags more than allowed answers nothing until it has caught up', async () => {
  const pair = await makePair();
  const app = await startWith(pair, '3');
  const { write } = await app.makeSite();
  await becomes(app, 'up');
  await pair.standby.query('select pg_wal_replay_pause()');
  const requester = { email: 'ada@example.com' };
  await app.rest(write, 'POST', '/v1/tickets', { subject: 'An ibis', body: 'White.', requester });
  await becomes(app, 'behind');
  expect(await readiness(app)).toMatchObject({ status: 'degraded' });
  const { body } = await app.rest(write, 'GET', '/v1/tickets?q=ibis');
  expect(body.data).toMatchObject([{ subject: 'An ibis' }]);
  await pair.standby.query('select pg_wal_replay_resume()');
  await becomes(app, 'up');
});

async function follow(primaryUrl: string, url: string): Promise<Replica> {
  const primary = openDatabase(primaryUrl, { max: 2 });
  onTestFinished(() => primary.close());
  const replica = await openReplica({
    url,
    primary,
    poolMax: 2,
    statementTimeoutMs: 60_000,
    maxLagMs: 3_600_000,
    log: silentLog,
  });
  onTestFinished(() => replica.close());
  return replica;
}

test('a read that a recovery conflict ends is answered by the primary, and a write by nobody', async () => {
  const { primary, standby } = await makePair();
  await standby.stop();
  await standby.configure({ max_standby_streaming_delay: '0' });
  await standby.start();
  await primary.query('create table t (n int)');
  const replica = await follow(primary.url, standby.url);
  await until(async () => replica.state() === 'up');
  let went = 0;
  const reading = replica.read(
    async (db) => {
      went += 1;
      await sql`select n, pg_sleep(600) from (select 1 as n union all select n from t) x`.execute(db);
      return 'replica';
    },
    async () => 'primary',
  );
  await until(async () => {
    const { rows } = await standby.query(`select from pg_stat_activity where wait_event = 'PgSleep'`);
    return rows.length === 1;
  });
  await primary.query('truncate t');
  expect(await reading).toBe('primary');
  expect(went).toBe(1);
  expect(replica.state()).toBe('up');
  const write = replica.read(
    async (db) => {
      await sql`insert into t values (1)`.execute(db);
      return 'replica';
    },
    async () => 'primary',
  );
  await expect(write).rejects.toMatchObject({ code: '25006' });
});

test('a server of another database is refused, and an unreachable one is waited for', async () => {
  const { primary, standby } = await makePair();
  const other = await makePostgres();
  onTestFinished(() => other.stop());
  await other.start();
  await expect(follow(primary.url, other.url)).rejects.toThrow(
    /^DATABASE_REPLICA_URL [^\n]+ another database [^\n]+$/,
  );
  const elsewhere = standby.url.replace(/postgres$/, 'template1');
  await expect(follow(primary.url, elsewhere)).rejects.toThrow(/another database/);
  await expect(follow(primary.url, standby.url.replace(/postgres$/, 'nowhere'))).rejects.toThrow(StartError);
  await standby.stop();
  const replica = await follow(primary.url, standby.url);
  expect(replica.state()).toBe('down');
  expect(
    await replica.read(
      async () => 'replica',
      async () => 'primary',
    ),
  ).toBe('primary');
  await standby.start();
  await until(async () => replica.state() === 'up');
  expect(
    await replica.read(
      async () => 'replica',
      async () => 'primary',
    ),
  ).toBe('replica');
});

test('the lag is the age of the newest mark that the replica has passed, however many are open', () => {
  const lag = new ReplicaLag();
  lag.mark(1_000, 10);
  expect(lag.at(1_000)).toBe(Number.POSITIVE_INFINITY);
  lag.mark(2_000, 20);
  lag.mark(3_000, 20);
  lag.replayed(19);
  expect(lag.at(4_000)).toBe(3_000);
  lag.replayed(20);
  expect(lag.at(4_000)).toBe(1_000);
  // Paused for an hour, then caught up.
  for (let s = 5; s < 3_600; s++) lag.mark(s * 1_000, s * 10);
  lag.replayed(20);
  expect(lag.at(3_600_000)).toBe(3_597_000);
  lag.replayed(36_000);
  expect(lag.at(3_600_000)).toBe(1_000);
  lag.forget();
  expect(lag.at(3_600_000)).toBe(Number.POSITIVE_INFINITY);
});
