import type pg from 'pg';
import { StartError } from '../base/start-error.ts';
import type { Keyring } from '../core/keyring.ts';
import type { Database } from '../db/database.ts';
import { adoptSecret } from '../secrets/installation.ts';

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

/**
 * Refuses to start beside processes that this one couldn't work with: with another secret it would neither know their
 * sign-ins nor read what they encrypted, and with a wrong clock it would take over their work or never do its own.
 * @throws StartError with what to change
 */
export async function joinInstallation({ db, pool }: Database, keys: Keyring): Promise<void> {
  if (!(await adoptSecret(db, keys)))
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
