import { listMigrations, readMigration } from '../src/db/migration-files.ts';

/** The current name of each renamed table, by its previous name. */
export async function renamedTables(): Promise<Map<string, string>> {
  const texts = await Promise.all((await listMigrations()).map(readMigration));
  const renames = texts.flatMap((text) => [...text.matchAll(/^alter table (\w+) rename to (\w+);/gm)]);
  return new Map(renames.map(([, before = '', now = '']) => [before, now]));
}
