/**
 * Many visitors at once, with the widget's own connection and outbox: so many who only have the page open, then so many
 * with a chat whose server is killed, some of whom write while it is away, and who all return at once.
 * Usage: node bench/faults/crowd.ts [--idle 10000] [--returning 5000] [--writing 500] [--processes 2]
 * Each open page is a file of the server and of a client process: see `ulimit -n`.
 * The exit code is 1 if anything acknowledged was lost or stored twice, or if somebody sees less than they wrote.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makePostgres } from '../../packages/server/test/postgres-server.ts';
import { openWidgetVisitor } from '../../packages/server/test/widget-visitor.ts';
import { type Child, startChild } from '../child.ts';
import { median, quantile, seconds } from '../figures.ts';
import { temporaryFolder } from '../foyer.ts';
import { makeNode, PROGRAM } from './cluster.ts';
import type { Settled } from './crowd-visitors.ts';
import { commandsOf, furnish } from './furnish.ts';

const { values } = parseArgs({
  options: {
    idle: { type: 'string', default: '10000' },
    returning: { type: 'string', default: '5000' },
    writing: { type: 'string', default: '500' },
    processes: { type: 'string', default: '2' },
  },
});
/** How long what idle visitors cost is looked at. */
const IDLE_MS = 30_000;
const ROUNDS = 30;
/** From a page that is loaded again, which is what a visitor would do. */
const PROBE_MS = 250;
/** What is still done because of the first messages, the bot's answers above all, would compete with the returns. */
const WORK = `select count(*)::int as n from foyer_jobs.job where state < 'completed' and start_after < now()`;

const folder = await temporaryFolder();
const postgres = await makePostgres({ max_connections: '100' });
await postgres.start();
const environment = {
  DATABASE_URL: postgres.url,
  FOYER_SECRET: randomBytes(32).toString('base64url'),
  FOYER_DATA_DIR: join(folder.dir, 'node'),
  // All visitors have one address here.
  FOYER_LIMIT_FACTOR: '1000',
};
const node = await makeNode(environment, join(folder.dir, 'node.log'));
const children: Child[] = [];

/** Starts the client processes that are missing, and divides what is to be done among them. */
const share = <T>(
  count: number,
  ask: (child: Child, part: number, place: number) => Promise<T>,
): Promise<T[]> => {
  const processes = Number(values.processes);
  while (children.length < processes) children.push(startChild('faults/crowd-visitors.ts'));
  return Promise.all(
    children.map((child, place) =>
      ask(child, Math.floor(count / processes) + (place < count % processes ? 1 : 0), place),
    ),
  );
};

const endCrowd = async (): Promise<void> => {
  await Promise.all(children.splice(0).map((child) => child.stop()));
};

/** Of the time that idle visitors are looked at. */
const percent = (cpuS: number): string => `${((cpuS / IDLE_MS) * 100_000).toFixed(1)} %`;

/** How long one visitor's message takes to its acknowledgement, in ms. */
async function roundTrips(publicKey: string): Promise<number[]> {
  const visitor = await openWidgetVisitor(node.url, publicKey);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now();
    visitor.send(`round ${round}`);
    await visitor.until(() => visitor.waiting().length === 0);
    times.push(performance.now() - begun);
    await delay(20);
  }
  visitor.leave();
  return times;
}

async function idle(publicKey: string): Promise<void> {
  const alone = await roundTrips(publicKey);
  const before = await node.figures();
  await delay(IDLE_MS);
  const still = await node.figures();
  const begun = performance.now();
  await share(Number(values.idle), (child, count) =>
    child.ask({ open: { url: node.url, publicKey, count } }),
  );
  const opened = performance.now() - begun;
  const from = await node.figures();
  await delay(IDLE_MS);
  const to = await node.figures();
  const among = await roundTrips(publicKey);
  console.log(`${to.visitors} idle visitors, opened in ${seconds(opened)}`);
  console.log(
    `  ${(((to.residentMb - still.residentMb) * 1_024) / Number(values.idle)).toFixed(1)} KiB each (${to.residentMb.toFixed(0)} MiB in all), ` +
      `${percent(to.cpuS - from.cpuS)} of a processor, ${percent(still.cpuS - before.cpuS)} without them`,
  );
  console.log(
    `  a message among them: median ${median(among).toFixed(1)} ms, worst ${Math.max(...among).toFixed(1)} ms; ` +
      `alone: ${median(alone).toFixed(1)} and ${Math.max(...alone).toFixed(1)} ms`,
  );
  await endCrowd();
}

/** How long the server takes to say that it is alive, again and again until it is stopped. */
function probe(): { stop(): Promise<number[]> } {
  const times: number[] = [];
  let isOver = false;
  const probing = (async () => {
    while (!isOver) {
      const begun = performance.now();
      await fetch(`${node.url}/healthz`).catch(() => undefined);
      times.push(performance.now() - begun);
      await delay(PROBE_MS);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await probing;
      return times;
    },
  };
}

async function returning(publicKey: string): Promise<boolean> {
  const count = Number(values.returning);
  await share(count, (child, part, place) =>
    child.ask({ open: { url: node.url, publicKey, count: part, name: `first-${place}` } }),
  );
  while ((await postgres.query(WORK)).rows[0]?.n !== 0) await delay(PROBE_MS);
  await node.kill();
  const writing = Number(values.writing);
  await share(writing, (child, part) => child.ask({ write: 'while away', count: part }));
  const begun = Date.now();
  await node.start();
  const ready = Date.now();
  const { cpuS } = await node.figures();
  const probing = probe();
  const settled = await share(0, (child) => child.ask<Settled>({ settled: true }));
  const health = await probing.stop();
  const cpuMs = ((await node.figures()).cpuS - cpuS) * 1_000;
  const times = settled.flatMap(({ at: all }) => all.map((one) => one - ready));
  const wrong = settled.flatMap((one) => one.wrong);
  const { rows } = await postgres.query(
    `select count(*)::int as stored, count(distinct (conversation_id, text))::int as different
     from messages where sender = 'visitor' and (text like 'first-%' or text like 'while away%')`,
  );
  const { stored, different } = rows[0] ?? {};
  console.log(
    `${count} visitors with a chat return after a kill, ${writing} of whom wrote meanwhile; the server started in ${seconds(ready - begun)}`,
  );
  console.log(
    `  all is acknowledged and shown ${seconds(Math.max(...times))} after it was ready (median ${seconds(quantile(times, 0.5))}, p99 ${seconds(quantile(times, 0.99))})`,
  );
  console.log(`  the server's processor time: ${(cpuMs / count).toFixed(1)} ms for each who returned`);
  console.log(
    `  /healthz meanwhile: median ${quantile(health, 0.5).toFixed(0)} ms, worst ${Math.max(...health).toFixed(0)} ms`,
  );
  console.log(
    `  ${stored} messages stored of ${count + writing}, ${stored - different} twice; ${wrong.length} wrong on a screen ${wrong.slice(0, 3).join('; ')}`,
  );
  return stored === count + writing && stored === different && wrong.length === 0;
}

try {
  await node.start();
  const commands = commandsOf(PROGRAM, { ...environment, FOYER_DATA_DIR: join(folder.dir, 'cli') });
  const { publicKey } = await furnish(commands);
  if (Number(values.idle) > 0) await idle(publicKey);
  const isRight = Number(values.returning) === 0 || (await returning(publicKey));
  process.exitCode = isRight ? 0 : 1;
} finally {
  await endCrowd();
  await node.kill();
  await postgres.stop();
  await folder.remove();
}
process.exit();
