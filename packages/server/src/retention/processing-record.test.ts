import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { PERSONAL } from '../../test/personal-tables.ts';
import { makePersonalWorld, type PersonalWorld } from '../../test/personal-world.ts';
import { PERSONAL_TABLES } from './personal-tables.ts';

let app: TestApp;
let world: PersonalWorld;
beforeAll(async () => {
  app = await startTestApp({ FOYER_ROLE: 'web' });
  world = await makePersonalWorld(app);
});
afterAll(() => app.close());

test('it has every table with something about a person, with all its columns', async () => {
  expect(Object.keys(PERSONAL_TABLES).sort()).toEqual(Object.keys(PERSONAL).sort());
  const { body } = await app.rest(world.site.read, 'GET', '/v1/processing_record');
  const { tables } = body.data;
  const { text } = (await app.desk(world.cookie, 'processing_record.export')).body.data;
  expect(tables.map((one: { table: string }) => one.table).sort()).toEqual(Object.keys(PERSONAL).sort());
  for (const { table, name } of world.columns) {
    if (!(table in PERSONAL)) continue;
    const described = tables.find((one: { table: string }) => one.table === table);
    const isGenerated = world.columns.some(
      (one) => one.table === table && one.name === name && one.generated,
    );
    if (!isGenerated) expect(described.columns, table).toContain(name);
    expect(text).toContain(table.replaceAll('_', '\\_'));
  }
});

test('it says how long data is kept, how old the oldest is, and whether that is too old', async () => {
  const messages = async () =>
    (await app.rest(world.site.read, 'GET', '/v1/processing_record')).body.data.tables.find(
      (one: { table: string }) => one.table === 'tickets',
    );
  expect(await messages()).toMatchObject({
    kept: [
      { kind: 'tickets', keep_days: null },
      { kind: 'spam_tickets', keep_days: 30 },
    ],
    overdue: false,
    exported: true,
  });
  await app.desk(world.cookie, 'retention.set', { kind: 'tickets', keep_days: 100 });
  const { pool } = app.app.database;
  await pool.query(`update tickets set created_at = now() - interval '103 days' where site_id = $1`, [
    world.site.site.id,
  ]);
  expect(await messages()).toMatchObject({ overdue: true });
});

test('it names the recipients of data, without secrets in addresses and names that break the document', async () => {
  await app.desk(world.cookie, 'webhook_subscriptions.create', {
    url: 'http://127.0.0.1:9/hook?key=of-the-receiver',
    events: ['feedback'],
  });
  await app.desk(world.cookie, 'api_tokens.create', { name: 'CRM | <b>x</b>', scopes: 'read' });
  const { body } = await app.rest(world.site.read, 'GET', '/v1/processing_record');
  expect(body.data.recipients).toEqual(
    expect.arrayContaining([
      { kind: 'webhook', name: '127.0.0.1:9', gets: 'feedback' },
      { kind: 'api_tokens', name: 'CRM | <b>x</b>', gets: 'reads over the API' },
    ]),
  );
  expect(JSON.stringify(body)).not.toContain('of-the-receiver');
  const { text } = (await app.desk(world.cookie, 'processing_record.export')).body.data;
  expect(text).toContain('| api tokens | CRM \\| \\<b\\>x\\</b\\> | reads over the API |');
  const other = await app.makeSite();
  const { body: theirs } = await app.rest(other.read, 'GET', '/v1/processing_record');
  expect(JSON.stringify(theirs.data.recipients)).not.toContain('CRM');
});
