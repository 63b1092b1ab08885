import { listMigrations, readMigration } from '../src/db/migration-files.ts';

/** Today's name of each table that a migration has renamed, by the one before. */
export async function renamedTables(): Promise<Map<string, string>> {
  const texts = await Promise.all((await listMigrations()).map(readMigration));
  const renames = texts.flatMap((text) => [...text.matchAll(/^alter table (\w+) rename to (\w+);/gm)]);
  return new Map(renames.map(([, before = '', now = '']) => [before, now]));
}
