/**
 * What a visitor's message costs by CPU time of all of Foyer's processes and of PostgreSQL, and in transactions, with one
 * process and with three, without a desk and with one on each: how far more processes carry more. Messages are in chats
 * that agents have, of 96 visitors with one under way each. What the processes need while nothing happens is subtracted.
 */
import { readdir, readFile } from 'node:fs/promises';
import { SOCKET_PING_MS } from '@foyer/protocol';
import { sql } from 'kysely';
import WebSocket from 'ws';
import { createContext } from '../packages/server/src/core/context.ts';
import { createEmitter } from '../packages/server/src/core/events.ts';
import { addAgent } from '../packages/server/src/sites/agents/agents.ts';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { silentLog, testServices } from '../packages/server/test/harness.ts';
import { type Child, startChild } from './child.ts';
import { type Figure, median, NONE } from './figures.ts';
import { type RunningFoyer, startFoyer, temporaryFolder, type World, withWorld } from './foyer.ts';

const NODES = 3;
const VISITORS = 96;
const ROUNDS = 3;
const ROUND_MS = 4_000;
const ACCOUNT = { email: 'ada@example.com', password: 'correct horse battery' };
const SECRET = 'a secret that only the benchmark knows';
/** Of /proc: Linux counts CPU time in hundredths of a second. */
const TICKS_PER_MS = 0.1;

interface Cost {
  /** Milliseconds of CPU. */
  nodes: number;
  postgres: number;
  transactions: number;
}

interface Counted extends Cost {
  messages: number;
}

async function ticksOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // utime, stime, and those of ended children: backends come and go.
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at] ?? 0), 0);
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    }),
  );
  return pids.filter((_, index) => parents[index] === parent);
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

async function spent({ database }: World, nodes: readonly RunningFoyer[]): Promise<Cost> {
  const { rows } = await sql<{ pid: number; done: number }>`
    select (select pid from pg_stat_activity where backend_type = 'checkpointer') as pid,
      (select xact_commit from pg_stat_database where datname = current_database())::float8 as done`.execute(
    database.db,
  );
  const [row] = rows;
  const stat = await readFile(`/proc/${row?.pid}/stat`, 'utf8');
  const postmaster = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  const backends = [postmaster, ...(await childrenOf(postmaster))];
  const of = async (pids: readonly number[]): Promise<number> =>
    sum(await Promise.all(pids.map(ticksOf))) / TICKS_PER_MS;
  return {
    nodes: await of(nodes.map(({ process: { pid = 0 } }) => pid)),
    postgres: await of(backends),
    transactions: row?.done ?? 0,
  };
}

/** Waits until counts of transactions are in: backends report them a moment later. */
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

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/app/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(ACCOUNT),
  });
  if (!response.ok) throw new Error(`sign-in answered ${response.status}`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
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
  const operator = createContext({
    site: { id, plan: 'growth' },
    actor: { kind: 'operator' },
    db: database.db,
    log: silentLog,
    services: testServices(),
    now: () => new Date(),
    emitter: createEmitter(() => undefined),
    send: async () => undefined,
  });
  await addAgent(operator, { ...ACCOUNT, name: 'Ada', role: 'admin' });
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
