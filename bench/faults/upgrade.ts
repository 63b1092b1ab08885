/**
 * A rolling upgrade from an older revision of this repository, as its lockfile installs it: three processes of it
 * behind a load balancer that checks `/readyz`, visitors with the widget's own outbox, a desk at each node. In turn
 * each is ended by SIGTERM and started as this version, with one more migration and its fill; in between, one restarts
 * as the old version on the new schema. Then compares what was acknowledged, stored and shown, and waits for the fill.
 * Usage: node bench/faults/upgrade.ts [--from COMMIT] [--visitors 20]
 * The first run installs the revision below the system's temporary folder, which takes minutes.
 * The exit code is 1 if anything was lost, doubled or left unfilled, or a process logged an error.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { makePostgres } from '../../packages/server/test/postgres-server.ts';
import { laterVersion } from '../../packages/server/test/program-copy.ts';
import { openReadyBalancer } from '../../packages/server/test/ready-balancer.ts';
import { seconds } from '../figures.ts';
import { temporaryFolder } from '../foyer.ts';
import { makeNode } from './cluster.ts';
import { ADMIN, commandsOf, furnish } from './furnish.ts';
import { judge, report, settled } from './judge.ts';
import { type Crowd, openCrowd, openDesk } from './people.ts';

/** The first revision whose processes start again on a newer schema. */
const OLDEST = 'bbe1c674';
const { values } = parseArgs({
  options: { from: { type: 'string', default: OLDEST }, visitors: { type: 'string', default: '20' } },
});
const NODES = 3;
/** A fill is over a minute after the last old process was seen (src/db/fills.ts). */
const FILLED_MS = 150_000;
const ERROR_LEVEL = 50;
/** The migration and fill that the new version adds. */
const MIGRATIONS = { '0901_marks.sql': 'alter table messages add column mark text;\n' };
const FILLS = {
  '0901_marks.sql': `update messages set mark = 'filled'
where (site_id, id) in (select site_id, id from messages where mark is null limit 200);\n`,
};
const ROOT = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** @returns the program of a commit, installed if it isn't yet */
async function revision(name: string): Promise<string> {
  const { stdout } = await run('git', ['rev-parse', '--verify', `${name}^{commit}`], { cwd: ROOT });
  const commit = stdout.trim();
  const folder = join(tmpdir(), `foyer-revision-${commit}`);
  const installed = join(folder, '.git', 'installed');
  const isThere = await access(installed).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    console.log(`installing ${commit} in ${folder} …`);
    await rm(folder, { recursive: true, force: true });
    await run('git', ['clone', '--quiet', '--shared', '--no-checkout', ROOT, folder]);
    await run('git', ['checkout', '--quiet', commit], { cwd: folder });
    await run('npm', ['ci'], { cwd: folder, maxBuffer: 2 ** 26 });
    await writeFile(installed, '');
  }
  return join(folder, 'packages', 'server', 'bin', 'foyer.js');
}

/** The errors in the processes' logs, and the number of warnings. */
async function readLogs(files: readonly string[]): Promise<{ errors: string[]; warnings: string[] }> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.startsWith('{'));
  const isError = (line: string): boolean => JSON.parse(line).level >= ERROR_LEVEL;
  return { errors: lines.filter(isError), warnings: lines.filter((line) => !isError(line)) };
}

const [old, later] = [await revision(values.from), await laterVersion(MIGRATIONS, FILLS)];
const folder = await temporaryFolder();
const postgres = await makePostgres({ max_connections: '150' });
await postgres.start();
const shared = {
  DATABASE_URL: postgres.url,
  FOYER_SECRET: randomBytes(32).toString('base64url'),
  FOYER_DRAIN_S: '2',
};
const logs = Array.from({ length: NODES }, (_, place) => join(folder.dir, `node-${place}.log`));
const environments = logs.map(
  (_, place): Record<string, string> => ({
    ...shared,
    FOYER_DATA_DIR: join(folder.dir, `node-${place}`),
  }),
);
const nodes = await Promise.all(logs.map((log, place) => makeNode(environments[place] ?? {}, log)));
const balancer = await openReadyBalancer(nodes.map(({ url }) => url));
// Its address is known only now; processes get their environment when they start.
for (const environment of environments) environment.FOYER_BASE_URL = balancer.url;

/** Replaces a process by another, of the same version or not, and has everybody send something before and after. */
async function replace(crowd: Crowd, place: number, program: string, what: string): Promise<boolean> {
  const begun = performance.now();
  const code = await nodes[place]?.end();
  const ended = performance.now();
  const alone = await crowd.probe();
  await nodes[place]?.start(program);
  const waits = [...alone, ...(await crowd.probe())];
  console.log(
    `node ${place} ${what}: exit code ${code} after ${seconds(ended - begun)}, longest wait for an acknowledgement ${seconds(Math.max(...waits))}`,
  );
  return code === 0;
}

async function unfilled(): Promise<string[]> {
  const { rows } = await postgres.query(
    `select (select count(*) from messages where mark is null)::int as rows,
       (select filled_at is not null from foyer_migrations where number = 901) as over`,
  );
  return rows[0]?.rows === 0 && rows[0]?.over ? [] : [JSON.stringify(rows[0])];
}

try {
  for (const node of nodes) await node.start(old);
  const environment = { ...environments[0], FOYER_DATA_DIR: join(folder.dir, 'cli') };
  const { publicKey } = await furnish(commandsOf(old, environment));
  const desks = await Promise.all(nodes.map((node) => openDesk(node, balancer.url, ADMIN)));
  const crowd = await openCrowd({ balancer }, publicKey, Number(values.visitors));
  for (const desk of desks) for (const visitor of crowd.visitors) desk.follow(visitor.session() ?? '');
  await crowd.probe();
  const clean = [
    await replace(crowd, 0, later, 'as the new version, which migrates'),
    await replace(crowd, 1, old, 'as the old version again'),
    await replace(crowd, 1, later, 'as the new version'),
    await replace(crowd, 2, later, 'as the new version'),
  ];
  await crowd.end();
  const found = await judge({ postgres, crowd, desks });
  found.set('left unfilled', await settled(unfilled, FILLED_MS));
  for (const desk of desks) desk.leave();
  for (const visitor of crowd.visitors) visitor.leave();
  clean.push(...(await Promise.all(nodes.map(async (node) => (await node.end()) === 0))));
  const { errors, warnings } = await readLogs(logs);
  found.set('errors in the logs', errors);
  const isRight = report(found);
  console.log(`warnings in the logs: ${warnings.length} ${warnings.slice(0, 5).join(' | ')}`);
  process.exitCode = clean.every(Boolean) && isRight ? 0 : 1;
} finally {
  await Promise.all(nodes.map((node) => node.kill()));
  await balancer.close();
  await postgres.stop();
  await folder.remove();
}
process.exit();
