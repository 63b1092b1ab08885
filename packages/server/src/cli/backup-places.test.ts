import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTestApp } from '../../test/app.ts';
import {
  foyer,
  foyerJson,
  type Installation,
  newInstallation,
  PROCESSES_TIMEOUT_MS,
  until,
} from '../../test/fixtures/foyer.ts';
import { type TestDatabase, testDatabase } from '../../test/harness.ts';
import { type S3Server, startS3Server } from '../../test/s3-server.ts';

vi.setConfig({ testTimeout: PROCESSES_TIMEOUT_MS, hookTimeout: PROCESSES_TIMEOUT_MS });

const SECRET = 'the secret of the operator, 32 and more';
const NAME = /^foyer-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup(\.age)?$/;

let database: TestDatabase;
let place: Installation;
let s3: S3Server;
let settings: Record<string, string>;

beforeEach(async () => {
  [database, place, s3] = await Promise.all([testDatabase(), newInstallation(), startS3Server()]);
  settings = { DATABASE_URL: database.url, FOYER_SECRET: SECRET, FOYER_DATA_DIR: place.file('data') };
});

afterEach(async () => {
  await Promise.all([database.close(), place.clear(), s3.close()]);
});

interface Listed {
  backups: { name: string; created_utc: string; bytes: number }[];
}

const makeSite = (name: string) => foyerJson(['site', 'create', '--name', name], settings);
const metricsOf = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text();

test('a server makes a backup right away, keeps the configured number, and touches no other files', async () => {
  const folder = place.file('backups');
  await mkdir(folder);
  const old = [1, 2, 3].map((day) => `foyer-2020-01-0${day}T03-00-00Z.backup`);
  for (const name of [...old, 'notes.txt']) await writeFile(join(folder, name), 'x');
  const time = Date.parse('2030-05-05T12:00:00Z');
  const app = await startTestApp(
    { FOYER_BACKUP_TO: folder, FOYER_BACKUP_KEEP: '2', FOYER_BACKUP_AT: '04:30' },
    { now: () => new Date(time) },
    { url: database.url, close: async () => undefined },
  );
  try {
    const made = 'foyer-2030-05-05T12-00-00Z.backup';
    await until('the first backup', async () => (await readdir(folder)).length === 3);
    expect((await readdir(folder)).sort()).toEqual([old[2], made, 'notes.txt'].sort());
    expect((await stat(join(folder, made))).mode & 0o777).toBe(0o600);
    const metrics = await metricsOf(app.url);
    expect(metrics).toContain('foyer_backup_failing 0');
    expect(metrics).toContain(`foyer_backup_last_timestamp_seconds ${time / 1_000}`);
  } finally {
    await app.close();
  }
});

test('metrics report a backup that cannot be stored, and no part of it is left', async () => {
  const app = await startTestApp(
    { ...s3.settings, FOYER_BACKUP_TO: 's3://nowhere/shop' },
    {},
    { url: database.url, close: async () => undefined },
  );
  try {
    await until('the failure', async () => (await metricsOf(app.url)).includes('foyer_backup_failing 1'));
    expect(s3.objects.size).toBe(0);
  } finally {
    await app.close();
  }
});

test('a backup in a bucket is encrypted to a key that the server does not have, listed, verified and restored', async () => {
  const identity = await generateX25519Identity();
  const keys = place.file('key.txt');
  await writeFile(keys, `# created: today\n${identity}\n`);
  Object.assign(settings, s3.settings, {
    FOYER_BACKUP_TO: 's3://backups/shop/nightly',
    FOYER_BACKUP_RECIPIENTS: await identityToRecipient(identity),
  });
  await makeSite('Käse & Brot');
  // A temporary failure costs no backup.
  s3.failNext(1);
  const made = await foyerJson<{ file: string }>(['backup'], settings);
  const [[path = '', content = Buffer.alloc(0)] = []] = s3.objects;
  expect(made.file).toBe(`s3://${path}`);
  expect(path).toMatch(/^backups\/shop\/nightly\/foyer-.*\.backup\.age$/);
  expect(content.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
  expect(s3.unfinished.size).toBe(0);

  const { backups } = await foyerJson<Listed>(['backup', 'list'], settings);
  expect(backups).toEqual([
    { name: expect.stringMatching(NAME), created_utc: expect.any(String), bytes: content.length },
  ]);

  const verified = await foyerJson<{ rows: Record<string, number> }>(
    ['backup', 'verify', 'latest', '--identity', keys],
    settings,
  );
  expect(verified.rows.sites).toBe(1);
  const without = await foyer(['backup', 'verify', made.file], settings);
  expect(without).toMatchObject({ code: 1, stdout: '' });
  expect(without.stderr).toContain('--identity');

  const copy = await testDatabase();
  try {
    const there = { ...settings, DATABASE_URL: copy.url };
    await foyerJson(['restore', made.file, '--identity', keys], there);
    const { sites } = await foyerJson<{ sites: { name: string }[] }>(['site', 'list'], there);
    expect(sites.map(({ name }) => name)).toEqual(['Käse & Brot']);
  } finally {
    await copy.close();
  }
});

test('verifying detects a damaged backup, and errors name what a command lacks', async () => {
  const identity = await generateX25519Identity();
  const other = await generateX25519Identity();
  const [keys, others, file] = [place.file('key.txt'), place.file('other.txt'), place.file('one.backup')];
  await writeFile(keys, identity);
  await writeFile(others, other);
  await makeSite('Shop');
  const own = { ...settings, FOYER_BACKUP_RECIPIENTS: await identityToRecipient(identity) };
  await foyerJson(['backup', file], own);
  const refusal = async (args: string[], more = settings) => {
    const { code, stderr } = await foyer(args, more);
    expect(code).toBe(1);
    return stderr;
  };
  expect(await refusal(['backup', 'verify', file, '--identity', others])).toContain("can't be decrypted");
  const whole = await readFile(file);
  const changed = Buffer.from(whole);
  changed[whole.length - 30] = (changed[whole.length - 30] ?? 0) ^ 1;
  await writeFile(file, changed);
  expect(await refusal(['backup', 'verify', file, '--identity', keys])).toContain("can't be restored");
  await writeFile(file, whole.subarray(0, whole.length - 100));
  expect(await refusal(['backup', 'verify', file, '--identity', keys])).toContain("can't be restored");
  await rm(file);
  expect(await refusal(['backup', 'verify', file])).toContain("can't be read");
  expect(await refusal(['backup'])).toContain('FOYER_BACKUP_TO');
  expect(await refusal(['backup'], { ...settings, FOYER_BACKUP_TO: 's3://backups' })).toContain(
    'AWS_ACCESS_KEY_ID',
  );
  expect(
    await refusal(['backup'], { ...settings, ...s3.settings, FOYER_BACKUP_TO: 's3://nowhere' }),
  ).toContain('NoSuchBucket');
  expect(await refusal(['backup', file], { ...settings, FOYER_BACKUP_RECIPIENTS: identity })).not.toContain(
    identity,
  );
});
