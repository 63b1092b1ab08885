import { SOCKET_PING_MS } from '@foyer/protocol';
import { sql } from 'kysely';
import WebSocket from 'ws';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { type Child, startChild } from './child.ts';
import { addAda, signIn } from './context.ts';
import { type Figure, median, NONE } from './figures.ts';
import { type RunningFoyer, startFoyer, temporaryFolder, type World, withWorld } from './foyer.ts';
import { cpuMsOf, descendants, parentOf } from './processes.ts';

const NODES = 3;
const VISITORS = 96;
const ROUNDS = 3;
const ROUND_MS = 4_000;
const SECRET = 'a secret that only the benchmark knows';

interface Cost {
  /** Milliseconds of CPU. */
  nodes: number;
  postgres: number;
  transactions: number;
}

interface Counted extends Cost {
  messages: number;
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

async function spent({ database }: World, nodes: readonly RunningFoyer[]): Promise<Cost> {
  const { rows } = await sql<{ pid: number; done: number }>`
    select (select pid from pg_stat_activity where backend_type = 'checkpointer') as pid,
      (select xact_commit from pg_stat_database where datname = current_database())::float8 as done`.execute(
    database.db,
  );
  const [row] = rows;
  return {
    nodes: cpuMsOf(nodes.map(({ process: { pid = 0 } }) => pid)),
    postgres: cpuMsOf(descendants(parentOf(row?.pid ?? 0))),
    transactions: row?.done ?? 0,
  };
}

/** Waits until the counts of transactions are complete: backends report them a moment later. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_500));

async function during(
  world: World,
  nodes: readonly RunningFoyer[],
  work: () => Promise<number>,
): Promise<Counted> {
  await settle();
  const before = await spent(world, nodes);
  const messages = await work();
  await settle();
  const after = await spent(world, nodes);
  return {
    messages,
    nodes: after.nodes - before.nodes,
    postgres: after.postgres - before.postgres,
    transactions: after.transactions - before.transactions,
  };
}

/** A desk that shows its lists. */
async function openDesk(url: string): Promise<WebSocket> {
  const headers = { cookie: await signIn(url), origin: url };
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/app/socket`, { headers });
  await new Promise<void>((resolve, reject) => {
    socket.once('message', () => resolve());
    socket.once('error', reject);
  });
  setInterval(
    () => socket.readyState === WebSocket.OPEN && socket.send('{"type":"ping"}'),
    SOCKET_PING_MS,
  ).unref();
  return socket;
}

/** Chats on each of the processes, and what a message in them costs. */
async function measure(
  world: World,
  publicKey: string,
  nodes: readonly RunningFoyer[],
  hasDesks: boolean,
): Promise<Cost> {
  const crowds: Child[] = nodes.map(() => startChild('messages-visitors.ts'));
  const desks = hasDesks ? await Promise.all(nodes.map(({ url }) => openDesk(url))) : [];
  try {
    for (const [index, crowd] of crowds.entries())
      await crowd.ask({
        open: {
          url: nodes[index]?.url,
          publicKey,
          count: VISITORS / nodes.length,
          text: 'How long does delivery take?',
        },
      });
    await sql`update conversations set status = 'active' where status <> 'closed'`.execute(world.database.db);
    const send = async (): Promise<number> => {
      const rates = await Promise.all(
        crowds.map((crowd) => crowd.ask<number>({ run: { depth: 1, ms: ROUND_MS } })),
      );
      return (sum(rates) * ROUND_MS) / 1_000;
    };
    const wait = async (): Promise<number> =>
      new Promise((resolve) => setTimeout(() => resolve(0), ROUND_MS));
    await send();
    const idle = await during(world, nodes, wait);
    const rounds: Counted[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await during(world, nodes, send));
    const each = (of: (cost: Cost) => number): number =>
      median(rounds.map((round) => (of(round) - of(idle)) / round.messages));
    return {
      nodes: each((cost) => cost.nodes),
      postgres: each((cost) => cost.postgres),
      transactions: each((cost) => cost.transactions),
    };
  } finally {
    for (const desk of desks) desk.terminate();
    for (const crowd of crowds) await crowd.stop();
  }
}

const shown = ({ nodes, postgres, transactions }: Cost): string =>
  `${(nodes + postgres).toFixed(2)} ms (${nodes.toFixed(2)} + ${postgres.toFixed(2)}), ${transactions.toFixed(2)} transactions`;

const figure = (what: string, ours: Cost, one: Cost | undefined, wanted: string): Figure => ({
  what,
  ours: shown(ours),
  bare: one ? shown(one) : NONE,
  ratio: one ? `${((ours.nodes + ours.postgres) / (one.nodes + one.postgres)).toFixed(2)} ×` : NONE,
  wanted,
});

async function compare(world: World): Promise<Figure[]> {
  const { database, foyer } = world;
  const { id, publicKey } = await createSite(database.db, { name: 'Bench', plan: 'growth' });
  await addAda(database.db, id);
  const alone = [
    await measure(world, publicKey, [foyer], false),
    await measure(world, publicKey, [foyer], true),
  ];
  const nodes = [foyer];
  const folders: { remove(): Promise<void> }[] = [];
  try {
    while (nodes.length < NODES) {
      const folder = await temporaryFolder();
      folders.push(folder);
      nodes.push(
        await startFoyer({ ...environment, DATABASE_URL: database.url, FOYER_DATA_DIR: folder.dir }),
      );
    }
    const [bare, desk] = alone;
    return [
      ...(bare ? [figure('CPU of a message, one process, no desk', bare, undefined, NONE)] : []),
      ...(desk ? [figure('… a desk', desk, bare, NONE)] : []),
      figure(
        `… ${NODES} processes, no desk`,
        await measure(world, publicKey, nodes, false),
        bare,
        '≤ 1.25 ×',
      ),
      figure(`… a desk on each`, await measure(world, publicKey, nodes, true), desk, '≤ 1.25 ×'),
    ];
  } finally {
    for (const node of nodes.slice(1)) await node.stop();
    for (const folder of folders) await folder.remove();
  }
}

const environment = { FOYER_TRUST_PROXY: 'loopback', FOYER_SECRET: SECRET };

export const nodes = (): Promise<Figure[]> => withWorld(compare, environment);
