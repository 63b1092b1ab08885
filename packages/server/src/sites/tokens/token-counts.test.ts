import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSiteFixture, type SiteFixture } from '../../../test/fixtures/sites.ts';
import { createToken } from './api-tokens.ts';
import { createTokenCounts } from './token-counts.ts';

let fixture: SiteFixture;
beforeAll(async () => {
  fixture = await openSiteFixture();
});
afterAll(() => fixture.close());

async function newCounts() {
  const { admin, site } = await fixture.newSite();
  const { id } = await createToken(admin, { name: 'CI', scopes: 'read' });
  const counts = createTokenCounts({ db: fixture.db, now: () => new Date(), log: pino({ level: 'silent' }) });
  const count = (): number => counts.count({ siteId: site.id, tokenId: id, stored: 0 }, '203.0.113.7');
  return { counts, count, id };
}

const waitsForLock = async (): Promise<boolean> => {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock') as waits`.execute(fixture.db);
  return rows[0]?.waits ?? false;
};

test('requests that are being written count as well', async () => {
  const { counts, count, id } = await newCounts();
  for (let request = 0; request < 3; request += 1) count();
  let flushing = Promise.resolve();
  await fixture.db.transaction().execute(async (tx) => {
    await tx.selectFrom('api_tokens').select('id').where('id', '=', id).forUpdate().execute();
    flushing = counts.flush();
    await expect.poll(waitsForLock).toBe(true);
    expect(count()).toBe(4);
  });
  await flushing;
  expect(count()).toBe(5);
  await counts.stop();
});

test('a row that was read while a batch was being written changes no count', async () => {
  const { counts, count, id } = await newCounts();
  for (let request = 0; request < 3; request += 1) count();
  const learnStale = counts.reading();
  await counts.flush();
  learnStale(id, 0);
  expect(count()).toBe(4);
  const learn = counts.reading();
  learn(id, 10);
  expect(count()).toBe(12);
  await counts.stop();
});

test('the counts of other processes are known after the next batch', async () => {
  const { counts, count, id } = await newCounts();
  count();
  await fixture.db.updateTable('api_tokens').set({ request_count: 40 }).where('id', '=', id).execute();
  await counts.flush();
  expect(count()).toBe(42);
  await counts.stop();
});
