/**
 * Fills a site with tickets, replies, tags, visitors and search data, by COPY: the data sets of `lists` and `search`.
 * The same numbers create the same rows, except for their times, which go back from now.
 * Usage: node bench/seed.ts --database URL [--tickets 1000000] [--visitors as many] [--name Bench]
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../packages/server/src/db/database.ts';
import { migrateAt } from '../packages/server/src/db/migrate.ts';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { type BulkTable, openBulkTable } from './bulk-table.ts';
import { makeTickets, makeVisitor, TAGS } from './seed-rows.ts';

const AGENTS = 20;

export interface SeedOptions {
  tickets: number;
  /** By default as many as tickets. */
  visitors?: number;
  name?: string;
}

export interface Seeded {
  siteId: number;
  /** The ids of tickets are `firstTicket` up to `firstTicket + tickets - 1`, oldest first. */
  firstTicket: number;
  tickets: number;
  replies: number;
  visitors: number;
  agentIds: number[];
  ms: number;
}

const TABLES = {
  visitors: 'site_id id key email name attributes first_seen_at last_seen_at created_at updated_at',
  tickets:
    'site_id id subject description status priority requester_id assignee_id snoozed_until solved_at reply_count created_at updated_at',
  ticket_replies: 'site_id id ticket_id type body author_type agent_id created_at',
  ticket_tags: 'site_id ticket_id tag_id created_at',
  ticket_words: 'site_id ticket_id created_at words',
} as const;

type Bulk = Record<keyof typeof TABLES, BulkTable>;

async function makeAgents({ db }: Database, siteId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with people as (
      insert into auth_users (id, name, email)
      select gen_random_uuid()::text, 'Agent ' || n, 'agent-' || n || '-' || ${randomUUID()} || '@example.com'
      from generate_series(1, ${AGENTS}::int) n returning id, name
    )
    insert into agents (site_id, user_id, role, name) select ${siteId}, id, 'agent', name from people returning id`.execute(
    db,
  );
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

async function makeTags({ db }: Database, siteId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into tags (site_id, name, color)
    select ${siteId}, name, '#0f766e' from unnest(${TAGS}::text[]) with ordinality as t (name, at) order by at
    returning id`.execute(db);
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

/** Reserves so many ids of a table. @returns the first. */
async function takeIds({ db }: Database, table: string, count: number): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select setval(s, nextval(s) + ${count}) as last from pg_get_serial_sequence(${table}, 'id') as s`.execute(
    db,
  );
  return (rows[0]?.last ?? 0) - count;
}

async function openTables(url: string): Promise<Bulk> {
  const open = (table: keyof Bulk): Promise<BulkTable> => openBulkTable(url, table, TABLES[table].split(' '));
  return {
    visitors: await open('visitors'),
    tickets: await open('tickets'),
    ticket_replies: await open('ticket_replies'),
    ticket_tags: await open('ticket_tags'),
    ticket_words: await open('ticket_words'),
  };
}

/** @throws PostgreSQL's error, also if the role may not skip foreign keys; then only the empty site is left behind. */
export async function seed(url: string, options: SeedOptions): Promise<Seeded> {
  const from = performance.now();
  const database = openDatabase(url, { patient: true });
  try {
    const filled = await fillSite(database, { visitors: options.tickets, name: 'Bench', ...options });
    await sql`vacuum (analyze) visitors, tickets, ticket_replies, ticket_tags, ticket_words, tags, agents`.execute(
      database.db,
    );
    return { ...filled, ms: performance.now() - from };
  } finally {
    await database.close();
  }
}

async function fillSite(
  database: Database,
  { tickets, visitors, name }: Required<SeedOptions>,
): Promise<Omit<Seeded, 'ms'>> {
  const { id: siteId } = await createSite(database.db, { name, plan: 'growth' });
  const agentIds = await makeAgents(database, siteId);
  const tagIds = await makeTags(database, siteId);
  const firstVisitor = await takeIds(database, 'visitors', visitors);
  const firstTicket = await takeIds(database, 'tickets', tickets);
  // Replies are as many as tickets, but for what is left of a hundred.
  let replyId = await takeIds(database, 'ticket_replies', tickets + 100);
  const firstReply = replyId;
  const bulk = await openTables(database.url);
  try {
    const now = Date.now();
    // While tickets are created: PostgreSQL is busy with a visitor's text and its index, this process with words.
    const people = async (): Promise<void> => {
      for (let at = 0; at < visitors; at++) {
        const { key, email, name: called, attributes, first, last } = makeVisitor(at, now);
        const times = [first, last, first, last];
        await bulk.visitors.write([siteId, firstVisitor + at, key, email, called, attributes, ...times]);
      }
      await bulk.visitors.finish();
    };
    const indexed = people();
    indexed.catch(() => undefined);
    let id = firstTicket;
    for (const one of makeTickets({ siteId, count: tickets, visitors, agentIds, tagIds, now })) {
      const requester = firstVisitor + one.requester;
      const said = [one.subject, one.description, one.status, one.priority];
      const state = [one.assigneeId, one.snoozedUntil, one.solved, one.publicReplies];
      await bulk.tickets.write([siteId, id, ...said, requester, ...state, one.created, one.updated]);
      for (const { type, body, agentId, created } of one.replies) {
        const author = agentId === null ? 'requester' : 'agent';
        await bulk.ticket_replies.write([siteId, replyId++, id, type, body, author, agentId, created]);
      }
      for (const tagId of one.tagIds) await bulk.ticket_tags.write([siteId, id, tagId, one.created]);
      await bulk.ticket_words.write([siteId, id, one.created, one.words]);
      id++;
    }
    await Promise.all([
      indexed,
      bulk.ticket_words.finish(),
      (async () => {
        await bulk.tickets.finish();
        await bulk.ticket_replies.finish();
        await bulk.ticket_tags.finish();
      })(),
    ]);
  } catch (error) {
    for (const table of Object.values(bulk)) await table.abandon().catch(() => undefined);
    throw error;
  }
  return { siteId, firstTicket, tickets, replies: replyId - firstReply, visitors, agentIds };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      database: { type: 'string' },
      tickets: { type: 'string', default: '1000000' },
      visitors: { type: 'string' },
      name: { type: 'string', default: 'Bench' },
    },
  });
  const [tickets, visitors] = [values.tickets, values.visitors ?? values.tickets].map(Number);
  if (!values.database || !Number.isSafeInteger(tickets) || !Number.isSafeInteger(visitors)) {
    console.error(
      'usage: node bench/seed.ts --database URL [--tickets 1000000] [--visitors as many] [--name Bench]',
    );
    process.exit(2);
  }
  await migrateAt(values.database);
  const made = await seed(values.database, {
    tickets: tickets ?? 0,
    visitors: visitors ?? 0,
    name: values.name,
  });
  console.log(
    `site ${made.siteId}: ${made.tickets.toLocaleString('en')} tickets, ${made.replies.toLocaleString('en')} replies, ${made.visitors.toLocaleString('en')} visitors in ${(made.ms / 1000).toFixed(1)} s`,
  );
}
