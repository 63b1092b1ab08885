import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { mentions, type Rows, rowsOf } from '../../test/database-rows.ts';
import { IMPERSONAL, PERSONAL } from '../../test/personal-tables.ts';
import { gapsIn, makePersonalWorld, type Person, type PersonalWorld } from '../../test/personal-world.ts';
import { EXPORTED } from '../visitors/data-export.ts';

let app: TestApp;
let world: PersonalWorld;
let before: Rows;
beforeAll(async () => {
  app = await startTestApp({ FOYER_ROLE: 'web' });
  world = await makePersonalWorld(app);
  before = await world.rows();
});
afterAll(() => app.close());

/** The columns that contain a word, as `table.column`. */
function placesOf(rows: Rows, word: string): string[] {
  const places = [...rows].flatMap(([table, all]) =>
    all.flatMap((row) =>
      Object.entries(row).flatMap(([column, value]) => (mentions(value, word) ? [`${table}.${column}`] : [])),
    ),
  );
  return [...new Set(places)].sort();
}

/** A person's rows as text, table by table. */
const lifeOf = (rows: Rows, { visitorId, who, said }: Person): Record<string, string[]> =>
  Object.fromEntries(
    [...rowsOf(rows, world.keys, visitorId, [who, said])].map(([table, own]) => [
      table,
      [...own].map((row) => JSON.stringify(row)),
    ]),
  );

describe('the data of these tests', () => {
  test('classifies every table by whether it contains data of a visitor', () => {
    const tables = [...before.keys()].filter((name) => !name.startsWith('foyer_jobs.'));
    expect([...Object.keys(PERSONAL), ...IMPERSONAL].sort()).toEqual(tables.sort());
    const reached = new Set(['visitors']);
    for (let size = 0; size < reached.size; ) {
      size = reached.size;
      for (const { child, parent } of world.keys) if (reached.has(parent)) reached.add(child);
    }
    expect([...reached].filter((table) => !(table in PERSONAL))).toEqual([]);
  });

  test('has rows of both visitors in each of their tables, with words of theirs in every column', () => {
    expect(gapsIn(world, before, world.doomed)).toEqual([]);
    expect(gapsIn(world, before, world.bystander)).toEqual([]);
  });
});

test('the export of a person has rows of every table that it names', async () => {
  let text = '';
  let after: string | null | undefined;
  do {
    const input = { key: world.doomed.key, ...(after ? { after } : {}) };
    const { body } = await app.desk(world.cookie, 'visitor_data.export', input);
    text += body.data.text;
    after = body.data.next;
  } while (after);
  const data = JSON.parse(text);
  const names = EXPORTED.map(({ table, formerly }) => formerly?.name ?? table);
  expect(names.filter((name) => !(data[name]?.length > 0))).toEqual([]);
  // Published names don't change, whatever the columns are called.
  expect(Object.keys(data.visitors[0])).toEqual(
    expect.arrayContaining(['folded_into_id', 'introduced_at', 'vouched']),
  );
  expect(Object.keys(data.visitor_devices[0])).toEqual(expect.arrayContaining(['introduced_at', 'told']));
  expect(Object.keys(data.gap_questions[0])).toContain('gap_id');
  expect(text).toContain(world.doomed.said);
  expect(text).not.toContain(world.bystander.who);
});

describe('once a visitor is erased over REST', () => {
  let after: Rows;
  beforeAll(async () => {
    const { status } = await app.rest(world.site.write, 'DELETE', `/v1/visitors?key=${world.doomed.key}`);
    expect(status).toBe(200);
    after = await world.rows();
  });

  test('nothing in the whole database says who they were', () => {
    expect(placesOf(before, world.doomed.who)).not.toEqual([]);
    expect(placesOf(after, world.doomed.who)).toEqual([]);
  });

  test('their messages are where they were, and nowhere else', () => {
    const kept = Object.entries(PERSONAL).flatMap(([table, columns]) =>
      (columns.kept ?? []).map((column) => `${table}.${column}`),
    );
    expect(placesOf(after, world.doomed.said)).toEqual(kept.sort());
  });

  test('every row of another visitor is as it was', () => {
    expect(lifeOf(after, world.bystander)).toEqual(lifeOf(before, world.bystander));
  });
});

test('a merge moves every row: the other visitor has all of them, in every table', async () => {
  const countsOf = async (visitorId: number) =>
    new Map(
      [...rowsOf(await world.rows(), world.keys, visitorId, [])].map(([table, own]) => [table, own.size]),
    );
  const { key, visitorId } = world.bystander;
  const had = await countsOf(visitorId);
  await app.rest(world.site.write, 'POST', '/v1/visitors', { key: 'into' });
  const { status } = await app.desk(world.cookie, 'visitors.merge', { key, into_key: 'into' });
  expect(status).toBe(200);
  const row = (await world.rows()).get('visitors')?.find((one) => one.key === 'into');
  const has = await countsOf(Number(row?.id));
  expect([...had].filter(([table, count]) => (has.get(table) ?? 0) < count)).toEqual([]);
  // The remaining row says which visitor it was merged into, and has no data of its own.
  expect((await countsOf(visitorId)).size).toBeLessThanOrEqual(1);
});
