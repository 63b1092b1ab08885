import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/harness.ts';
import { openDatabase } from './database.ts';

test('a statement that waits for a lock of a hanging process continues instead of failing', {
  timeout: 30_000,
}, async () => {
  const { url, close } = await testDatabase();
  const hung = openDatabase(url, { max: 1 });
  const other = openDatabase(url, { max: 1 });
  const rename = (name: string) => sql`update sites set name = ${name}`;
  await other.db
    .insertInto('sites')
    .values({ name: 'One', plan: 'free', public_key: 'pk_1', greeting: '' })
    .execute();
  const begun = hung.db.transaction().execute(async (tx) => {
    await rename('Hung').execute(tx);
    // Sends nothing meanwhile.
    await rename('Other').execute(other.db);
    await rename('Hung again').execute(tx);
  });
  await expect(begun).rejects.toThrow();
  const { rows } = await sql`select name from sites`.execute(hung.db);
  expect(rows).toEqual([{ name: 'Other' }]);
  await hung.close();
  await other.close();
  await close();
});
