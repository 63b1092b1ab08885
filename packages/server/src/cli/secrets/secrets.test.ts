import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  foyer,
  foyerJson,
  type Installation,
  newInstallation,
  PROCESSES_TIMEOUT_MS,
  until,
} from '../../../test/fixtures/foyer.ts';
import { type TestDatabase, testDatabase } from '../../../test/harness.ts';
import { readConfig } from '../../config.ts';
import { keyIdOf, secretCheck } from '../../core/keyring.ts';
import { createVault } from '../../core/vault.ts';
import { findSecrets } from '../../server-secret.ts';

// Each starts seven programs one after another.
vi.setConfig({ testTimeout: 2 * PROCESSES_TIMEOUT_MS, hookTimeout: PROCESSES_TIMEOUT_MS });

const FOYER = fileURLToPath(new URL('../../../bin/foyer.js', import.meta.url));
const newSecret = (): string => randomBytes(32).toString('base64url');
/** More than a batch. */
const ROWS = 1_000;

let database: TestDatabase;
let places: [Installation, Installation];
beforeEach(async () => {
  database = await testDatabase();
  places = [await newInstallation(), await newInstallation()];
});
afterEach(async () => {
  await Promise.all(places.map((place) => place.clear()));
  await database.close();
});

async function query<T extends pg.QueryResultRow>(statement: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return (await client.query<T>(statement, values).finally(() => client.end())).rows;
}

interface Checked {
  ok: boolean;
  current: string;
  needed: string[];
  sealed: Record<string, number>;
}

test('the secret is rotated under a running server, killed in the middle, and the old one is no longer needed', async () => {
  const [OLD, NEW] = [newSecret(), newSecret()];
  const [oldId, newId] = [keyIdOf(OLD), keyIdOf(NEW)];
  const [place] = places;
  const during = { DATABASE_URL: database.url, FOYER_SECRET: NEW, FOYER_SECRET_OLD: OLD };
  const command = { ...place.settings, ...during };
  await query('insert into installation (secret_check) values ($1)', [secretCheck(OLD)]);
  await query(`insert into sites (name, greeting, public_key) values ('A', 'B', 'pk_c')`);
  await query(
    `insert into webhook_subscriptions (site_id, url, events, secret_cipher, secret_hint)
     select 1, 'https://a.example', '{}', $1, 'sec' from generate_series(1, ${ROWS})`,
    [createVault(OLD).seal('whsec_of_the_shop')],
  );
  const server = await place.serve('start', during);

  // One process knows only the old secret: nothing may be encrypted that it can't read.
  const late = new pg.Client({ connectionString: database.url, application_name: `foyer jobs 146 ${oldId}` });
  await late.connect();
  const early = await foyer(['secrets', 'rotate'], command);
  expect(early).toMatchObject({ code: 1, stdout: '' });
  expect(early.stderr).toMatch(`1 of 2 running processes don't know the new secret ${newId}`);
  await late.end();
  expect(await query('select secret_check from installation')).toEqual([{ secret_check: secretCheck(OLD) }]);

  // The last row is locked, so the rotation is killed before it ends.
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from webhook_subscriptions order by id desc limit 1 for update');
  const rotation = execFile(process.execPath, [FOYER, 'secrets', 'rotate'], {
    env: { PATH: '/usr/bin:/bin', ...command },
  });
  const ended = once(rotation, 'exit');
  const countOf = async (id: string): Promise<number> => {
    const sealedBy = `select count(*)::int from webhook_subscriptions where substring(secret_cipher from 2 for 4) = $1`;
    return (await query<{ count: number }>(sealedBy, [Buffer.from(id, 'hex')]))[0]?.count ?? 0;
  };
  await until('the first batch', async () => (await countOf(newId)) > 0);
  rotation.kill('SIGKILL');
  await ended;
  await holder.end();
  expect(await countOf(newId)).toBeLessThan(ROWS);

  // The server follows, and encrypts with the new secret from now on.
  await foyerJson(['secrets', 'rotate'], command);
  expect(await foyerJson<Checked>(['secrets', 'check'], command)).toMatchObject({
    ok: true,
    current: newId,
    older: [oldId],
    needed: [],
    sealed: { [oldId]: 0, [newId]: ROWS + 1 },
  });
  await server.end('SIGTERM');

  const rows = await query<{ secret_cipher: Buffer }>('select secret_cipher from webhook_subscriptions');
  const known = createVault(NEW);
  expect(new Set(rows.map((row) => known.open(row.secret_cipher)))).toEqual(new Set(['whsec_of_the_shop']));
});

test('a secret in the data folder is rotated there, and a backup meanwhile contains both', async () => {
  const [place, other] = places;
  const OLD = newSecret();
  const file = place.file('data/secret');
  const lines = async (at = file): Promise<string[]> =>
    (await readFile(at, 'utf8')).trim().split('\n').map(keyIdOf);
  await mkdir(place.file('data'));
  await writeFile(file, `${OLD}\n`);
  await query('insert into installation (secret_check) values ($1)', [secretCheck(OLD)]);
  const command = { ...place.settings, DATABASE_URL: database.url };
  const { key } = await foyerJson<{ key: string }>(['secrets', 'new'], command);
  expect(await lines()).toEqual([key, keyIdOf(OLD)]);

  await foyerJson(['backup', other.file('backup')], command);
  const copy = await testDatabase();
  onTestFinished(() => copy.close());
  await foyerJson(['restore', other.file('backup')], { ...other.settings, DATABASE_URL: copy.url });
  expect(await lines(other.file('data/secret'))).toEqual([keyIdOf(OLD), key]);

  expect(await foyerJson(['secrets', 'rotate', '--leaked'], command)).toMatchObject({ key, unreadable: 0 });
  expect(await foyerJson(['secrets', 'forget'], command)).toMatchObject({ forgotten: [keyIdOf(OLD)] });
  expect(await lines()).toEqual([key]);
});

test('a command may print the secrets, and its failure names no secret', async () => {
  const [place] = places;
  const [NEW, OLD] = [newSecret(), newSecret()];
  await writeFile(place.file('kms'), `${NEW}\n${OLD}\n`);
  const read = (command: string) => findSecrets(readConfig({ FOYER_SECRET_COMMAND: command }));
  expect(await read(`cat ${place.file('kms')}`)).toEqual([NEW, OLD]);
  await expect(read(`echo ${NEW}; echo 'no such key' >&2; exit 3`)).rejects.toThrow(
    /^FOYER_SECRET_COMMAND failed \(3\)\. no such key$/,
  );
  await expect(read('echo short')).rejects.toThrow('no secret of at least 32 characters');
  const both = { FOYER_SECRET: NEW, FOYER_SECRET_COMMAND: 'true' };
  expect(() => readConfig(both)).toThrow('set one of them');
  expect(() => readConfig({ FOYER_SECRET_OLD: OLD })).toThrow('invalid without FOYER_SECRET');
  expect(() => readConfig({ FOYER_SECRET: NEW, FOYER_SECRET_OLD: 'short' })).toThrow(
    'FOYER_SECRET_OLD is invalid',
  );
});
