import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { until } from './harness.ts';
import { makePostgres, type PostgresServer } from './postgres-server.ts';

/**
 * A primary and a standby that streams from it, until the test has finished.
 * @param how `isSynchronous`: the standby has everything that the primary has acknowledged
 */
export async function makePair(
  how: { isSynchronous?: boolean } = {},
): Promise<{ primary: PostgresServer; standby: PostgresServer }> {
  const primary = await makePostgres();
  const standby = await primary.copy();
  if (how.isSynchronous) await primary.configure({ synchronous_standby_names: 'standby' });
  const source = `host=127.0.0.1 port=${primary.port} user=foyer application_name=standby`;
  await standby.configure({ primary_conninfo: source });
  await writeFile(join(standby.folder, 'standby.signal'), '');
  onTestFinished(async () => {
    await primary.stop();
    await standby.stop();
  });
  await primary.start();
  await standby.start();
  const streams = how.isSynchronous ? `sync_state = 'sync'` : `state = 'streaming'`;
  await until(async () => {
    const { rows } = await primary.query(`select from pg_stat_replication where ${streams}`);
    return rows.length === 1;
  });
  return { primary, standby };
}
