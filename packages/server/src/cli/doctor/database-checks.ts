import type pg from 'pg';
import { CLOCKS_APART_MAX_MS, clockAhead } from '../../app/same-installation.ts';
import type { Config } from '../../config.ts';
import { createVault, secretCheck } from '../../core/vault.ts';
import { listMigrations, whyRefused } from '../../db/migrate.ts';
import { findSecret } from '../../server-secret.ts';
import { type Check, ok, warning, wrong } from './check.ts';

const OLDEST_POSTGRES = 15;
/** Workers send due deliveries within seconds. This long means that none is running. */
const OVERDUE_MINUTES = 5;

/** Throws what the connection throws. Only a version that is too old is `wrong`. */
export async function checkDatabase(client: pg.Client): Promise<Check> {
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  const version = rows[0]?.server_version ?? '?';
  return Number.parseInt(version, 10) >= OLDEST_POSTGRES
    ? ok('database', `PostgreSQL ${version}`)
    : wrong('database', `PostgreSQL ${version}: Foyer needs ${OLDEST_POSTGRES} or newer`);
}

async function lastMigration(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('foyer_migrations') is not null as there`,
  );
  if (!rows[0]?.there) return 0;
  const { rows: found } = await client.query<{ last: number }>(
    'select coalesce(max(number), 0) as last from foyer_migrations',
  );
  return found[0]?.last ?? 0;
}

/**
 * Missing migrations are a warning, because the next start applies them. `wrong`: the database is from a newer
 * Foyer, or too old to be upgraded by this one.
 */
export async function checkMigrations(client: pg.Client): Promise<Check> {
  const known = await listMigrations();
  const last = await lastMigration(client);
  const refused = last > 0 && whyRefused(last, known);
  if (refused) return wrong('migrations', `the database ${refused}`);
  const missing = known.filter(({ number }) => number > last).length;
  return missing > 0
    ? warning('migrations', `${missing} pending; the next start or "foyer migrate" applies them`)
    : ok('migrations', `up to date (${last})`);
}

/** Compares this machine's clock with the database's: a server whose clock is so far off doesn't start. */
export async function checkClock(client: pg.Client, now = Date.now): Promise<Check> {
  const apart = Math.abs(await clockAhead(client, now));
  const message = `${Math.round(apart)} ms apart from the database's clock`;
  return apart > CLOCKS_APART_MAX_MS ? wrong('clock', message) : ok('clock', message);
}

/** Checks the secret. Otherwise a lost or changed one is noticed only when something encrypted is needed. */
export async function checkSecret(client: pg.Client, config: Config): Promise<Check> {
  const secret = await findSecret(config);
  if (secret === undefined)
    return warning('secret', "not found: set FOYER_SECRET or FOYER_DATA_DIR to the server's values");
  // By name, as a column that migrations may still have to add.
  const { rows: kept } = await client.query<{ check: string | null }>(
    `select to_jsonb(i) ->> 'secret_check' as check from installation i`,
  );
  const known = kept[0]?.check;
  if (typeof known === 'string' && known !== secretCheck(secret))
    return wrong(
      'secret',
      'not the one that this database was set up with: set the same FOYER_SECRET for every process',
    );
  const { rows } = await client.query<{ sealed: Buffer }>(
    'select secret_cipher as sealed from webhook_subscriptions order by created_at desc limit 1',
  );
  const sealed = rows[0]?.sealed;
  if (!sealed) return ok('secret', 'found; nothing is encrypted with it yet');
  try {
    createVault(secret).open(sealed);
    return ok('secret', 'decrypts the stored secrets');
  } catch {
    return wrong(
      'secret',
      'can\'t decrypt the stored secrets: FOYER_SECRET or the file "secret" has changed',
    );
  }
}

/** Over all sites. Deliveries overdue by 5 minutes mean that no worker is running; dead ones are a warning too. */
export async function checkWebhooks(client: pg.Client): Promise<Check> {
  const { rows } = await client.query<{ pending: number; overdue: number; dead: number }>(
    `select count(*)::int as pending,
       count(*) filter (where next_attempt_at < now() - $1 * interval '1 minute' and disabled_at is null)::int as overdue,
       (select count(*) from webhook_deliveries where dead_at is not null)::int as dead
     from webhook_queue q join webhook_subscriptions s on s.site_id = q.site_id and s.id = q.subscription_id`,
    [OVERDUE_MINUTES],
  );
  const { pending = 0, overdue = 0, dead = 0 } = rows[0] ?? {};
  const message = `${pending} pending, ${dead} dead`;
  if (overdue > 0) return warning('webhooks', `${message}, ${overdue} overdue: is a server running?`);
  return dead > 0 ? warning('webhooks', message) : ok('webhooks', message);
}
