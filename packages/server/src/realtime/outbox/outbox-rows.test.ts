import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/harness.ts';
import { recordChange } from '../../core/changes.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { type Position, pruneOutbox, readOutbox, rowsSince } from './outbox-rows.ts';

const SITE = 7;
const MAX = 1_000;

let place: TestDatabase;
let database: Database;
let last = 0;
beforeAll(async () => {
  place = await testDatabase();
  database = openDatabase(place.url);
});
afterAll(async () => {
  await database.close();
  await place.close();
});
beforeEach(async () => {
  await sql`truncate notice_outbox`.execute(database.db);
});

const here = { node: 'here', unanswered: [] as number[], sites: [SITE] };
async function record(
  { siteId = SITE, node = 'there', everyone = false } = {},
  db: Pick<Database, 'db'>['db'] = database.db,
) {
  const n = ++last;
  await recordChange(siteId, { node, n }, sql`'[{"kind":"lists"}]'::jsonb`, { everyone }).execute(db);
  return n;
}
async function read(since: Position | undefined, wanted = here) {
  const { position, rows } = await readOutbox(database.db, since, wanted, MAX);
  return { position, found: rows.map(({ n }) => n) };
}

it('reads each change once, even one whose transaction was running while later ones were read', async () => {
  const start = await read(undefined);
  const slow = new pg.Client({ connectionString: place.url });
  await slow.connect();
  await slow.query('begin');
  const insert =
    'insert into notice_outbox (site_id, node, n, everyone, notices) values ($1, $2, $3, false, $4)';
  const early = ++last;
  await slow.query(insert, [SITE, 'there', early, '[]']);
  const later = await record();
  const first = await read(start.position);
  expect(first.found).toEqual([later]);
  const another = await record();
  const second = await read(first.position);
  expect(second.found).toEqual([another]);
  await slow.query('commit');
  await slow.end();
  const third = await read(second.position);
  expect(third.found).toEqual([early]);
  expect((await read(third.position)).found).toEqual([]);
});

it('reads of others the changes for everybody or of a followed site, and of itself the unanswered ones', async () => {
  const start = await read(undefined);
  await record({ siteId: 8 });
  const forAll = await record({ siteId: 8, everyone: true });
  const followed = await record();
  await record({ node: 'here' });
  const unanswered = await record({ node: 'here' });
  expect((await read(start.position)).found).toEqual([forAll, followed]);
  const wanted = { ...here, unanswered: [unanswered] };
  expect((await read(start.position, wanted)).found).toEqual([unanswered, forAll, followed]);
});

it('deletes changes that were committed at a position, in parts, and none that readers may lack', async () => {
  const start = await read(undefined);
  const slow = new pg.Client({ connectionString: place.url });
  await slow.connect();
  await slow.query('begin');
  const early = ++last;
  const insert =
    'insert into notice_outbox (site_id, node, n, everyone, notices) values ($1, $2, $3, false, $4)';
  await slow.query(insert, [SITE, 'there', early, '[]']);
  for (let row = 0; row < 5; row++) await record();
  const { position } = await read(start.position);
  const after = await record();
  await slow.query('commit');
  await slow.end();
  expect(await pruneOutbox(database.db, position, 3)).toBe(3);
  expect(await pruneOutbox(database.db, position, 3)).toBe(2);
  expect(await pruneOutbox(database.db, position, 3)).toBe(0);
  expect((await read(start.position)).found).toEqual([early, after]);
});

it('reads by index among many rows, whatever the statistics say', async () => {
  await sql`
    insert into notice_outbox (site_id, tx, node, n, everyone, notices)
    select ${SITE}, (pg_current_xact_id()::text::bigint - i % 500)::text::xid8, 'there', i, false, '[]'
    from generate_series(1, 99000) i`.execute(database.db);
  const { position } = await read(undefined);
  for (const analysed of [false, true]) {
    if (analysed) await sql`analyze notice_outbox`.execute(database.db);
    await record();
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (analyze, costs off, timing off, summary off)
      ${rowsSince({ ...position, running: ['5', '6'] }, here, MAX)}`.execute(database.db);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).not.toMatch(/Seq Scan|Rows Removed by Filter: \d{3}/);
  }
});
