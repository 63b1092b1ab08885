/** How long REST takes to respond while one process sends a backlog of 100,000 deliveries, compared with idle. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { startChild } from './child.ts';
import { type Figure, NONE } from './figures.ts';
import { type World, withWorld } from './foyer.ts';
import { percentile } from './webhooks-fair.ts';
import { makeDue, SECRET, subscribe } from './webhooks-seed.ts';

export async function webhooksBacklog(): Promise<Figure[]> {
  const receiver = startChild('webhooks-receiver.ts');
  try {
    const url = await receiver.ask<string>({ listen: true });
    const environment = { FOYER_SECRET: SECRET, FOYER_WEBHOOK_ALLOW_PRIVATE: 'true' };
    return await withWorld((world) => compareRest(world, url), environment);
  } finally {
    await receiver.stop();
  }
}

const BACKLOG = 100_000;
const LANES = 20;
const ASK_EVERY_MS = 10;
const IDLE_ASKS = 1_500;

/** Sends requests at a steady pace, however long responses take, as people do, until `isOver`. */
async function ask(url: string, token: string, isOver: (asked: number) => boolean): Promise<number[]> {
  const took: number[] = [];
  const waiting: Promise<void>[] = [];
  for (let asked = 0; !isOver(asked); asked++) {
    const from = performance.now();
    waiting.push(
      fetch(`${url}/v1/tags`, { headers: { authorization: `Bearer ${token}` } })
        .then((response) => response.text())
        .then(() => void took.push(performance.now() - from)),
    );
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  await Promise.all(waiting);
  return took;
}

async function compareRest({ foyer, database: { db } }: World, receiver: string): Promise<Figure[]> {
  const { id } = await createSite(db, { name: 'Bench', plan: 'growth' });
  const token = `foy_${randomBytes(32).toString('base64url')}`;
  await sql`insert into api_tokens (site_id, name, token_hash, hint, can_write)
    values (${id}, 'bench', sha256(${token}::bytea), 'none', false)`.execute(db);
  const urls = Array.from({ length: LANES }, (_, at) => `${receiver}/ok/backlog/${at}`);
  const subscriptions = await subscribe(db, id, urls);
  await ask(foyer.url, token, (asked) => asked >= 300);
  const idle = await ask(foyer.url, token, (asked) => asked >= IDLE_ASKS);

  await makeDue(db, id, subscriptions, BACKLOG);
  const from = performance.now();
  let [left, over] = [BACKLOG, false];
  const watch = (async () => {
    while (left > 0) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      const { rows } = await sql<{ left: number }>`
        select count(*)::int as left from webhook_queue`.execute(db);
      left = rows[0]?.left ?? 0;
    }
    over = true;
  })();
  const busy = await ask(foyer.url, token, () => over);
  await watch;
  const rate = BACKLOG / ((performance.now() - from) / 1000);
  const ms = (values: number[], part: number): string => `${percentile(values, part).toFixed(1)} ms`;
  const line = (what: string, part: number, wanted: string): Figure => ({
    what,
    ours: ms(busy, part),
    bare: ms(idle, part),
    ratio: `${(percentile(busy, part) / percentile(idle, part)).toFixed(2)}×`,
    wanted,
  });
  return [
    line(`REST while a backlog of 100,000 drains at ${Math.round(rate)}/s: p50`, 0.5, NONE),
    line('REST while a backlog of 100,000 drains: p99', 0.99, '≤ 2×'),
  ];
}
