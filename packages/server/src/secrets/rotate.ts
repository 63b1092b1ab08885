import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { isDeadlock, isLockTimeout } from '../base/errors.ts';
import { StartError } from '../base/start-error.ts';
import { type Keyring, storedCheck } from '../core/keyring.ts';
import { createVault } from '../core/vault.ts';
import { listKnownKeys } from '../db/process-versions.ts';
import { quoted } from '../db/table-shapes.ts';
import { LOCK_WAIT_MS } from '../db/transactions/lock-retry.ts';
import { derivedBy, FOLLOW_MS } from './installation.ts';
import {
  isSealedBy,
  listSealed,
  nextBatch,
  openSealed,
  type SealedColumn,
  type SealedTable,
  sealAgain,
} from './sealed-columns.ts';

/** By then nobody encrypts with the former secret: each process has checked, and its statements have ended. */
const SETTLED_MS = 2 * FOLLOW_MS;

/** The result of a rotation. */
export interface Rotated {
  /** The id of the secret that the installation uses. */
  key: string;
  /** Values encrypted again. */
  sealed: number;
  /** Values that no known secret decrypts. They stay as they are. */
  unreadable: number;
}

async function transaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** @throws StartError if a process runs that doesn't know the newest secret */
async function requireKnownEverywhere(client: pg.ClientBase, keys: Keyring): Promise<void> {
  const running = await listKnownKeys(client);
  const without = running.filter((ids) => !ids.includes(keys.newest.id)).length;
  if (without > 0)
    throw new StartError(
      `${without} of ${running.length} running processes don't know the new secret ${keys.newest.id}. Restart them with ` +
        'it and the old one, then run this again. Nothing was changed.',
    );
}

/** Moves the installation to its newest secret. No process starts meanwhile: each start waits for the row. */
const moveOn = (client: pg.ClientBase, keys: Keyring): Promise<void> =>
  transaction(client, async () => {
    const { rows } = await client.query<{ secret_check: string | null; has_seed: boolean }>(
      'select secret_check, push_seed_cipher is not null as has_seed from installation for update',
    );
    const [row] = rows;
    if (!row?.secret_check || !keys.adopt(row.secret_check))
      throw new StartError("This isn't the secret that the database was set up with. Nothing was changed.");
    if (keys.isRotated && keys.current.id === keys.newest.id) return;
    await requireKnownEverywhere(client, keys);
    const { pushSeed, redisName } = derivedBy(keys);
    const stored = storedCheck(keys.newest, true);
    keys.adopt(stored);
    await client.query(
      `update installation set secret_check = $1, push_seed_cipher = coalesce(push_seed_cipher, $2),
         redis_name = coalesce(redis_name, $3)`,
      [stored, createVault(keys).seal(pushSeed.toString('base64url')), redisName],
    );
  });

interface Change {
  ctid: string;
  /** By column; null: unchanged. */
  values: (Buffer | string | null)[];
}

/** One statement for a batch, whose rows are locked. */
async function store(
  client: pg.ClientBase,
  { name, columns }: SealedTable,
  changes: Change[],
): Promise<void> {
  const set = columns.map(
    (column, at) => `${quoted(column.name)} = coalesce(v${at}, ${quoted(column.name)})`,
  );
  const given = columns.map(({ by }, at) => `$${at + 2}::${by === 'vault' ? 'bytea' : 'text'}[]`);
  await client.query(
    `update ${quoted(name)} t set ${set.join(', ')}
     from unnest($1::text[], ${given.join(', ')}) as n (at, ${columns.map((_, at) => `v${at}`).join(', ')})
     where t.ctid = n.at::tid`,
    [changes.map(({ ctid }) => ctid), ...columns.map((_, at) => changes.map(({ values }) => values[at]))],
  );
}

const sealBatch = (
  client: pg.ClientBase,
  keys: Keyring,
  table: SealedTable,
  after: readonly string[] | undefined,
) =>
  transaction(client, async () => {
    await client.query(`set local lock_timeout = ${LOCK_WAIT_MS}`);
    const { rows, last } = await nextBatch(client, table, keys.current, { after, lock: true });
    const count = { sealed: 0, unreadable: 0 };
    const again = async (column: SealedColumn, value: Buffer | string | null) => {
      if (value === null || isSealedBy(keys.current, column, value)) return null;
      const opened = await openSealed(keys, column, value);
      count[opened ? 'sealed' : 'unreadable'] += 1;
      return opened ? sealAgain(keys, column, opened.text) : null;
    };
    const changes: Change[] = [];
    for (const { ctid, values } of rows)
      changes.push({
        ctid,
        values: await Promise.all(table.columns.map((column, at) => again(column, values[at] ?? null))),
      });
    if (count.sealed > 0) await store(client, table, changes);
    return { ...count, last };
  });

/** A batch whose rows others hold releases its locks, and is retried for as long as it takes. */
async function sealFreeBatch(...batch: Parameters<typeof sealBatch>): ReturnType<typeof sealBatch> {
  for (;;) {
    try {
      return await sealBatch(...batch);
    } catch (error) {
      if (!isLockTimeout(error) && !isDeadlock(error)) throw error;
      await delay(LOCK_WAIT_MS);
    }
  }
}

/**
 * Once through all tables. Rows that another process encrypts with the former secret after this position are left to
 * the next pass.
 */
async function sealAll(client: pg.ClientBase, keys: Keyring): Promise<Omit<Rotated, 'key'>> {
  const total = { sealed: 0, unreadable: 0 };
  for (const table of await listSealed(client)) {
    let after: readonly string[] | undefined;
    do {
      const { sealed, unreadable, last } = await sealFreeBatch(client, keys, table, after);
      total.sealed += sealed;
      total.unreadable += unreadable;
      after = last;
    } while (after);
  }
  return total;
}

/**
 * Makes the newest secret the installation's, and encrypts everything with it, in batches of a few hundred rows. The
 * rows themselves show the progress, so a killed rotation continues when it is started again. Servers may run if they
 * know both secrets.
 * @param client a connection of its own, without the pool's time limits
 * @throws StartError if a running process doesn't know the newest secret
 */
export async function rotateSecret(client: pg.ClientBase, keys: Keyring): Promise<Rotated> {
  await moveOn(client, keys);
  const startedAt = performance.now();
  let sealed = 0;
  for (;;) {
    const isSettled =
      performance.now() - startedAt > SETTLED_MS || (await listKnownKeys(client)).length === 0;
    const round = await sealAll(client, keys);
    sealed += round.sealed;
    if (isSettled) return { key: keys.current.id, sealed, unreadable: round.unreadable };
    await delay(FOLLOW_MS / 4);
  }
}

/**
 * After a leak: signs everybody out, and forgets the browsers that receive pushes together with the key that they know
 * this installation by.
 */
export const endTrust = (client: pg.ClientBase, keys: Keyring): Promise<void> =>
  transaction(client, async () => {
    await client.query('delete from auth_sessions');
    await client.query('delete from push_devices');
    const seed = randomBytes(32).toString('base64url');
    await client.query('update installation set push_seed_cipher = $1', [createVault(keys).seal(seed)]);
  });

/** How many values each secret has encrypted, by its id; `unreadable` counts those that no known secret decrypts. */
export async function countSealed(
  client: pg.ClientBase,
  keys: Keyring,
): Promise<{ byKey: Record<string, number>; unreadable: number }> {
  const byKey: Record<string, number> = Object.fromEntries(keys.known.map(({ id }) => [id, 0]));
  let unreadable = 0;
  for (const table of await listSealed(client)) {
    const { rows } = await client.query<{ all: number }>(
      `select ${table.columns.map(({ name }) => `count(${quoted(name)})`).join(' + ')} as all from ${quoted(table.name)}`,
    );
    let others = 0;
    let after: readonly string[] | undefined;
    do {
      const batch = await nextBatch(client, table, keys.current, { after, lock: false });
      for (const { values } of batch.rows)
        for (const [at, column] of table.columns.entries()) {
          const value = values[at];
          if (value === null || value === undefined) continue;
          others += 1;
          const opened = await openSealed(keys, column, value);
          if (opened) byKey[opened.key.id] = (byKey[opened.key.id] ?? 0) + 1;
          else unreadable += 1;
        }
      after = batch.last;
    } while (after);
    byKey[keys.current.id] = (byKey[keys.current.id] ?? 0) + Number(rows[0]?.all ?? 0) - others;
  }
  return { byKey, unreadable };
}
