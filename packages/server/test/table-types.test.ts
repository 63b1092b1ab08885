import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/db/database.ts';
import { testDatabase } from './harness.ts';
import { TABLES, tableTypes } from './table-types.ts';

test('the types of the tables are those of the migrations (npm run schema)', async () => {
  const database = await testDatabase();
  const { pool, close } = openDatabase(database.url, { max: 1 });
  onTestFinished(async () => {
    await close();
    await database.close();
  });
  expect(readFileSync(TABLES, 'utf8')).toBe(await tableTypes(pool));
});
