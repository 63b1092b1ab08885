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
import { type Figure, interleave, median, NONE, rateFigure } from './figures.ts';
import { postmasterBehind, type World, withWorld } from './foyer.ts';
import { cpuMsOf, descendants } from './processes.ts';

const VISITORS = 128;
/** The number of messages that each visitor has in flight. */
const DEPTH = 1;
const ROUNDS = 5;
const ROUND_MS = 2_500;
/** An article of the sample answers it, so the bot keeps the chat. */
const TEXT = 'How long does delivery take?';

/** The work after a round is over when so little of a core is busy, or after so many looks. */
const QUIET_MS = 500;
const QUIET_CPU_MS = 40;
const LOOKS_MAX = 60;

/** A side's rate, and the CPU time of its processes and PostgreSQL for each message. */
interface Side {
  /** One round, with the work that follows it. */
  round(): Promise<number>;
  cpuMs: number[];
}

function sideOf(load: Child, run: object, spent: () => number): Side {
  const cpuMs: number[] = [];
  return {
    cpuMs,
    async round() {
      const before = spent();
      const rate = await load.ask<number>({ run });
      await quiet(spent);
      cpuMs.push((spent() - before) / ((rate * ROUND_MS) / 1_000));
      return rate;
    },
  };
}

/** Waits for what the server does behind the messages, such as reading their words, so that it counts as theirs. */
async function quiet(spent: () => number): Promise<void> {
  for (let look = 0, last = spent(); look < LOOKS_MAX; look++) {
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    const now = spent();
    if (now - last <= QUIET_CPU_MS) return;
    last = now;
  }
}

const cpuFigure = (what: string, ours: Side, bare: Side): Figure => {
  const [of, against] = [median(ours.cpuMs), median(bare.cpuMs)];
  const ratio = `${(of / against).toFixed(1)} ×`;
  return { what, ours: `${of.toFixed(2)} ms`, bare: `${against.toFixed(2)} ms`, ratio, wanted: NONE };
};

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
  const spentBy = (pid: number) => () => cpuMsOf([pid, ...descendants(postgres)]);

  const measure = async (what: string, status: 'active' | 'bot', wanted: string): Promise<Figure[]> => {
    await sql`update conversations set status = ${status}, bot_misses = 0 where site_id = ${siteId}`.execute(
      database.db,
    );
    const run = { depth: DEPTH, ms: ROUND_MS };
    const ours = sideOf(visitors, run, spentBy(foyer.process.pid ?? 0));
    const least = sideOf(bare, { ...run, chats: VISITORS }, spentBy(bare.pid));
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
