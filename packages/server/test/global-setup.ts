import { rm } from 'node:fs/promises';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded/embedded.ts';
import { scratchFolder } from './scratch.ts';

/**
 * One real PostgreSQL for the whole run: the one in FOYER_TEST_POSTGRES, or else Foyer's own in a folder that is
 * deleted afterwards. Each test file creates its databases there (`test/harness.ts`).
 */
export async function setup(): Promise<() => Promise<void>> {
  if (process.env.FOYER_TEST_POSTGRES) return async () => undefined;
  const dataDir = await scratchFolder('foyer-test-');
  const start = () => startEmbeddedPostgres({ dataDir, log: () => undefined });
  await adapt(await start());
  const postgres = await start();
  process.env.FOYER_TEST_POSTGRES = postgres.url;
  return async () => {
    // Failed files run again in this process, with a new PostgreSQL (`scripts/test.ts`).
    delete process.env.FOYER_TEST_POSTGRES;
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
}

/**
 * This PostgreSQL is deleted with the run, so it need not survive a power cut, and several apps use it at once. Tests
 * that kill a PostgreSQL have their own, with the product's settings.
 */
async function adapt({ url, stop }: EmbeddedPostgres): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const setting of ['fsync = off', 'max_connections = 120'])
    await client.query(`alter system set ${setting}`);
  await client.end();
  await stop();
}
