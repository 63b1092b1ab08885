import { rm } from 'node:fs/promises';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded/embedded.ts';
import { scratchFolder } from './scratch.ts';

/**
 * One real PostgreSQL for the whole run: the one in FOYER_TEST_POSTGRES, else Foyer's own in a folder that goes away
 * with it. Each test file makes its databases there (`test/harness.ts`).
 */
export async function setup(): Promise<() => Promise<void>> {
  if (process.env.FOYER_TEST_POSTGRES) return async () => undefined;
  const dataDir = await scratchFolder('foyer-test-');
  const start = () => startEmbeddedPostgres({ dataDir, log: () => undefined });
  await adapt(await start());
  const postgres = await start();
  process.env.FOYER_TEST_POSTGRES = postgres.url;
  return async () => {
    // Files that failed run again in this process, with one of their own (`scripts/test.ts`).
    delete process.env.FOYER_TEST_POSTGRES;
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
}

/**
 * This PostgreSQL goes away with the run, so it need not outlive a power cut, and several apps at once are on it. Tests
 * that kill one have one of their own, as users get it.
 */
async function adapt({ url, stop }: EmbeddedPostgres): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const setting of ['fsync = off', 'max_connections = 120'])
    await client.query(`alter system set ${setting}`);
  await client.end();
  await stop();
}
