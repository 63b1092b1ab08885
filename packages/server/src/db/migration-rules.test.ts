import { describe, expect, test } from 'vitest';
import { fillProblems, migrationProblems } from '../../test/migration-rules.ts';
import {
  contractOf,
  isOutsideTransaction,
  LAST_UNRULED,
  listFills,
  listMigrations,
  readFill,
  readMigration,
} from './migration-files.ts';

const check = (text: string, file = '0999_test.sql') =>
  migrationProblems({ file, text }, { outside: isOutsideTransaction(text), contract: contractOf(text) });

test('migrations leave the previous version working and lock no table for long', async () => {
  const later = (await listMigrations()).filter(({ number }) => number > LAST_UNRULED);
  const problems = later.map(async (one) => check(await readMigration(one), one.file));
  expect((await Promise.all(problems)).flat()).toEqual([]);
});

test('fills run in small steps, each beside a migration', async () => {
  const [fills, migrations] = [await listFills(), await listMigrations()];
  const numbers = migrations.map(({ number }) => number);
  for (const fill of fills) expect(numbers).toContain(fill.number);
  const problems = fills.map(async ({ number, file }) =>
    fillProblems({ file, text: await readFill({ number, file }) }),
  );
  expect((await Promise.all(problems)).flat()).toEqual([]);
});

describe('a migration may', () => {
  test.each([
    'create table a (id bigint primary key, b text not null); create index on a (b); insert into a select 1',
    'alter table sites add column a text',
    "alter table sites add column a text not null default ''",
    'alter table sites add column a bigint references sites (id)',
    'alter table sites add constraint a check (id > 0) not valid',
    "insert into sites (name) values ('A')",
    'drop index a',
    '-- outside a transaction\ncreate index concurrently if not exists a on sites (name);\ndrop index concurrently if exists b;',
    '-- contract: works with 0998 and later\nalter table sites drop column name',
  ])('%s', async (text) => {
    expect(await check(text)).toEqual([]);
  });
});

describe('a migration may not', () => {
  test.each([
    ['alter table sites drop column name', 'drops a column'],
    ['drop table sites', 'drops what'],
    ['alter table sites rename column name to title', 'renames'],
    ['alter table sites rename to shops', 'renames'],
    ['alter table sites alter column name type varchar(9)', 'changes the type'],
    ['alter table sites alter column name set not null', 'requires a value'],
    ['alter table sites add column a text not null', 'needs a value'],
    ['alter table sites add column a uuid default gen_random_uuid()', 'rewrites'],
    ['alter table sites add column a text unique', 'unique'],
    ['alter table sites add constraint a check (id > 0)', 'reads the whole table'],
    ['alter table sites add constraint a unique (name)', 'build it concurrently'],
    ['create index on sites (name)', 'locks the table'],
    ['create index concurrently on sites (name)', 'outside a transaction'],
    ['-- outside a transaction\ncreate index concurrently on sites (name)', 'if not exists'],
    ["-- outside a transaction\nupdate sites set name = 'A'", 'something else'],
    ["update sites set name = 'A'", 'write a fill'],
    ['delete from sites', 'write a fill'],
    ['insert into sites select * from sites', 'write a fill'],
    ['-- contract: works with 0999 and later\ndrop table sites', 'earlier version'],
  ])('%s', async (text, problem) => {
    const found = await check(text);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(problem);
  });

  test('have a fill that is unlimited, or has more than one statement', async () => {
    const found = (text: string) => fillProblems({ file: '0999_test.sql', text });
    expect(await found('update sites set name = (select 1 limit 500)')).toEqual([]);
    expect(await found('update sites set id = 1')).toHaveLength(1);
    expect(await found('select 1 limit 500; select 2')).toHaveLength(1);
    expect(await found('select 1 limit 500')).toHaveLength(1);
  });
});
