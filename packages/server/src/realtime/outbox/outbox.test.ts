import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { silentLog, type TestDatabase, testDatabase, until } from '../../../test/harness.ts';
import { Changes, partOf, recordChange } from '../../core/changes.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { channelOfSite } from '../bus/bus.ts';
import { FollowedSites } from '../followed-sites.ts';
import { Outbox } from './outbox.ts';

const SITE = 7;

let place: TestDatabase;
let database: Database;
let outbox: Outbox;
let delivered: string[];
/** How often it has begun to read. */
let reads: number;
/** Called with each delivery. */
let onDelivery: () => void;
beforeAll(async () => {
  place = await testDatabase();
  database = openDatabase(place.url);
});
afterAll(async () => {
  await database.close();
  await place.close();
});
beforeEach(() => {
  delivered = [];
  reads = 0;
  onDelivery = () => undefined;
});
afterEach(() => outbox.stop());

async function start(busMayBringMs: number): Promise<void> {
  const followed = new FollowedSites(channelOfSite, () => undefined);
  followed.add(SITE);
  const changes = new Changes();
  const unanswered = changes.unanswered.bind(changes);
  changes.unanswered = () => {
    reads++;
    return unanswered();
  };
  outbox = new Outbox({
    db: database.db,
    log: silentLog,
    changes,
    followed,
    busMayBringMs,
    deliver(_siteId, notice) {
      if (notice.kind === 'message') delivered.push(notice.sessionId);
      onDelivery();
    },
    onGap: () => undefined,
  });
  await outbox.start();
}

const first = partOf({ node: 'there', n: 1 }, 0);
const second = partOf({ node: 'there', n: 2 }, 0);
const recordBoth = () =>
  database.db.transaction().execute(async (db) => {
    for (const n of [1, 2]) {
      const notices = JSON.stringify([{ kind: 'message', sessionId: `chat ${n}`, seq: 1 }]);
      await recordChange(SITE, { node: 'there', n }, sql`${notices}::jsonb`).execute(db);
    }
  });
/** Waits until it has read to the end at least once more. */
async function readAll(): Promise<void> {
  const before = reads;
  await until(async () => {
    outbox.readNow();
    return reads >= before + 2;
  });
}

it('leaves to the bus what it may still deliver', async () => {
  await start(600_000);
  await recordBoth();
  await readAll();
  expect(delivered).toEqual([]);
  expect(outbox.isNew(first)).toBe(true);
});

it('delivers what the bus has not delivered in time, and only that, once', async () => {
  await start(1);
  // The bus delivers the second while the first is delivered.
  onDelivery = () => {
    expect(outbox.isNew(second)).toBe(true);
  };
  await recordBoth();
  await until(async () => delivered.length > 0);
  await readAll();
  expect(delivered).toEqual(['chat 1']);
  expect(outbox.isNew(first)).toBe(false);
});
