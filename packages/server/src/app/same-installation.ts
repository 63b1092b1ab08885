import { sql } from 'kysely';
import type pg from 'pg';
import { StartError } from '../base/start-error.ts';
import { secretCheck } from '../core/vault.ts';
import type { Database, Db } from '../db/database.ts';

/** Leases, expiries and signatures compare this machine's clock with times that other processes stored. */
export const CLOCKS_APART_MAX_MS = 5_000;

/** How far this machine's clock is ahead of the database's, in milliseconds; negative if it is behind. */
export async function clockAhead(client: pg.Pool | pg.Client, now = Date.now): Promise<number> {
  const before = now();
  const { rows } = await client.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  return (before + now()) / 2 - (rows[0]?.ms ?? Number.NaN);
}

/** Stores which secret this installation works with. The first process decides; later ones compare. */
async function knownSecret(db: Db, check: string): Promise<string | null | undefined> {
  const { rows } = await sql<{ secret_check: string | null }>`
    insert into installation (secret_check) values (${check})
    on conflict (id) do update set secret_check = coalesce(installation.secret_check, excluded.secret_check)
    returning secret_check`.execute(db);
  return rows[0]?.secret_check;
}

/**
 * Refuses to start beside processes that this one couldn't work with: with another secret it would neither know their
 * sign-ins nor read what they encrypted, and with a wrong clock it would take over their work or never do its own.
 * @throws StartError with what to change
 */
export async function joinInstallation({ db, pool }: Database, secret: string): Promise<void> {
  const check = secretCheck(secret);
  if ((await knownSecret(db, check)) !== check)
    throw new StartError(
      'FOYER_SECRET is not the one that this database was set up with. Every process needs the same FOYER_SECRET, or ' +
        'the same file "secret" in its data folder. If the old one is lost, stop all processes and run ' +
        '"npx foyer accept-secret".',
    );
  const ahead = await clockAhead(pool);
  if (Math.abs(ahead) > CLOCKS_APART_MAX_MS)
    throw new StartError(
      `This machine's clock is ${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'} the ` +
        "database's. Set both clocks by NTP, then start again.",
    );
}

/** Makes this secret the installation's. What was encrypted with another one stays unreadable. */
export async function acceptSecret(db: Db, secret: string): Promise<void> {
  const check = secretCheck(secret);
  await sql`
    insert into installation (secret_check) values (${check})
    on conflict (id) do update set secret_check = excluded.secret_check`.execute(db);
}
