/**
 * The inbox's search in 1,000,000 messages of 100,000 chats, by kind of query, compared with lookups of the same chats
 * by id: the slowest of a hundred of each, in this process, one at a time, in turn. And the indexing: how many messages
 * a second are indexed, and the size of the index on the disk.
 */
import { contract } from '@foyer/protocol';
import { sql } from 'kysely';
import { readAllChats, readSite } from '../packages/server/src/conversations/search/index-messages.ts';
import { loadSessions } from '../packages/server/src/conversations/sessions.ts';
import type { SiteContext } from '../packages/server/src/core/context.ts';
import type { Database } from '../packages/server/src/db/database.ts';
import { searchInbox } from '../packages/server/src/inbox/search/search.ts';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { openBulkTable } from './bulk-table.ts';
import { contextOf } from './context.ts';
import { type Figure, ms, NONE, perSecond, quantile } from './figures.ts';
import { withDatabase } from './foyer.ts';
import { FIRST_MATTER, makeVocabulary, makeWriter, randomFrom } from './seed-text.ts';

const CHATS = Number(process.env.FOYER_BENCH_CHATS ?? 100_000);
const MESSAGES_OF_A_CHAT = 10;
const SPAN_MS = 365 * 86_400_000;
const QUESTIONS = 100;
const PAGE = 25;

const random = randomFrom(5);
const vocabulary = makeVocabulary();
const between = (least: number, end: number): number => least + Math.floor(random() * (end - least));
const word = (least: number, end: number): string => vocabulary[between(least, end)] ?? '';
const common = (): string => word(FIRST_MATTER, FIRST_MATTER + 50);
const middling = (): string => word(1_000, 5_000);
const rare = (): string => word(15_000, 30_000);

const QUESTIONS_ASKED: Record<string, () => string> = {
  'a word in every chat': () => word(0, 10),
  'a common word': common,
  'a middling word': middling,
  'a rare word': rare,
  'two words, one of them rare': () => `${common()} ${rare()}`,
  'a sentence': () => `${word(0, 20)} ${common()} ${word(0, 20)} ${middling()}`,
  'a beginning': () => (random() < 0.5 ? common() : middling()).slice(0, 4),
  'a number that nobody said': () => String(between(100_000, 999_999)),
  'a phrase of common words': () => `"${common()} ${common()}"`,
};

/** Directly into the tables, without notices of the messages. */
async function fillChats({ db, url }: Database, siteId: number): Promise<void> {
  const writer = makeWriter(vocabulary, random);
  const from = Date.now() - SPAN_MS;
  await sql`
    with visitor as (insert into visitors (site_id, key) values (${siteId}, 'bench') returning id)
    insert into conversations (site_id, session_id, visitor_id, start_client_id, status, last_seq, last_message_at, started_at, ended_at)
    select ${siteId}, 'ses_' || lpad(n::text, 22, 'B'), visitor.id, gen_random_uuid(), 'closed', ${MESSAGES_OF_A_CHAT},
      at, at, at from visitor, generate_series(1, ${CHATS}::int) n,
      lateral (select ${new Date(from)}::timestamptz + n * ${SPAN_MS / CHATS}::float8 * interval '1 ms' as at) t`.execute(
    db,
  );
  const { rows } = await sql<{ first: number }>`
    select min(id) as first from conversations where site_id = ${siteId}`.execute(db);
  const first = rows[0]?.first ?? 0;
  const columns = ['site_id', 'conversation_id', 'seq', 'id', 'client_id', 'sender', 'text', 'created_at'];
  const table = await openBulkTable(url, 'messages', columns);
  for (let at = 0; at < CHATS * MESSAGES_OF_A_CHAT; at++) {
    const chat = Math.floor(at / MESSAGES_OF_A_CHAT);
    const id = `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`;
    const said = new Date(from + ((chat + 1) * SPAN_MS) / CHATS).toISOString();
    const seq = (at % MESSAGES_OF_A_CHAT) + 1;
    await table.write([
      siteId,
      first + chat,
      seq,
      at + 1,
      id,
      seq % 2 ? 'visitor' : 'agent',
      writer.prose(6, 30),
      said,
    ]);
  }
  await table.finish();
  await sql`vacuum (analyze) conversations, messages`.execute(db);
}

async function readAll(ctx: SiteContext): Promise<Figure[]> {
  await readAllChats(ctx);
  const from = performance.now();
  const isLeft = async (): Promise<boolean> => {
    const { rows } = await sql`
      select from message_search_progress where site_id = ${ctx.site.id} and chats_below is not null`.execute(
      ctx.db,
    );
    return rows.length > 0;
  };
  while (await isLeft()) await readSite(ctx);
  const took = performance.now() - from;
  await sql`vacuum (analyze) message_search_chunks`.execute(ctx.db);
  const { rows } = await sql<{ words: number; messages: number }>`
    select pg_total_relation_size('message_search_chunks') as words, pg_total_relation_size('messages') as messages`.execute(
    ctx.db,
  );
  const mib = (bytes = 0): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
  return [
    {
      what: 'messages whose words are read',
      ours: perSecond((CHATS * MESSAGES_OF_A_CHAT * 1_000) / took),
      bare: NONE,
      ratio: NONE,
      wanted: '> 1,000/s',
    },
    {
      what: 'words on the disk, beside the messages',
      ours: mib(rows[0]?.words),
      bare: mib(rows[0]?.messages),
      ratio: `${((rows[0]?.words ?? 0) / (rows[0]?.messages ?? 1)).toFixed(2)} ×`,
      wanted: '< 1.5 ×',
    },
  ];
}

async function ask(ctx: SiteContext, question: () => string): Promise<{ ours: number[]; bare: number[] }> {
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let at = 0; at < QUESTIONS; at++) {
    const input = contract['inbox.search'].input.parse({ q: question(), limit: PAGE });
    const begun = performance.now();
    const { items } = await searchInbox(ctx, input);
    ours.push(performance.now() - begun);
    const ids = items.flatMap((item) => (item.kind === 'chat' ? [item.session.session_id] : []));
    const from = performance.now();
    await loadSessions(ctx.db, ctx.site.id, sql`c.session_id = any (${ids}::text[])`);
    bare.push(performance.now() - from);
  }
  return { ours, bare };
}

export const said = (): Promise<Figure[]> =>
  withDatabase(async (database) => {
    const { id } = await createSite(database.db, { name: 'Bench', plan: 'growth' });
    const ctx = contextOf(database.db, id, { kind: 'job' });
    await fillChats(database, id);
    const figures = await readAll(ctx);
    for (const [name, question] of Object.entries(QUESTIONS_ASKED)) {
      const { ours, bare } = await ask(ctx, question);
      figures.push({
        what: `what was said, ${name}: p99 (median)`,
        ours: `${ms(quantile(ours, 0.99))} (${ms(quantile(ours, 0.5))})`,
        bare: `${ms(quantile(bare, 0.99))} (${ms(quantile(bare, 0.5))})`,
        ratio: NONE,
        wanted: '< 100 ms',
      });
    }
    return figures;
  });
