import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDue } from '../../../test/find-due.ts';
import { type Ground, openGround } from '../../../test/ground.ts';
import { until } from '../../../test/harness.ts';
import { noteStatements, planFaults, type Sent } from '../../../test/plan-reading.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { chatWordClock } from './index-messages.ts';

const SITES = 300;
const MESSAGES_OF_EACH = 200;
/** The most rows that a look may read of one table: fewer than there are messages, or sites. */
const READ_MAX = 250;

/** Few rows here, or one. */
const SMALL = ['notes', 'message_search_progress', 'messages_id_seq', 'notes_id_seq'];

let ground: Ground;
let database: Database;
let sent: Sent[];
let reader: pg.Client;

beforeAll(async () => {
  ground = await openGround();
  reader = new pg.Client({ connectionString: ground.url });
  await reader.connect();
  await reader.query(`insert into sites (name, greeting, public_key)
    select 'Site', 'Hi', gen_random_uuid() from generate_series(1, ${SITES})`);
  await reader.query(`insert into visitors (site_id, key) select id, 'maya' from sites`);
  await reader.query(`insert into conversations (site_id, visitor_id, session_id, start_client_id, status)
    select site_id, id, 'ses_' || id, gen_random_uuid(), 'active' from visitors`);
  await reader.query(`insert into messages (site_id, conversation_id, seq, client_id, sender, text)
    select c.site_id, c.id, n, gen_random_uuid(), 'visitor', 'Where is my order?'
    from conversations c, generate_series(1, ${MESSAGES_OF_EACH}) n`);
  await reader.query('analyze');
  database = openDatabase(ground.url, { max: 1 });
  sent = noteStatements(database.pool);
});
afterAll(async () => {
  await reader.end();
  await database.close();
  await ground.close();
});

async function look(): Promise<number[]> {
  sent.length = 0;
  const due = await findDue(chatWordClock, database.db, new Date(), 1_000);
  return due.map(({ siteId }) => siteId);
}

async function faultsOfLook(small: readonly string[], read: number): Promise<string[]> {
  const faults: string[] = [];
  for (const one of sent)
    faults.push(
      ...(await planFaults(reader, one, { small: new Set([...SMALL, ...small]), sorted: 1_000, read })),
    );
  return faults;
}

/** As if all chats had been read. */
const readAll = () =>
  reader.query(`insert into message_search_progress (site_id, message_id, note_id)
    select s.id, coalesce((select max(id) from messages m where m.site_id = s.id), 0), 0 from sites s
    on conflict (site_id) do update set message_id = excluded.message_id, chats_below = null`);

const isFloorKnown = (): boolean => sent.some(({ text }) => text.includes('union'));

test('each site with unread messages is found, reading only its last message', async () => {
  expect(await look()).toHaveLength(SITES);
  expect(await faultsOfLook(['sites'], SITES + READ_MAX)).toEqual([]);
});

test('without new messages neither messages nor sites are read, and a new message is found', async () => {
  await readAll();
  await reader.query('analyze message_search_progress');
  // Other tests in the same PostgreSQL have transactions open: the floor waits for them.
  await until(async () => {
    expect(await look()).toEqual([]);
    return isFloorKnown();
  });
  // That look has also checked each site once, to find the floor.
  expect(await look()).toEqual([]);
  expect(await faultsOfLook([], SITES + READ_MAX)).toEqual([]);
  const { rows } =
    await reader.query(`insert into messages (site_id, conversation_id, seq, client_id, sender, text)
    select site_id, id, ${MESSAGES_OF_EACH + 1}, gen_random_uuid(), 'visitor', 'Hello?'
    from conversations order by id limit 1 returning site_id`);
  expect(await look()).toEqual([Number(rows[0].site_id)]);
  // It stays due until it is read.
  expect(await look()).toEqual([Number(rows[0].site_id)]);
});

test('a message that is committed after the floor had passed its number is found', async () => {
  await readAll();
  const slow = new pg.Client({ connectionString: ground.url });
  await slow.connect();
  await slow.query('begin');
  const { rows } = await slow.query(`with chat as (
      update conversations set last_seq = last_seq where id = (select max(id) from conversations) returning site_id, id)
    insert into messages (site_id, conversation_id, seq, client_id, sender, text)
    select site_id, id, ${MESSAGES_OF_EACH + 2}, gen_random_uuid(), 'visitor', 'Slow' from chat returning site_id`);
  for (let at = 0; at < 3; at++) expect(await look()).toEqual([]);
  await slow.query('commit');
  await slow.end();
  expect(await look()).toEqual([Number(rows[0].site_id)]);
});
