/**
 * How long 97 healthy receivers wait for an event, from its creation to its arrival, while three others hang, drip and
 * stream endlessly; compared with the same hundred when all are healthy.
 */

import { sql } from 'kysely';
import type { Db } from '../packages/server/src/db/database.ts';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { type Child, startChild } from './child.ts';
import { type Figure, median, NONE } from './figures.ts';
import { withDatabase } from './foyer.ts';
import { emit, SECRET, subscribe } from './webhooks-seed.ts';

export async function webhooksFair(): Promise<Figure[]> {
  const receiver = startChild('webhooks-receiver.ts');
  try {
    const url = await receiver.ask<string>({ listen: true });
    return await withDatabase(({ db, url: database }) => compareWaits(db, database, url, receiver));
  } finally {
    await receiver.stop();
  }
}

const HEALTHY = 97;
const SITES = 10;
const EVENT_EVERY_MS = 25;
const PHASE_MS = 12_000;
const WAIT_ROUNDS = 3;

export const percentile = (values: number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? Number.NaN;

interface Waits {
  p50: number;
  p99: number;
}

/** Sites of ten subscriptions each; an event for one of them every 25 ms. */
async function compareWaits(db: Db, database: string, url: string, receiver: Child): Promise<Figure[]> {
  async function phase(bad: string[]): Promise<Waits> {
    await sql`delete from sites`.execute(db);
    const others = bad.length > 0 ? bad : ['ok', 'ok', 'ok'];
    const urls = [...others, ...Array.from({ length: HEALTHY }, () => 'ok')].map(
      (kind, at) => `${url}/${kind}/${at < others.length ? 'other' : 'healthy'}/${at}`,
    );
    const sites: { id: number; subscriptions: number[] }[] = [];
    for (let at = 0; at < SITES; at++) {
      const { id } = await createSite(db, { name: 'Bench', plan: 'growth' });
      const own = urls.filter((_, index) => index % SITES === at);
      sites.push({ id, subscriptions: await subscribe(db, id, own) });
    }
    const worker = startChild('webhooks-worker.ts');
    await worker.ask({ work: { url: database, secret: SECRET } });
    await receiver.ask({ take: true });
    const until = performance.now() + PHASE_MS;
    for (let at = 0; performance.now() < until; at++) {
      const site = sites[at % SITES];
      if (site) await emit(db, site.id);
      await worker.ask({ wake: true });
      await new Promise((resolve) => setTimeout(resolve, EVENT_EVERY_MS));
    }
    const late = await receiver.ask<Record<string, number[]>>({ take: true });
    const healthy = Object.entries(late).flatMap(([path, each]) => (path.includes('/healthy/') ? each : []));
    await worker.ask({ rest: true });
    await worker.stop();
    return { p50: percentile(healthy, 0.5), p99: percentile(healthy, 0.99) };
  }
  const seen: { alone: Waits; beside: Waits }[] = [];
  for (let round = 0; round < WAIT_ROUNDS; round++) {
    const alone = round % 2 === 0 ? await phase([]) : undefined;
    const beside = await phase(['hang', 'drip', 'stream']);
    seen.push({ alone: alone ?? (await phase([])), beside });
  }
  return (['p50', 'p99'] as const).map((which) => ({
    what: `wait of 97 beside 3 that hang, drip, stream: ${which}`,
    ours: `${median(seen.map(({ beside }) => beside[which]))} ms`,
    bare: `${median(seen.map(({ alone }) => alone[which]))} ms`,
    ratio: `${median(seen.map(({ alone, beside }) => beside[which] / alone[which])).toFixed(2)}×`,
    wanted: which === 'p99' ? '≤ 1.5×' : NONE,
  }));
}
