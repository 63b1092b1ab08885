/**
 * Adds the checksums of new migrations to packages/server/migrations/checksums.txt. Existing lines stay: a migration
 * that people may have applied is never edited; changes need a new migration.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { checksumOf, listMigrations, readMigration } from '../packages/server/src/db/migration-files.ts';

const LIST = new URL('../packages/server/migrations/checksums.txt', import.meta.url);

const lines = (
  await readFile(LIST, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  })
)
  .split(/\r?\n/)
  .filter((line) => line !== '');
const listed = new Map(lines.map((line) => [line.split('  ')[1] ?? '', line]));
for (const migration of await listMigrations())
  if (!listed.has(migration.file))
    listed.set(migration.file, `${checksumOf(await readMigration(migration))}  ${migration.file}`);
const sorted = [...listed].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => `${line}\n`);
await writeFile(LIST, sorted.join(''));
