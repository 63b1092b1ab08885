import { sql } from 'kysely';
import { type Db, openDatabase } from '../packages/server/src/db/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../packages/server/src/db/embedded/embedded.ts';

/** Writes settings of the server; those that need no restart take effect at a reload. */
export async function setSettings(db: Db, settings: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await sql`alter system set ${sql.raw(name)} = ${sql.lit(value)}`.execute(db);
}

/** The included PostgreSQL with settings that need a restart, such as a library that observes statements. */
export async function startPreloaded(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<EmbeddedPostgres> {
  const options = { dataDir, log: () => undefined };
  const first = await startEmbeddedPostgres(options);
  const setUp = openDatabase(first.url, { patient: true });
  await setSettings(setUp.db, settings);
  await setUp.close();
  await first.stop();
  return startEmbeddedPostgres(options);
}
