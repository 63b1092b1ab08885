import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { StartError } from '../base/start-error.ts';

const CONNECT_TIMEOUT_MS = 4_000;
/** How many transactions hold a server connection each while the session is checked again. */
const HOLDERS = 3;
const SETTING = 'foyer.session_probe';

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'foyer start',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Poolers give their clients keys of their own, so the process id of a pooled session isn't its server's. */
async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return 'processID' in client && rows[0]?.pid !== client.processID;
}

const valueIn = async (client: pg.Client): Promise<string | null | undefined> => {
  const { rows } = await client.query<{ value: string | null }>(
    `select current_setting('${SETTING}', true) as value`,
  );
  return rows[0]?.value;
};

/**
 * Whether a setting of one statement is still there for the next one, and for nobody else. While other transactions
 * hold the pooler's server connections, a client that shares them gets another one.
 */
async function keepsSession(url: string, client: pg.Client): Promise<boolean> {
  const value = randomUUID();
  await client.query('select set_config($1, $2, false)', [SETTING, value]);
  const holders: pg.Client[] = [];
  try {
    for (let count = 0; count < HOLDERS; count++) {
      const holder = await open(url);
      holders.push(holder);
      await holder.query('begin');
      if ((await valueIn(holder)) === value) return false;
    }
    return (await valueIn(client)) === value;
  } finally {
    await Promise.all(holders.map((holder) => holder.end().catch(() => undefined)));
    // The next client of this server connection must not find it.
    await client.query(`reset ${SETTING}`).catch(() => undefined);
  }
}

/**
 * Refuses an address that doesn't keep sessions, such as a pooler in transaction mode: notices would silently not
 * arrive, and a lock would be somebody else's.
 * @throws StartError that says what to set
 */
export async function requireSessions(url: string): Promise<void> {
  const client = await open(url);
  try {
    if (!(await isPooled(client)) || (await keepsSession(url, client))) return;
    throw new StartError(
      'Foyer reaches PostgreSQL through a pooler in transaction mode, where LISTEN and session locks don’t work. ' +
        'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself, or of the pooler in session mode.',
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}
