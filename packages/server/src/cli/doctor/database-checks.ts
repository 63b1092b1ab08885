import type pg from 'pg';
import { CLOCKS_APART_MAX_MS, clockAhead } from '../../app/same-installation.ts';
import type { Config } from '../../config.ts';
import { LOOKUP_CONNECTIONS } from '../../db/database.ts';
import { type Applied, whyRefusedDatabase } from '../../db/migrate.ts';
import { listMigrations } from '../../db/migration-files.ts';
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

/** The bus and the queue listen on a connection each. */
const LISTENING_CONNECTIONS = 2;

/** Whether one more process with these settings would find enough connections. */
export async function checkConnections(client: pg.Client, { database }: Config): Promise<Check> {
  const { rows } = await client.query<{ allowed: number; used: number }>(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as allowed,
       (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`,
  );
  const { allowed = 0, used = 0 } = rows[0] ?? {};
  const needed = database.poolMax + database.jobsPoolMax + LOOKUP_CONNECTIONS + LISTENING_CONNECTIONS;
  const message = `${used} of ${allowed} in use; each process takes up to ${needed}`;
  return used + needed > allowed
    ? warning('connections', `${message}: raise max_connections, lower FOYER_DATABASE_POOL or use a pooler`)
    : ok('connections', message);
}

/** Looks at the pooler before the database. Throws what the connection throws. */
export async function checkPooler(client: pg.Client): Promise<Check> {
  const { rows } = await client.query<{ limit: string }>(
    `select current_setting('statement_timeout') as limit`,
  );
  const limit = rows[0]?.limit;
  return limit === '0'
    ? ok('pooler', 'answers; the role has no statement_timeout, so PostgreSQL limits transactions only')
    : ok('pooler', `answers; statement_timeout of the role: ${limit}`);
}

async function appliedHere(client: pg.Client): Promise<Map<number, Pick<Applied, 'needs'>>> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('foyer_migrations') is not null as there`,
  );
  if (!rows[0]?.there) return new Map();
  // By name, because a start may still have to add the columns.
  const { rows: found } = await client.query<{ number: number; needs: number | null }>(
    `select number, (to_jsonb(m) ->> 'needs')::int as needs from foyer_migrations m`,
  );
  return new Map(found.map(({ number, ...applied }) => [number, applied]));
}

/**
 * Missing migrations are a warning, because the next start applies them, and so is a newer database on which this version
 * still works. `wrong`: it doesn't, or the database is too old to be upgraded by this one.
 */
export async function checkMigrations(client: pg.Client): Promise<Check> {
  const known = await listMigrations();
  const done = await appliedHere(client);
  const last = Math.max(0, ...done.keys());
  const newest = known.at(-1)?.number ?? 0;
  const refused = last > 0 && whyRefusedDatabase(done, known);
  if (refused) return wrong('migrations', `the database ${refused}`);
  if (last > newest)
    return warning('migrations', `the database is at ${last}, this version at ${newest}: finish the upgrade`);
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

/** A connection is renewed, and mail looked for, every nine minutes at least. */
const UNCHECKED_MINUTES = 30;
const NAMED_MAX = 3;

/** Over all sites. One that fails, or that nobody has checked for half an hour, is a warning. */
export async function checkMailboxes(client: pg.Client): Promise<Check> {
  const { rows } = await client.query<{ address: string; problem: string | null; is_wrong: boolean }>(
    `select address, problem, problem is not null or (incoming = 'imap'
       and greatest(checked_at, updated_at) < now() - $1 * interval '1 minute') as is_wrong
     from mailboxes where is_enabled order by failing_since, id`,
    [UNCHECKED_MINUTES],
  );
  const bad = rows.filter(({ is_wrong }) => is_wrong);
  if (bad.length === 0) return ok('mailboxes', `${rows.length} read`);
  const named = bad
    .slice(0, NAMED_MAX)
    .map(
      ({ address, problem }) =>
        `${address}: ${problem ?? 'not checked for 30 minutes; is a server running?'}`,
    );
  return warning('mailboxes', `${bad.length} of ${rows.length} failing. ${named.join(' ')}`);
}

const NOTIFY_WARNING = 0.1;

/** A listener that hangs keeps every notice; once the queue is full, no process can notify any other. */
export async function checkNotifyQueue(client: pg.Client): Promise<Check> {
  const { rows } = await client.query<{ usage: number }>('select pg_notification_queue_usage() as usage');
  const { usage = 0 } = rows[0] ?? {};
  const message = `${(usage * 100).toFixed(1)} % of the queue of notices in use`;
  return usage > NOTIFY_WARNING
    ? warning('notices', `${message}: end the process that no longer reads them`)
    : ok('notices', message);
}

/** Without an archive there is nothing to check. A failing one fills the disk, and ends recovery to a moment. */
export async function checkWalArchive(client: pg.Client): Promise<Check> {
  const { rows } = await client.query<{ mode: string; fails: boolean; last: string | null }>(
    `select current_setting('archive_mode') as mode, last_archived_time::text as last,
       coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as fails
     from pg_stat_archiver`,
  );
  const { mode = 'off', fails = false, last = null } = rows[0] ?? {};
  if (mode === 'off') return ok('wal_archive', 'off: the last backup is all that can be restored');
  return fails
    ? wrong('wal_archive', 'archiving the write-ahead log fails; PostgreSQL keeps it, and the disk fills up')
    : ok('wal_archive', last === null ? 'on; nothing archived yet' : `last archived ${last}`);
}
