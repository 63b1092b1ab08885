import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foyer, newInstallation, PROCESSES_TIMEOUT_MS } from '../../test/fixtures/foyer.ts';
import { makePostgres, type PostgresServer, withTls } from '../../test/postgres-server.ts';
import { scratchFolder } from '../../test/scratch.ts';
import { SELF_SIGNED } from '../../test/self-signed.ts';
import { StartError } from '../base/start-error.ts';
import { openDatabase } from './database.ts';
import { databaseStartFailure } from './start-failure.ts';
import { settleTls, withLibpqTls } from './tls.ts';

let server: PostgresServer;
let plain: PostgresServer;
let authority: string;
beforeAll(async () => {
  [server, plain] = await Promise.all([makePostgres(), makePostgres()]);
  await withTls(server, SELF_SIGNED);
  await Promise.all([server.start(), plain.start()]);
  authority = join(await scratchFolder('foyer-tls-'), 'authority.pem');
  await writeFile(authority, SELF_SIGNED.cert);
});
afterAll(() => Promise.all([server.stop(), plain.stop()]));

/** Whether the connection is encrypted, or the one line that says why there is none. */
async function connectTo(to: PostgresServer, query: string, host = '127.0.0.1'): Promise<boolean | string> {
  const given = `postgres://foyer@${host}:${to.port}/postgres${query}`;
  try {
    const { pool, close } = openDatabase(await settleTls(withLibpqTls('DATABASE_URL', given)), { max: 1 });
    const { rows } = await pool
      .query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
      .finally(close);
    return rows[0].ssl;
  } catch (error) {
    const failure = databaseStartFailure(error);
    if (!(failure instanceof StartError)) throw error;
    return failure.message;
  }
}

describe('sslmode has libpq’s meaning', () => {
  test.each([
    ['', false],
    ['?sslmode=disable', false],
    ['?sslmode=allow', true],
    ['?sslmode=prefer', true],
    ['?sslmode=require', true],
    ['?sslmode=no-verify', true],
  ])('"%s" to a server with a certificate of its own: encrypted is %s', async (query, isEncrypted) => {
    expect(await connectTo(server, query)).toBe(isEncrypted);
  });

  test.each([
    ['?sslmode=allow', false],
    ['?sslmode=prefer', false],
    ['?sslmode=require', 'PostgreSQL offers no TLS, but sslmode in DATABASE_URL demands it.'],
  ])('"%s" to a server without TLS', async (query, outcome) => {
    expect(await connectTo(plain, query)).toBe(outcome);
  });

  const file = () => `&sslrootcert=${encodeURIComponent(authority)}`;
  const ELSEWHERE = '127.0.0.2';

  test('verify-ca and require with an authority check the certificate, but not its name', async () => {
    for (const mode of ['require', 'verify-ca'])
      expect(await connectTo(server, `?sslmode=${mode}${file()}`, ELSEWHERE)).toBe(true);
  });

  test('verify-full checks the name too', async () => {
    expect(await connectTo(server, `?sslmode=verify-full${file()}`)).toBe(true);
    expect(await connectTo(server, `?sslmode=verify-full${file()}`, ELSEWHERE)).toMatch(
      /^The certificate of PostgreSQL isn't trusted \([^\n]*127\.0\.0\.2[^\n]*\)\. [^\n]+$/,
    );
  });

  test('an authority that is unknown is refused', async () => {
    expect(await connectTo(server, '?sslmode=verify-full')).toMatch(/^The certificate of PostgreSQL/);
    expect(await connectTo(server, '?sslmode=verify-full&sslrootcert=system')).toMatch(
      /^The certificate of PostgreSQL/,
    );
  });

  test.each([
    ['?sslmode=always', 'sslmode to be one of'],
    ['?sslmode=verify-ca', 'sslrootcert=FILE'],
    ['?sslmode=require&sslrootcert=system', 'verify-full'],
    ['?sslmode=verify-full&sslrootcert=/nowhere/ca.pem', '/nowhere/ca.pem'],
  ])('"%s" is refused by one line that names the variable', async (query, named) => {
    const line = await connectTo(server, query);
    expect(line).toMatch(/^DATABASE_URL is invalid: [^\n]+$/);
    expect(line).toContain(named);
  });
});

test(
  'a server refuses to start on a database with a wrong certificate, in one line',
  async () => {
    const place = await newInstallation();
    const url = `postgres://foyer@127.0.0.1:${server.port}/postgres?sslmode=verify-full`;
    const { code, stderr } = await foyer(['start'], { ...place.settings, DATABASE_URL: url });
    await place.clear();
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The certificate of PostgreSQL isn't trusted \(self-signed certificate\)\. [^\n]+\n$/,
    );
  },
  PROCESSES_TIMEOUT_MS,
);
