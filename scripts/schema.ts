/** `npm run schema`: writes the types of all tables from a database that has every migration. */
import { writeFile } from 'node:fs/promises';
import { withDatabase } from '../bench/foyer.ts';
import { TABLES, tableTypes } from '../packages/server/test/table-types.ts';

await withDatabase(async ({ pool }) => writeFile(TABLES, await tableTypes(pool)));
