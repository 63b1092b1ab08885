/**
 * Reports over 90 days, with the 90 before, of a site with 100,000 chats in these 180 days: each of them a hundred
 * times, as the desk's entry point runs them, compared with the same figures counted from the chats themselves. And how
 * long it takes to count all these chats for the first time, as after an upgrade.
 */
import { sql } from 'kysely';
import type { SiteContext } from '../packages/server/src/core/context.ts';
import { openDatabase } from '../packages/server/src/db/database.ts';
import { startEmbeddedPostgres } from '../packages/server/src/db/embedded/embedded.ts';
import { migrateAt } from '../packages/server/src/db/migrate.ts';
import { operations, runOperation } from '../packages/server/src/registry.ts';
import { countSite } from '../packages/server/src/reports/counting.ts';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { contextOf } from './context.ts';
import { type Figure, ms, NONE, quantile } from './figures.ts';
import { temporaryFolder } from './foyer.ts';
import { fillChats } from './report-chats.ts';

const CHATS = 100_000;
const ROUNDS = 100;
const WANTED_MS = 100;

async function timesOf(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const from = performance.now();
    await work();
    times.push(performance.now() - from);
  }
  return times;
}

/** How many chats there were each day, from the chats. */
const scan = ({ db, site }: SiteContext): Promise<unknown> =>
  sql`
    select (started_at at time zone 'Europe/Berlin')::date as day, status, count(*) from conversations
    where site_id = ${site.id} and started_at >= now() - interval '90 days' group by 1, 2`.execute(db);

async function countAll(ctx: SiteContext): Promise<Figure> {
  const from = performance.now();
  const behind = () =>
    ctx.db
      .selectFrom('report_sites')
      .select('site_id')
      .where('chats_below', 'is not', null)
      .executeTakeFirst();
  while (await behind()) await countSite(ctx);
  const seconds = (performance.now() - from) / 1000;
  return {
    what: `reports: ${CHATS.toLocaleString('en')} chats counted for the first time`,
    ours: `${seconds.toFixed(0)} s (${Math.round(CHATS / seconds).toLocaleString('en')}/s)`,
    bare: NONE,
    ratio: NONE,
    wanted: NONE,
  };
}

async function measure(ctx: SiteContext): Promise<Figure[]> {
  const bare = await timesOf(() => scan(ctx));
  const figures: Figure[] = [];
  for (const operation of operations.filter(({ name }) => /^reports\.(?!export)/.test(name))) {
    const seen = await timesOf(() => runOperation(operation, ctx, { range: '90d' }));
    figures.push({
      what: `${operation.name} over 90 days: p99 (median)`,
      ours: `${ms(quantile(seen, 0.99))} (${ms(quantile(seen, 0.5))})`,
      bare:
        operation.name === 'reports.volume'
          ? `${ms(quantile(bare, 0.99))} (${ms(quantile(bare, 0.5))})`
          : NONE,
      ratio: NONE,
      wanted: `≤ ${WANTED_MS} ms`,
    });
  }
  return figures;
}

export async function reports(): Promise<Figure[]> {
  const folder = await temporaryFolder();
  const postgres = await startEmbeddedPostgres({ dataDir: folder.dir, log: () => undefined });
  const database = openDatabase(postgres.url, { patient: true });
  try {
    await migrateAt(postgres.url);
    const { id } = await createSite(database.db, { name: 'Reports', plan: 'growth' });
    await fillChats(database.db, id, CHATS);
    const ctx = contextOf(database.db, id);
    const counted = await countAll(ctx);
    await sql`vacuum (analyze) report_days, report_contributions`.execute(database.db);
    return [counted, ...(await measure(ctx))];
  } finally {
    await database.close();
    await postgres.stop();
    await folder.remove();
  }
}
