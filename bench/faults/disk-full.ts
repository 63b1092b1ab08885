/**
 * The disk of the data folder, with the included PostgreSQL on it, is full for a while: visitors keep writing, then
 * there is space again. Needs root, to mount a small disk in memory.
 * Usage: node bench/faults/disk-full.ts [--seconds 30] [--visitors 10] [--size 400]
 * The exit code is 1 if anything acknowledged was lost or doubled, or if the service doesn't recover automatically.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { findRunningPostgres } from '../../packages/server/src/db/embedded/embedded.ts';
import { temporaryFolder } from '../foyer.ts';
import { makeNode, PROGRAM } from './cluster.ts';
import { commandsOf, furnish } from './furnish.ts';
import { judge, report, settled } from './judge.ts';
import { openCrowd } from './people.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    visitors: { type: 'string', default: '10' },
    size: { type: 'string', default: '400' },
  },
});
/** How long the service may take to recover once there is space. */
const BACK_MS = 60_000;
const BLOCK = Buffer.alloc(2 ** 16);

const folder = await temporaryFolder();
const disk = join(folder.dir, 'disk');
mkdirSync(disk);
execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${values.size}m`, 'tmpfs', disk]);
const environment = {
  FOYER_SECRET: randomBytes(32).toString('base64url'),
  FOYER_DATA_DIR: join(disk, 'data'),
  FOYER_LIMIT_FACTOR: '1000',
};
const node = await makeNode(environment, join(folder.dir, 'node.log'));
const filler = join(disk, 'filler');

/** Keeps filling all free space with one file, including space that others free up. */
async function fillFor(ms: number): Promise<void> {
  const end = performance.now() + ms;
  const file = openSync(filler, 'w');
  while (performance.now() < end) {
    try {
      writeSync(file, BLOCK);
    } catch {
      await delay(20);
    }
  }
  closeSync(file);
}

/** On the database of the data folder. */
async function query(text: string): Promise<pg.QueryResult> {
  const running = await findRunningPostgres(environment.FOYER_DATA_DIR);
  const client = new pg.Client({ connectionString: running?.url });
  await client.connect();
  return client.query(text).finally(() => client.end());
}

try {
  await node.start();
  const { publicKey } = await furnish(commandsOf(PROGRAM, environment));
  const crowd = await openCrowd({ balancer: node }, publicKey, Number(values.visitors));
  await crowd.probe();
  const { bavail, bsize } = statfsSync(disk);
  console.log(`${((bavail * bsize) / 2 ** 20).toFixed(0)} MiB free, now filled`);
  const filling = fillFor(Number(values.seconds) * 1_000);
  await delay(Number(values.seconds) * 500);
  console.log(
    `while it is full: ${crowd.acked().size} of ${crowd.sent.size} acknowledged, ready: ${await node.isReady()}`,
  );
  await filling;
  rmSync(filler);
  const begun = performance.now();
  const back = await settled(async () => ((await node.isReady()) ? [] : ['not ready']), BACK_MS);
  console.log(`ready ${((performance.now() - begun) / 1_000).toFixed(1)} s after there is room`);
  await crowd.probe();
  await crowd.end();
  const found = await judge({ postgres: { query }, crowd, desks: [] });
  found.set('not ready again', back);
  process.exitCode = report(found) ? 0 : 1;
} finally {
  await node.end();
  execFileSync('umount', ['--lazy', disk]);
  await folder.remove();
}
process.exit();
