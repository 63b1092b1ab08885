import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { foyer, foyerJson } from '../../test/fixtures/foyer.ts';
import { freePort } from '../../test/foyer-process.ts';
import { testDatabase, until } from '../../test/harness.ts';
import { startLoad } from '../../test/outbox-load.ts';
import { laterVersion } from '../../test/program-copy.ts';
import { openReadyBalancer } from '../../test/ready-balancer.ts';
import { scratchFolder } from '../../test/scratch.ts';
import { openDatabase } from './database.ts';

const NODES = 3;
const VISITORS = 3;
/** Seven starts and as many ends on a machine that may be busy. */
const TIMEOUT_MS = 400_000;
const OWN = fileURLToPath(new URL('../../bin/foyer.js', import.meta.url));
const ERROR_LEVEL = 50;

const MIGRATIONS = { '0901_marks.sql': 'alter table messages add column mark text;\n' };
const FILLS = {
  '0901_marks.sql': `update messages set mark = 'filled'
where (site_id, id) in (select site_id, id from messages where mark is null limit 200);\n`,
};

interface Node {
  url: string;
  /** Starts it with a version, and waits until it is ready. */
  start(program: string): Promise<void>;
  /** @returns its exit code */
  end(): Promise<number | null>;
}

async function makeNode(settings: Record<string, string>, logged: string[]): Promise<Node> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const dataDir = await scratchFolder('foyer-node-');
  const env = { ...settings, PATH: process.env.PATH, PORT: String(port), FOYER_DATA_DIR: dataDir };
  let child: ChildProcess | undefined;
  return {
    url,
    async start(program) {
      const started = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      child = started;
      for (const stream of [started.stdout, started.stderr])
        stream.on('data', (text) => logged.push(...String(text).split('\n')));
      await until(async () => {
        if (started.exitCode !== null) throw new Error(`a node ended: ${logged.join('\n')}`);
        return fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      });
    },
    async end() {
      if (!child || child.exitCode !== null) return null;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
  };
}

/** A probe that a busy machine answers late is `unavailable`. */
function isError(line: string): boolean {
  if (!line.startsWith('{')) return false;
  const { level, code } = JSON.parse(line);
  return level >= ERROR_LEVEL && code !== 'unavailable';
}

test(
  'three nodes are upgraded one after another under load: nothing fails, is lost or stays unfilled',
  async () => {
    const [database, later] = [await testDatabase(), await laterVersion(MIGRATIONS, FILLS)];
    const { db, close } = openDatabase(database.url, { max: 2 });
    const common = {
      DATABASE_URL: database.url,
      FOYER_SECRET: 's'.repeat(32),
      LOG_LEVEL: 'warn',
      // Each visitor writes as fast as it is answered.
      FOYER_LIMIT_FACTOR: '1000',
    };
    const settings = { ...common, FOYER_DATA_DIR: await scratchFolder('foyer-command-') };
    const logged: string[] = [];
    const nodes = await Promise.all(
      Array.from({ length: NODES }, () => makeNode({ ...common, FOYER_DRAIN_S: '2' }, logged)),
    );
    onTestFinished(async () => {
      await Promise.all(nodes.map((node) => node.end()));
      await close();
      await database.close();
    }, TIMEOUT_MS);
    await Promise.all(nodes.map((node) => node.start(OWN)));
    const { public_key } = await foyerJson<{ public_key: string }>(
      ['site', 'create', '--name', 'Shop'],
      settings,
    );
    const balancer = await openReadyBalancer(nodes.map(({ url }) => url));
    onTestFinished(() => balancer.close());
    const load = startLoad({ url: balancer.url, publicKey: public_key }, VISITORS);
    const failed: string[] = [];
    let isOver = false;
    const asking = (async () => {
      while (!isOver)
        await fetch(`${balancer.url}/v1/whoami`).then(
          ({ status }) => (status >= 500 ? failed.push(String(status)) : undefined),
          (error) => failed.push(String(error.cause ?? error)),
        );
    })();
    const served = async (): Promise<void> => {
      const before = load.acked.size;
      await until(async () => load.acked.size > before + VISITORS);
    };
    await served();
    const { code, stderr } = await new Promise<{ code: number | null; stderr: string }>((resolve) => {
      const migration = spawn(process.execPath, [later, 'migrate'], {
        env: { ...settings, PATH: process.env.PATH },
      });
      let said = '';
      migration.stderr.on('data', (text) => (said += String(text)));
      migration.once('exit', (exit) => resolve({ code: exit, stderr: said }));
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await served();
    const [first] = nodes;
    // The previous version starts again on the new schema.
    expect(await first?.end()).toBe(0);
    await first?.start(OWN);
    await served();
    expect((await foyer(['doctor'], settings)).stdout).toMatch(/^warning +migrations .*finish the upgrade/m);
    for (const node of nodes) {
      expect(await node.end()).toBe(0);
      await node.start(later);
      await served();
    }
    await load.end();
    isOver = true;
    await asking;
    expect(failed).toEqual([]);
    expect([...load.refusals].filter((code) => code !== 'closed')).toEqual([]);
    const { rows } = await sql<{ client_id: string }>`select client_id from messages`.execute(db);
    const stored = rows.map(({ client_id }) => client_id);
    expect(stored).toHaveLength(new Set(stored).size);
    expect([...load.acked].filter((id) => !stored.includes(id))).toEqual([]);
    await until(
      async () => (await sql`select from messages where mark is null limit 1`.execute(db)).rows.length === 0,
    );
    expect(logged.filter(isError)).toEqual([]);
  },
  TIMEOUT_MS,
);
