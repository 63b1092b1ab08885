import { sql } from 'kysely';
import type { Logger } from 'pino';
import { pause } from '../base/pause.ts';
import { type Keyring, readStoredCheck, storedCheck } from '../core/keyring.ts';
import { createTokenDeriver, createVault } from '../core/vault.ts';
import type { Db } from '../db/database.ts';

/** How long a process may work with the former secret after a rotation has begun. */
export const FOLLOW_MS = 2_000;
const REDIS_NAME_CHARS = 12;

/** Stores which secret this installation works with. The first process decides; later ones compare. */
async function knownCheck(db: Db, check: string): Promise<string | null | undefined> {
  const { rows } = await sql<{ secret_check: string | null }>`
    insert into installation (secret_check) values (${check})
    on conflict (id) do update set secret_check = coalesce(installation.secret_check, excluded.secret_check)
    returning secret_check`.execute(db);
  return rows[0]?.secret_check;
}

/**
 * Uses the installation's secret, or makes the newest the one of a new installation.
 * @returns false if this process doesn't know it
 */
export async function adoptSecret(db: Db, keys: Keyring): Promise<boolean> {
  const stored = await knownCheck(db, keys.newest.check);
  return typeof stored === 'string' && keys.adopt(stored);
}

/** As `adoptSecret`, for commands: stores nothing. */
export async function readAdopted(db: Db, keys: Keyring): Promise<boolean> {
  const row = await db.selectFrom('installation').select('secret_check').executeTakeFirst();
  return row?.secret_check ? keys.adopt(row.secret_check) : true;
}

/** Makes this secret the installation's. Data encrypted with another one stays unreadable. */
export async function acceptSecret(db: Db, keys: Keyring): Promise<void> {
  const row = await db.selectFrom('installation').select('secret_check').executeTakeFirst();
  const isRotated = row?.secret_check ? readStoredCheck(row.secret_check).isRotated : false;
  const check = storedCheck(keys.newest, isRotated);
  await sql`
    insert into installation (secret_check) values (${check})
    on conflict (id) do update set secret_check = excluded.secret_check, push_seed_cipher = null, redis_name = null`.execute(
    db,
  );
}

/** The values that each installation derives from its first secret, as long as none are stored. */
export const derivedBy = (keys: Keyring): { pushSeed: Buffer; redisName: string } => ({
  pushSeed: keys.derive(keys.current, 'web push'),
  redisName: createTokenDeriver(keys)('redis').slice(0, REDIS_NAME_CHARS),
});

/** Values that were derived from the installation's first secret and outlive it. */
export async function firstDerived(db: Db, keys: Keyring): Promise<{ pushSeed: Buffer; redisName: string }> {
  const row = await db
    .selectFrom('installation')
    .select(['push_seed_cipher', 'redis_name'])
    .executeTakeFirst();
  const stored = row?.push_seed_cipher && createVault(keys).open(row.push_seed_cipher);
  const derived = derivedBy(keys);
  return {
    pushSeed: stored ? Buffer.from(stored, 'base64url') : derived.pushSeed,
    redisName: row?.redis_name ?? derived.redisName,
  };
}

/** Checks every two seconds which secret the installation uses, until it is stopped. */
export function followSecret(db: Db, keys: Keyring, log: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let isKnown = true;
  const look = async (): Promise<void> => {
    const before = keys.current.id;
    const knows = await readAdopted(db, keys);
    if (keys.current.id !== before) log.info({ key: keys.current.id }, 'the secret was rotated');
    if (isKnown && !knows)
      log.error('the secret was rotated to one that this process does not know: set it and restart');
    isKnown = knows;
  };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await pause(FOLLOW_MS, stopping.signal);
      if (stopping.signal.aborted) return;
      await look().catch((error) => log.debug({ err: error }, 'the secret in use could not be looked up'));
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
