import { SOCKET_PING_MS } from '@foyer/protocol';
import { sql } from 'kysely';
import WebSocket from 'ws';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { type Child, startChild } from './child.ts';
import { addAda, signIn } from './context.ts';
import { type Figure, median } from './figures.ts';
import { type RunningFoyer, startFoyer, temporaryFolder, type World, withWorld } from './foyer.ts';
import { cpuMsOf, descendants, parentOf } from './processes.ts';

const NODES = 3;
const VISITORS = 96;
/** Of each setup in turn, so that a machine whose speed varies is as quick for one as for the other. */
const ROUNDS = 5;
const ROUND_MS = 4_000;
/** For each process, so that every one has compiled its code. */
const WARM_UP_ROUNDS = 2;
/** Messages of each visitor under way while warming up: enough that each connection of the pool plans its statements. */
const WARM_UP_DEPTH = 3;
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

/** A database and the processes on it. */
interface Setup {
  database: World['database'];
  nodes: readonly RunningFoyer[];
  publicKey: string;
}

/** A setup with chats under way on each of its processes. */
interface Busy {
  setup: Setup;
  /** @returns the number of messages of a round */
  send(depth?: number): Promise<number>;
  stop(): Promise<void>;
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

async function spent({ database, nodes }: Setup): Promise<Cost> {
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

async function during(setup: Setup, work: () => Promise<number>): Promise<Counted> {
  await settle();
  const before = await spent(setup);
  const messages = await work();
  await settle();
  const after = await spent(setup);
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

/** Opens chats on each of the processes. */
async function startChats(setup: Setup, hasDesks: boolean): Promise<Busy> {
  const { database, nodes, publicKey } = setup;
  const crowds: Child[] = nodes.map(() => startChild('messages-visitors.ts'));
  const desks = hasDesks ? await Promise.all(nodes.map(({ url }) => openDesk(url))) : [];
  for (const [index, crowd] of crowds.entries())
    await crowd.ask({
      open: {
        url: nodes[index]?.url,
        publicKey,
        count: VISITORS / nodes.length,
        text: 'How long does delivery take?',
      },
    });
  await sql`update conversations set status = 'active' where status <> 'closed'`.execute(database.db);
  // As autovacuum does within a minute: without statistics, statements would have other plans.
  await sql`analyze`.execute(database.db);
  return {
    setup,
    async send(depth = 1) {
      const rates = await Promise.all(
        crowds.map((crowd) =>
          crowd.ask<number>({ run: { underWay: (depth * VISITORS) / nodes.length, ms: ROUND_MS } }),
        ),
      );
      return (sum(rates) * ROUND_MS) / 1_000;
    },
    async stop() {
      for (const desk of desks) desk.terminate();
      for (const crowd of crowds) await crowd.stop();
    },
  };
}

const wait = (): Promise<number> => new Promise((resolve) => setTimeout(() => resolve(0), ROUND_MS));

function medianOf(idle: Counted, rounds: readonly Counted[]): Cost {
  const each = (of: (cost: Cost) => number): number =>
    median(rounds.map((round) => (of(round) - of(idle)) / round.messages));
  return {
    nodes: each((cost) => cost.nodes),
    postgres: each((cost) => cost.postgres),
    transactions: each((cost) => cost.transactions),
  };
}

/** What a message costs in each of the setups, which have their rounds in turn. */
async function measure(setups: readonly Setup[], hasDesks: boolean): Promise<Cost[]> {
  const busy: Busy[] = [];
  try {
    for (const setup of setups) busy.push(await startChats(setup, hasDesks));
    for (const { setup, send } of busy)
      for (let round = 0; round < WARM_UP_ROUNDS * setup.nodes.length; round++) await send(WARM_UP_DEPTH);
    const idle: Counted[] = [];
    for (const { setup } of busy) idle.push(await during(setup, wait));
    const rounds: Counted[][] = busy.map(() => []);
    for (let round = 0; round < ROUNDS; round++)
      for (const [at, { setup, send }] of busy.entries()) rounds[at]?.push(await during(setup, send));
    return idle.map((quiet, at) => medianOf(quiet, rounds[at] ?? []));
  } finally {
    for (const { stop } of busy) await stop();
  }
}

const shown = ({ nodes, postgres, transactions }: Cost): string => {
  const share = (100 * nodes) / (nodes + postgres);
  return `${(nodes + postgres).toFixed(2)} ms (${nodes.toFixed(2)}, ${share.toFixed(1)} %, + ${postgres.toFixed(2)}), ${transactions.toFixed(2)} transactions`;
};

const figure = (what: string, ours: Cost, one: Cost): Figure => ({
  what,
  ours: shown(ours),
  bare: shown(one),
  ratio: `${((ours.nodes + ours.postgres) / (one.nodes + one.postgres)).toFixed(2)} ×`,
  wanted: '≤ 1.25 ×',
});

const environment = { FOYER_TRUST_PROXY: 'loopback', FOYER_SECRET: SECRET };

async function withNodes<T>(count: number, work: (setup: Setup) => Promise<T>): Promise<T> {
  return withWorld(async ({ database, foyer }) => {
    const { id, publicKey } = await createSite(database.db, { name: 'Bench', plan: 'growth' });
    await addAda(database.db, id);
    const nodes = [foyer];
    const undo: (() => Promise<void>)[] = [];
    try {
      while (nodes.length < count) {
        const folder = await temporaryFolder();
        undo.push(folder.remove);
        const more = { ...environment, DATABASE_URL: database.url, FOYER_DATA_DIR: folder.dir };
        const node = await startFoyer(more);
        undo.push(node.stop);
        nodes.push(node);
      }
      return await work({ database, nodes, publicKey });
    } finally {
      for (const step of undo.reverse()) await step();
    }
  }, environment);
}

export const nodes = (): Promise<Figure[]> =>
  withNodes(1, (one) =>
    withNodes(NODES, async (three) => {
      const figures: Figure[] = [];
      for (const hasDesks of [false, true]) {
        const [alone, all] = await measure([one, three], hasDesks);
        const what = hasDesks ? 'a desk on each' : 'no desk';
        if (alone && all) figures.push(figure(`CPU of a message, ${NODES} processes, ${what}`, all, alone));
      }
      return figures;
    }),
  );
