/**
 * Visitor messages a second that are committed and acknowledged through the real socket, compared with the same
 * statements (recorded from a run of the same code) through the same kind of pool on the same PostgreSQL, with as many
 * in flight. Two figures: chats of an agent, and chats of the bot, where each message also queues the bot's job, which
 * the server processes meanwhile, in the bare rounds too. No desk is open.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { sendMessage } from '../packages/server/src/conversations/chat.ts';
import { type Database, openDatabase } from '../packages/server/src/db/database.ts';
import { openQueue } from '../packages/server/src/jobs/queue.ts';
import { importSampleKnowledge } from '../packages/server/src/knowledge/sample.ts';
import { jobs } from '../packages/server/src/registry.ts';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { silentLog } from '../packages/server/test/harness.ts';
import { type Child, startChild } from './child.ts';
import { contextOf } from './context.ts';
import { type Figure, interleave, rateFigure } from './figures.ts';
import { type World, withWorld } from './foyer.ts';
import type { Recorded } from './messages-bare.ts';

const VISITORS = 128;
/** The number of messages that each visitor has in flight. */
const DEPTH = 1;
const ROUNDS = 5;
const ROUND_MS = 2_500;
/** An article of the sample answers it, so the bot keeps the chat. */
const TEXT = 'How long does delivery take?';

interface Chat {
  session_id: string;
  visitor_id: number;
  device_id: number;
}

/** The statements that the server's own code sends for one message. */
async function record(database: Database, siteId: number, chats: Chat[]): Promise<Recorded[]> {
  const statements: Recorded['statements'] = [];
  const own = openDatabase(database.url, { max: 1 });
  own.pool.on('connect', (client) => {
    const query = client.query.bind(client);
    Object.assign(client, {
      query: (...args: Parameters<typeof query>) => {
        const [first, values] = args;
        if (typeof first !== 'string') throw new Error('a statement that this can not record');
        statements.push({ text: first, values: values ?? [] });
        return query(...args);
      },
    });
  });
  const queue = await openQueue(database, jobs, silentLog);
  const recorded: Recorded[] = [];
  for (const chat of chats) {
    const actor = {
      kind: 'visitor',
      visitorId: chat.visitor_id,
      deviceId: chat.device_id,
      verified: false,
    } as const;
    const ctx = contextOf(own.db, siteId, actor, queue.send);
    const clientId = randomUUID();
    statements.length = 0;
    await sendMessage(ctx, { sessionId: chat.session_id, clientId, text: TEXT });
    recorded.push({ clientId, statements: structuredClone(statements) });
  }
  await queue.stop();
  await own.close();
  return recorded;
}

export async function messages(): Promise<Figure[]> {
  const children = [startChild('messages-visitors.ts'), startChild('messages-bare.ts')] as const;
  try {
    return await withWorld((world) => compare(world, ...children), { FOYER_TRUST_PROXY: 'loopback' });
  } finally {
    for (const child of children) await child.stop();
  }
}

async function compare({ foyer, database }: World, visitors: Child, bare: Child): Promise<Figure[]> {
  const { id: siteId, publicKey } = await createSite(database.db, { name: 'Bench', plan: 'growth' });
  await importSampleKnowledge(contextOf(database.db, siteId));
  await visitors.ask({ open: { url: foyer.url, publicKey, count: VISITORS, text: TEXT } });
  const { rows: chats } = await sql<Chat>`
    select session_id, visitor_id, device_id from conversations where site_id = ${siteId}`.execute(
    database.db,
  );

  const hold = (status: 'active' | 'bot') =>
    sql`update conversations set status = ${status}, bot_misses = 0 where site_id = ${siteId}`.execute(
      database.db,
    );
  const measure = async (what: string, status: 'active' | 'bot', wanted: string): Promise<Figure> => {
    await hold(status);
    await bare.ask({ take: { url: database.url, recorded: await record(database, siteId, chats) } });
    const round = (child: Child) => () => child.ask<number>({ run: { depth: DEPTH, ms: ROUND_MS } });
    const seen = await interleave(ROUNDS, round(visitors), round(bare));
    const { rows } = await sql`
      select from conversations where site_id = ${siteId} and status <> ${status}`.execute(database.db);
    if (rows.length > 0) throw new Error(`${rows.length} chats did not stay ${status}`);
    return rateFigure(what, seen, wanted);
  };

  return [
    await measure('messages, chats held by an agent', 'active', '≥ 60 %, ≥ 3,000/s'),
    await measure('messages, chats held by the bot', 'bot', '≥ 60 %'),
  ];
}
