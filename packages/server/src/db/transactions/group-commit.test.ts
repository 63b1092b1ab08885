import { type RawBuilder, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { testDatabase, until } from '../../../test/harness.ts';
import { isDatabaseLost, isUniqueViolation } from '../../base/errors.ts';
import { type Database, type Db, openDatabase } from '../database.ts';
import { givenRows, ROWS_MAX, rowStatement } from '../given-rows.ts';
import { prepared } from '../prepared.ts';
import { executeForRow } from './group-commit.ts';

let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const { url, close } = await testDatabase();
  drop = close;
  database = openDatabase(url);
  await sql`create table notes_of_test (id integer primary key, text text not null)`.execute(database.db);
});
afterAll(async () => {
  await database.close();
  await drop();
});
afterEach(() => sql`truncate notes_of_test`.execute(database.db));

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

/** Statements of their own: they share transactions with others, and nothing else. */
const alone = (does: RawBuilder<unknown>) =>
  rowStatement(sql`${prepared} with ${givenRows({ id: 'integer' })} ${does}`);
const insert = (id: number, db: Db = database.db) =>
  executeForRow<{ id: number; tx: string }>(
    alone(sql`insert into notes_of_test (id, text) select id, ${'new'} from given
      returning id, pg_current_xact_id()::text as tx`),
    { id },
    'any',
    db,
  );
const change = (id: number) =>
  executeForRow<{ id: number }>(
    alone(
      sql`update notes_of_test t set text = ${'changed'} from given where t.id = given.id returning t.id`,
    ),
    { id },
    'any',
    database.db,
  );
const select = (expression: RawBuilder<unknown>, db: Db = database.db) =>
  executeForRow(alone(sql`select ${expression} as done from given`), { id: 1 }, 'any', db);

async function stored(): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from notes_of_test order by id`.execute(database.db);
  return rows.map(({ id }) => id);
}

/** Holds the lock of a row, in another process as it were, until it is released. */
async function lock(id: number): Promise<() => Promise<void>> {
  const other = openDatabase(database.url, { max: 1 });
  const tx = await other.db.startTransaction().execute();
  await sql`select from notes_of_test where id = ${id} for update`.execute(tx);
  let isHeld = true;
  const release = async (): Promise<void> => {
    if (!isHeld) return;
    isHeld = false;
    await tx.rollback().execute();
    await other.close();
  };
  onTestFinished(release);
  return release;
}

it('statements that arrive together are stored in one transaction, each with its own answer', async () => {
  const answers = await Promise.all(numbers(20).map((id) => insert(id)));
  expect(answers.map((answer) => answer?.id)).toEqual(numbers(20));
  expect(new Set(answers.map((answer) => answer?.tx)).size).toBe(1);
  expect(await stored()).toEqual(numbers(20));
});

it('more than a group are all stored', async () => {
  await Promise.all(numbers(500).map((id) => insert(id)));
  expect(await stored()).toEqual(numbers(500));
});

it('one that fails undoes only itself, and says why', async () => {
  await insert(3);
  const answers = await Promise.allSettled(numbers(5).map((id) => insert(id)));
  expect(answers.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  const [, , failed] = answers;
  expect(failed?.status === 'rejected' && isUniqueViolation(failed.reason, 'notes_of_test_pkey')).toBe(true);
  expect(await stored()).toEqual(numbers(5));
});

it('one that waits for a lock holds up nobody else of its group, and goes on with the lock', async () => {
  await Promise.all(numbers(3).map((id) => insert(id)));
  const release = await lock(2);
  const [first, locked, last] = numbers(3).map((id) => change(id));
  expect(await Promise.all([first, last])).toEqual([{ id: 1 }, { id: 3 }]);
  await release();
  expect(await locked).toEqual({ id: 2 });
});

it('any number that wait for locks leave room for those that don’t', async () => {
  await Promise.all(numbers(4).map((id) => insert(id)));
  const releases = await Promise.all(numbers(4).map(lock));
  const locked: Promise<unknown>[] = [];
  for (const id of numbers(4)) {
    locked.push(change(id));
    await insert(10 + id);
  }
  expect(await stored()).toEqual([1, 2, 3, 4, 11, 12, 13, 14]);
  for (const release of releases) await release();
  await Promise.all(locked);
  const { rows } = await sql`select from notes_of_test where text = 'changed'`.execute(database.db);
  expect(rows).toHaveLength(4);
});

it('within a transaction it is one of its statements', async () => {
  const failing = database.db.transaction().execute(async (tx) => {
    await insert(1, tx);
    throw new Error('undo it');
  });
  await expect(failing).rejects.toThrow('undo it');
  expect(await stored()).toEqual([]);
});

it('all fail whose connection breaks before the commit, none of them is stored, and the next ones are', async () => {
  const answers = await Promise.allSettled([
    insert(1),
    select(sql`pg_terminate_backend(pg_backend_pid())`),
    insert(2),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await stored()).toEqual([]);
  await insert(3);
  expect(await stored()).toEqual([3]);
});

/** Counts how often each note was added, and says how many rows its statement was given. */
const adding = () =>
  rowStatement(
    sql`${prepared}
      with ${givenRows({ id: 'integer', text: 'text', is_refused: 'boolean' })}, added as (
        insert into notes_of_test as t (id, text) select id, text from given where not is_refused
        on conflict (id) do update set text = t.text || excluded.text
        returning id, text
      )
      select given.n, added.text, (select count(*)::int from given) as together, ${'the same'}::text as constant
      from added join given on given.id = added.id`,
  );
interface Added {
  text: string;
  together: number;
}
const row = (id: number, text: string, is_refused = false) => ({ id, text, is_refused });

it('rows that arrive together are one statement, in which each finds its own answer', async () => {
  const statement = adding();
  const answers = await Promise.all(
    numbers(20).map((id) =>
      executeForRow<Added>(statement, row(id, `“${id}”`, id === 7), String(id), database.db),
    ),
  );
  expect(answers.map((answer) => answer?.text)).toEqual(
    numbers(20).map((id) => (id === 7 ? undefined : `“${id}”`)),
  );
  expect(new Set(answers.map((answer) => answer?.together))).toEqual(new Set([20, undefined]));
});

it('more rows than a statement takes are all stored', async () => {
  const statement = adding();
  const answers = await Promise.all(
    numbers(200).map((id) => executeForRow<Added>(statement, row(id, 'x'), String(id), database.db)),
  );
  expect(Math.max(...answers.map((answer) => answer?.together ?? 0))).toBe(ROWS_MAX);
  expect(await stored()).toEqual(numbers(200));
});

it('rows with the same key keep their order, and others don’t wait for them', async () => {
  const statement = adding();
  const answers = await Promise.all([
    ...['a', 'b', 'c'].map((text) => executeForRow<Added>(statement, row(1, text), 'one', database.db)),
    executeForRow<Added>(statement, row(2, 'd'), 'two', database.db),
  ]);
  expect(answers.map((answer) => [answer?.text, answer?.together])).toEqual([
    ['a', 2],
    ['ab', 1],
    ['abc', 1],
    ['d', 2],
  ]);
});

it('rows with the same key keep their order among different statements', async () => {
  const [statement, other] = [adding(), adding()];
  const texts = await Promise.all(
    (
      [
        [other, 2, 'a'],
        [statement, 1, 'b'],
        [other, 1, 'c'],
        [statement, 1, 'd'],
        [statement, 2, 'e'],
      ] as const
    ).map(([of, id, text]) => executeForRow<Added>(of, row(id, text), String(id), database.db)),
  );
  expect(texts.map((answer) => answer?.text)).toEqual(['a', 'b', 'bc', 'bcd', 'ae']);
});

it('a row that fails undoes only itself, alone in its group or not', async () => {
  const statement = adding();
  for (const others of [[], [insert(9)]]) {
    const answers = await Promise.allSettled(
      ['1', 'no number', '3'].map((id) =>
        executeForRow<Added>(statement, { ...row(0, 'x'), id }, id, database.db),
      ),
    );
    await Promise.all(others);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  }
  const { rows } = await sql`select id, text from notes_of_test order by id`.execute(database.db);
  expect(rows).toEqual([
    { id: 1, text: 'xx' },
    { id: 3, text: 'xx' },
    { id: 9, text: 'new' },
  ]);
});

it('within a transaction a row is alone, and undone with it', async () => {
  const statement = adding();
  const failing = database.db.transaction().execute(async (tx) => {
    const answer = await executeForRow<Added>(statement, row(1, 'x'), 'one', tx);
    expect(answer).toMatchObject({ text: 'x', together: 1 });
    throw new Error('undo it');
  });
  await expect(failing).rejects.toThrow('undo it');
  expect(await stored()).toEqual([]);
});

/** Until so many statements sleep. */
const asleep = (count: number): Promise<void> =>
  until(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where state = 'active' and query like '%select pg_sleep(60)%' and pid <> pg_backend_pid()`.execute(
      database.db,
    );
    return rows.length === count;
  });

it('behind commits that hang, those that wait fail as soon as these do, as lost ones', async () => {
  const hung = openDatabase(database.url, { statementTimeoutMs: 7_000 });
  onTestFinished(() => hung.close());
  const sleep = () => select(sql`pg_sleep(60)`, hung.db);
  const group = [sleep(), insert(1, hung.db)];
  await asleep(1);
  const other = sleep();
  await asleep(2);
  const behind = insert(2, hung.db);
  const ended = await Promise.allSettled([...group, other, behind]);
  expect(ended.map((one) => one.status === 'rejected' && isDatabaseLost(one.reason))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(await stored()).toEqual([]);
});
