import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { Database } from '../packages/server/src/db/database.ts';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { startChild } from './child.ts';
import { postmasterBehind, type World, withWorld } from './foyer.ts';
import { cpuMsOf, descendants } from './processes.ts';

const VISITORS = 64;
const ROUND_MS = 8_000;
const TEXT = 'Hello, my parcel with the two lamps has not come yet. Could you look where it is, please?';
/** The busiest hour has this share of a day's messages, and its busiest second twice the hour's mean. */
const PEAK_HOUR_SHARE = 0.1;
const PEAK_IN_HOUR = 2;
/** Above this, waiting times grow. */
const BUSY_MAX = 0.6;
/** Per process, whatever it does: `docs/self-hosting.md`. */
const CONNECTIONS = 16;

interface Costs {
  nodeMs: number;
  postgresMs: number;
  walBytes: number;
  rowBytes: number;
  transactions: number;
}

interface Reading {
  nodeMs: number;
  postgresMs: number;
  wal: number;
  transactions: number;
}

async function read({ foyer, database }: World, postmaster: number): Promise<Reading> {
  const { rows } = await sql<{ wal: number; transactions: number }>`
    select (pg_current_wal_lsn() - '0/0')::float8 as wal, xact_commit::float8 as transactions
    from pg_stat_database where datname = current_database()`.execute(database.db);
  const nodeMs = cpuMsOf([foyer.process.pid ?? 0]);
  const postgresMs = cpuMsOf(descendants(postmaster));
  return { nodeMs, postgresMs, wal: rows[0]?.wal ?? 0, transactions: rows[0]?.transactions ?? 0 };
}

/** With indexes, and including the chat's row and search index. */
async function bytesPerMessage({ db }: Database): Promise<number> {
  const unread = async (): Promise<boolean> => {
    const { rows } = await sql`
      select from messages where id > (select coalesce(max(message_id), 0) from message_search_progress) limit 1`.execute(
      db,
    );
    return rows.length > 0;
  };
  while (await unread()) await delay(200);
  await sql`vacuum full conversations, messages, message_search_chunks`.execute(db);
  const { rows } = await sql<{ bytes: number }>`
    select (pg_total_relation_size('messages') + pg_total_relation_size('message_search_chunks')
      + pg_total_relation_size('conversations'))::float8 / (select count(*) from messages) as bytes`.execute(
    db,
  );
  return rows[0]?.bytes ?? 0;
}

async function measure(world: World): Promise<Costs> {
  const { foyer, database } = world;
  const visitors = startChild('messages-visitors.ts');
  try {
    const { id, publicKey } = await createSite(database.db, { name: 'Bench', plan: 'growth' });
    await visitors.ask({ open: { url: foyer.url, publicKey, count: VISITORS, text: TEXT } });
    await sql`update conversations set status = 'active', bot_misses = 0 where site_id = ${id}`.execute(
      database.db,
    );
    await visitors.ask({ run: { underWay: VISITORS, ms: 2_000 } });
    const postmaster = await postmasterBehind(database);
    const count = async (): Promise<number> => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from messages`.execute(database.db);
      return rows[0]?.n ?? 0;
    };
    const [before, sent] = [await read(world, postmaster), await count()];
    await visitors.ask({ run: { underWay: VISITORS, ms: ROUND_MS } });
    const [after, messages] = [await read(world, postmaster), (await count()) - sent];
    const each = (key: keyof Reading): number => (after[key] - before[key]) / messages;
    return {
      nodeMs: each('nodeMs'),
      postgresMs: each('postgresMs'),
      walBytes: each('wal'),
      transactions: each('transactions'),
      rowBytes: await bytesPerMessage(database),
    };
  } finally {
    await visitors.stop();
  }
}

interface Load {
  messagesADay: number;
  kept: number;
  agents: number;
  visitors: number;
}

const GB = 1_000_000_000;
/** Not measured: a cautious figure, because each socket takes memory and gets the changes of its chats. */
const SOCKETS_A_PROCESS = 5_000;

function needs({ messagesADay, kept, agents, visitors }: Load, costs: Costs): [string, string][] {
  const peak = (messagesADay * PEAK_HOUR_SHARE * PEAK_IN_HOUR) / 3_600;
  const nodeCores = (peak * costs.nodeMs) / 1_000 / BUSY_MAX;
  const postgresCores = (peak * costs.postgresMs) / 1_000 / BUSY_MAX;
  // One thread each; a second so that one may fail.
  const processes = Math.max(2, Math.ceil(nodeCores), Math.ceil((agents + visitors) / SOCKETS_A_PROCESS) + 1);
  return [
    ['messages a second at the peak', peak.toFixed(0)],
    ['Foyer processes, one core each', String(processes)],
    ['cores of PostgreSQL', Math.max(1, postgresCores).toFixed(1)],
    ['commits a second at the peak', (peak * costs.transactions).toFixed(0)],
    ['connections of PostgreSQL', String(processes * CONNECTIONS)],
    ['write-ahead log a day, GB', ((messagesADay * costs.walBytes) / GB).toFixed(1)],
    [`database with ${kept} messages, GB`, ((kept * costs.rowBytes) / GB).toFixed(0)],
  ];
}

function printAll(costs: Costs, load: Load): void {
  const line = (name: string, value: string): void => console.log(`${name.padEnd(44)} ${value.padStart(10)}`);
  console.log('A message costs here');
  line('CPU of Foyer, ms', costs.nodeMs.toFixed(2));
  line('CPU of PostgreSQL, ms', costs.postgresMs.toFixed(2));
  line('transactions', costs.transactions.toFixed(1));
  line('write-ahead log, bytes', costs.walBytes.toFixed(0));
  line('tables and indexes, bytes', costs.rowBytes.toFixed(0));
  console.log(
    `\n${load.messagesADay} messages a day, ${load.agents} agents and ${load.visitors} visitors connected`,
  );
  for (const [name, value] of needs(load, costs)) line(name, value);
}

const { values } = parseArgs({
  options: {
    'messages-a-day': { type: 'string', default: '1000000' },
    kept: { type: 'string', default: '100000000' },
    agents: { type: 'string', default: '500' },
    visitors: { type: 'string', default: '5000' },
  },
});
const load: Load = {
  messagesADay: Number(values['messages-a-day']),
  kept: Number(values.kept),
  agents: Number(values.agents),
  visitors: Number(values.visitors),
};
printAll(await withWorld(measure, { FOYER_TRUST_PROXY: 'loopback', LOG_LEVEL: 'warn' }), load);
