/**
 * Faults under load: three nodes behind a stateless load balancer, visitors with the widget's own outbox, a desk on
 * each node, webhooks, the bot. Ends nodes, hangs them, cuts their bus, crashes PostgreSQL and Redis, finally fails
 * over to a standby; then compares what was acknowledged, stored, shown on each desk and to each visitor, and
 * delivered.
 * Usage: node bench/faults/nodes.ts [--faults 100] [--visitors 30] [--seed N] [--without-redis] [--only hung,killed]
 * The exit code is 1 if anything acknowledged was lost, anything was doubled, or a view stays incomplete.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startReceiver } from '../../packages/server/test/receiver.ts';
import { quantile, seconds } from '../figures.ts';
import { type Cluster, makeCluster, overflow } from './cluster.ts';
import { ADMIN, furnish } from './furnish.ts';
import { judge, report } from './judge.ts';
import { type Crowd, openCrowd, openDesk } from './people.ts';

const { values } = parseArgs({
  options: {
    faults: { type: 'string', default: '100' },
    visitors: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
    'without-redis': { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});

/** Mulberry32: the same faults for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The faults of the cluster; each restores it. */
const FAULTS: Record<string, (cluster: Cluster, place: number) => Promise<void>> = {
  async killed({ nodes }, place) {
    await nodes[place]?.kill();
    await delay(1_000);
    await nodes[place]?.start();
  },
  async hung({ nodes }, place) {
    nodes[place]?.signal('SIGSTOP');
    await delay(12_000);
    nodes[place]?.signal('SIGCONT');
  },
  async 'bus cut'({ postgres }) {
    await postgres().query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%'`,
    );
  },
  async 'all connections cut'({ postgres }) {
    await postgres().query(
      `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
  },
  /** Sends more than the buffers hold, while one node reads nothing. */
  async 'bus full'({ nodes, postgres, redis }, place) {
    nodes[place]?.signal('SIGSTOP');
    if (redis) await overflow(redis);
    // 32 MB: the kernel buffers less.
    await postgres().query(`select pg_notify('foyer', repeat('0', 12) || json_build_object('nothing', n || repeat('x', 7900)))
       from generate_series(1, 4000) n`);
    if (redis) await overflow(redis);
    await delay(12_000);
    nodes[place]?.signal('SIGCONT');
  },
  async 'redis killed'({ redis }) {
    await redis?.kill();
    await delay(3_000);
    await redis?.start();
  },
  async 'redis hung'({ redis }) {
    redis?.hang();
    await delay(5_000);
    redis?.goOn();
  },
  async 'postgresql crashed'({ postgres }) {
    await postgres().stop('SIGQUIT');
    await delay(500);
    await postgres().start();
  },
  'failed over': (cluster) => cluster.failOver(),
};

async function inject(cluster: Cluster, crowd: Crowd, names: string[], random: () => number) {
  const waits = new Map<string, number[]>();
  for (const [index, name] of names.entries()) {
    const place = Math.floor(random() * cluster.nodes.length);
    await delay(random() * 1_500);
    const fault = FAULTS[name]?.(cluster, place);
    const probe = await crowd.probe();
    await fault;
    waits.set(name, [...(waits.get(name) ?? []), ...probe]);
    console.log(
      `${index + 1} ${name}, node ${place}: ${probe
        .filter((ms) => ms > 500)
        .map((ms) => seconds(ms))
        .join(' ')}`,
    );
    while (!(await Promise.all(cluster.nodes.map((node) => node.isReady()))).every(Boolean)) await delay(100);
  }
  return waits;
}

function plan(count: number, random: () => number, hasRedis: boolean): string[] {
  const kinds = Object.keys(FAULTS).filter(
    (name) =>
      name !== 'failed over' &&
      (hasRedis || !name.startsWith('redis')) &&
      (!values.only || values.only.split(',').includes(name)),
  );
  const names = Array.from(
    { length: count - 1 },
    () => kinds[Math.floor(random() * kinds.length)] ?? 'killed',
  );
  return [...names, 'failed over'];
}

const seed = Number(values.seed);
const random = randomFrom(seed);
console.log(`seed ${seed}`);
const cluster = await makeCluster(3, !values['without-redis']);
const receiver = await startReceiver();
try {
  const { publicKey, subscribe } = await furnish(cluster.foyer);
  await subscribe(cluster.nodes[0]?.url ?? '', receiver.url);
  const desks = await Promise.all(cluster.nodes.map((node) => openDesk(node, cluster.balancer.url, ADMIN)));
  const crowd = await openCrowd(cluster, publicKey, Number(values.visitors));
  for (const desk of desks) for (const visitor of crowd.visitors) desk.follow(visitor.session() ?? '');
  const names = plan(Number(values.faults), random, cluster.redis !== undefined);
  const waits = await inject(cluster, crowd, names, random);
  for (const [name, all] of waits) {
    const sorted = all.toSorted((a, b) => a - b);
    const felt = sorted.filter((ms) => ms > 500);
    console.log(
      `${name}: ${all.length} waits for an acknowledgement, ${felt.length} over 0.5 s, of these median ${seconds(quantile(felt, 0.5))}, p90 ${seconds(quantile(felt, 0.9))}; worst ${seconds(sorted.at(-1) ?? 0)}`,
    );
  }
  const delivered = () =>
    receiver.requests.map(({ body }) => {
      const { session_id, message } = JSON.parse(body);
      return `${session_id} ${message?.seq}`;
    });
  await crowd.end();
  // The bot still answers the last messages.
  await delay(3_000);
  process.exitCode = report(await judge({ postgres: cluster.postgres(), crowd, desks, delivered })) ? 0 : 1;
  console.log(
    `webhook deliveries repeated: ${receiver.requests.length - new Set(receiver.requests.map(({ headers }) => headers['x-service-delivery'])).size}`,
  );
  for (const desk of desks) desk.leave();
  for (const visitor of crowd.visitors) visitor.leave();
} finally {
  await receiver.close();
  await cluster.close();
}
process.exit();
