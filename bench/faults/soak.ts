/**
 * Hours of an ordinary day: visitors who stay and write, others who arrive, write and leave, the bot, a desk, a
 * webhook. Prints memory and pending work in the database every minute; at the end everything lost, doubled or left
 * behind.
 * Usage: node bench/faults/soak.ts [--minutes 240] [--visitors 20]
 * The exit code is 1 if anything was lost or doubled, work was left, or memory grew by more than 20 MiB an hour in the
 * second half of a run of at least an hour.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makePostgres } from '../../packages/server/test/postgres-server.ts';
import { startReceiver } from '../../packages/server/test/receiver.ts';
import { openWidgetVisitor } from '../../packages/server/test/widget-visitor.ts';
import { temporaryFolder } from '../foyer.ts';
import { type Figures, makeNode, PROGRAM } from './cluster.ts';
import { ADMIN, commandsOf, furnish } from './furnish.ts';
import { judge, report, settled } from './judge.ts';
import { openCrowd, openDesk } from './people.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '240' }, visitors: { type: 'string', default: '20' } },
});
const MINUTE_MS = 60_000;
const PASSES_EVERY_MS = 5_000;
const GROWTH_MAX_MB_H = 20;
/** A shorter run only shows caches that fill. */
const JUDGED_MIN = 60;
/** Queues that are empty once nobody does anything. */
const WAITING = `select
  (select count(*)::int from webhook_queue) as deliveries,
  (select count(*)::int from report_dirty_records) as "report marks",
  (select count(*)::int from foyer_jobs.job where state < 'completed' and start_after < now()) as jobs`;

const folder = await temporaryFolder();
const postgres = await makePostgres({ max_connections: '100' });
await postgres.start();
const receiver = await startReceiver();
const environment = {
  DATABASE_URL: postgres.url,
  FOYER_SECRET: randomBytes(32).toString('base64url'),
  FOYER_DATA_DIR: join(folder.dir, 'node'),
  FOYER_WEBHOOK_ALLOW_PRIVATE: 'true',
  FOYER_LIMIT_FACTOR: '1000',
};
const node = await makeNode(environment, join(folder.dir, 'node.log'));

/** The slope per hour of a line through the figures of each minute. */
function growth(figures: readonly number[]): number {
  const middle = (figures.length - 1) / 2;
  const mean = figures.reduce((sum, one) => sum + one, 0) / figures.length;
  const sum = (of: (one: number, at: number) => number): number =>
    figures.reduce((total, one, at) => total + of(one, at), 0);
  const across = sum((_, at) => (at - middle) ** 2);
  return across === 0 ? 0 : (sum((one, at) => (at - middle) * (one - mean)) / across) * 60;
}

/** Visitors who arrive for one message, until the run is over. */
async function passBy(publicKey: string, isOver: () => boolean): Promise<number> {
  let passed = 0;
  for (; !isOver(); passed++) {
    const visitor = await openWidgetVisitor(node.url, publicKey);
    visitor.send(`passer-by ${passed}`);
    await visitor.until(() => visitor.waiting().length === 0);
    visitor.leave();
    await delay(PASSES_EVERY_MS);
  }
  return passed;
}

async function waiting(): Promise<Record<string, number>> {
  const { rows } = await postgres.query(WAITING);
  return rows[0] ?? {};
}

const left = async (): Promise<string[]> =>
  Object.entries(await waiting())
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`);

/** A line each minute. @returns the figures */
async function watch(minutes: number): Promise<Figures[]> {
  const all: Figures[] = [];
  for (let minute = 1; minute <= minutes; minute++) {
    await delay(MINUTE_MS);
    const figures = await node.figures();
    all.push(figures);
    const open = Object.entries(await waiting()).map(([name, count]) => `${count} ${name}`);
    const { rows } = await postgres.query('select count(*)::int as notices from notice_outbox');
    console.log(
      `${minute}: ${figures.residentMb.toFixed(0)} MiB, heap ${figures.heapMb.toFixed(0)} MiB, ${figures.visitors} visitors, ${open.join(', ')}, ${rows[0]?.notices} notices of the last minutes`,
    );
  }
  return all;
}

try {
  await node.start();
  const commands = commandsOf(PROGRAM, { ...environment, FOYER_DATA_DIR: join(folder.dir, 'cli') });
  const { publicKey, subscribe } = await furnish(commands);
  await subscribe(node.url, receiver.url);
  const desk = await openDesk(node, node.url, ADMIN);
  const crowd = await openCrowd({ balancer: node }, publicKey, Number(values.visitors));
  for (const visitor of crowd.visitors) desk.follow(visitor.session() ?? '');
  let isOver = false;
  const passing = passBy(publicKey, () => isOver);
  const all = await watch(Number(values.minutes));
  isOver = true;
  const passed = await passing;
  await crowd.end();
  const found = await judge({ postgres, crowd, desks: [] });
  const { rows } = await postgres.query(
    `select count(*)::int as n from messages where sender = 'visitor' and text like 'passer-by %'`,
  );
  found.set('passers-by lost or doubled', rows[0]?.n === passed ? [] : [`${rows[0]?.n} of ${passed}`]);
  found.set('left', await settled(left, 4 * MINUTE_MS));
  const half = all.slice(Math.floor(all.length / 2)).map(({ residentMb }) => residentMb);
  const slope = growth(half);
  const isJudged = all.length >= JUDGED_MIN;
  console.log(
    `memory in the second half: ${slope >= 0 ? '+' : ''}${slope.toFixed(1)} MiB an hour${isJudged ? '' : ' (too short to judge)'}`,
  );
  const isRight = report(found) && (!isJudged || slope <= GROWTH_MAX_MB_H);
  desk.leave();
  for (const visitor of crowd.visitors) visitor.leave();
  process.exitCode = isRight ? 0 : 1;
} finally {
  await node.kill();
  await receiver.close();
  await postgres.stop();
  await folder.remove();
}
process.exit();
