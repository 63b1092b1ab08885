/**
 * Visitor messages a second that are committed and acknowledged through the real socket, and the CPU time of Foyer and
 * PostgreSQL for each, compared with the least that stores a message: one prepared insert (`messages-bare.ts`), on the
 * same PostgreSQL with as many in flight. Two figures: chats of an agent, and chats of the bot, which also answers each
 * message. No desk is open. Needs Linux.
 */
import { sql } from 'kysely';
import { importSampleKnowledge } from '../packages/server/src/knowledge/sample.ts';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { type Child, startChild } from './child.ts';
import { contextOf } from './context.ts';
import { type Figure, interleave, NONE, rateFigure } from './figures.ts';
import { postmasterBehind, type World, withWorld } from './foyer.ts';
import { cpuFigure, type Side, sideOf } from './sides.ts';

/** More than write at once, so that none exceeds the limit of a socket's frames. */
const VISITORS = 512;
const UNDER_WAY = 128;
const ROUNDS = 5;
const ROUND_MS = 2_500;
/** An article of the sample answers it, so the bot keeps the chat. */
const TEXT = 'How long does delivery take?';

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
  // As autovacuum does within a minute: without statistics, statements would have other plans.
  await sql`analyze`.execute(database.db);
  await bare.ask({ open: { url: database.url } });
  const postgres = await postmasterBehind(database);
  const side = (pid: number, load: Child, run: object): Side =>
    sideOf(pid, postgres, async () => {
      const rate = await load.ask<number>({ run });
      return { rate, operations: (rate * ROUND_MS) / 1_000 };
    });

  const measure = async (what: string, status: 'active' | 'bot', wanted: string): Promise<Figure[]> => {
    await sql`update conversations set status = ${status}, bot_misses = 0 where site_id = ${siteId}`.execute(
      database.db,
    );
    const run = { underWay: UNDER_WAY, ms: ROUND_MS };
    const ours = side(foyer.process.pid ?? 0, visitors, run);
    const least = side(bare.pid, bare, { ...run, chats: VISITORS, text: TEXT });
    const seen = await interleave(ROUNDS, ours.round, least.round);
    const { rows } = await sql`
      select from conversations where site_id = ${siteId} and status <> ${status}`.execute(database.db);
    if (rows.length > 0) throw new Error(`${rows.length} chats did not stay ${status}`);
    return [rateFigure(what, seen, wanted), cpuFigure('… CPU of each', ours, least)];
  };

  return [
    ...(await measure('messages, chats held by an agent', 'active', '≥ 100 %')),
    ...(await measure('messages, chats held by the bot', 'bot', NONE)),
  ];
}
