import { appendFile, cp, mkdir, writeFile } from 'node:fs/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  foyer,
  foyerJson,
  type Installation,
  newInstallation,
  PROCESSES_TIMEOUT_MS,
  until,
} from '../../test/fixtures/foyer.ts';
import { findRunningPostgres } from '../db/embedded/embedded.ts';

vi.setConfig({ testTimeout: PROCESSES_TIMEOUT_MS * 2, hookTimeout: PROCESSES_TIMEOUT_MS });

let place: Installation;
let later: Installation;

beforeEach(async () => {
  place = await newInstallation();
  later = await newInstallation();
});

afterEach(async () => {
  await place.clear();
  await later.clear();
});

async function query<T extends pg.QueryResultRow>(statement: string): Promise<T> {
  const found = await findRunningPostgres(place.file('data'));
  const client = new pg.Client({ connectionString: found?.url });
  await client.connect();
  const { rows } = await client.query<T>(statement).finally(() => client.end());
  if (!rows[0]) throw new Error('no row');
  return rows[0];
}

test('an installation is recovered from a base backup and its log to the moment before a mistake', async () => {
  const archive = place.file('wal');
  // PostgreSQL writes there as a user of its own.
  await mkdir(archive, { mode: 0o777 });
  const archived = { FOYER_WAL_ARCHIVE: archive };
  const server = await place.serve('start', archived);
  const settings = { ...place.settings, ...archived };
  const create = (name: string) => place.json(['site', 'create', '--name', name]);
  await create('Before');
  const base = place.file('base');
  expect(await foyerJson(['base-backup', base], settings)).toMatchObject({ folder: base });
  await create('Kept');
  const { now } = await query<{ now: string }>('select clock_timestamp()::text as now');
  await create('Mistake');
  const { file } = await query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file');
  await until('the archived log', async () => {
    const { done } = await query<{ done: boolean }>(
      `select coalesce(last_archived_wal >= '${file}', false) as done from pg_stat_archiver`,
    );
    return done;
  });
  expect(await query('select failed_count::int as failed from pg_stat_archiver')).toEqual({ failed: 0 });
  const examined = await foyerJson<{ checks: { name: string; state: string }[] }>(['doctor'], settings);
  for (const name of ['wal_archive', 'base_backup'])
    expect(examined.checks).toContainEqual(expect.objectContaining({ name, state: 'ok' }));
  await server.end('SIGKILL');

  // By the steps of docs/operations/point-in-time.md.
  await cp(base, later.file('data'), { recursive: true });
  await appendFile(
    later.file('data/postgres/postgresql.auto.conf'),
    `hot_standby = off
restore_command = 'test -f ${archive}/%f.gz && gunzip -c ${archive}/%f.gz > %p'
recovery_target_time = '${now}'
recovery_target_action = promote
`,
  );
  await writeFile(later.file('data/postgres/recovery.signal'), '');
  const recovered = await later.serve();
  const { sites } = await later.json<{ sites: { name: string }[] }>(['site', 'list']);
  expect(sites.map(({ name }) => name)).toEqual(['Before', 'Kept']);
  expect(await later.json(['site', 'create', '--name', 'After'])).toMatchObject({ id: expect.any(Number) });
  expect((await fetch(`${recovered.url}/readyz`)).status).toBe(200);
});

test('the doctor reports failing archiving, and a base backup is refused without an archive', async () => {
  const archived = { FOYER_WAL_ARCHIVE: place.file('missing') };
  await place.serve('start', archived);
  await place.json(['site', 'create', '--name', 'Shop']);
  await query('select pg_switch_wal()::text');
  await until('a failure', async () => {
    const { failed } = await query<{ failed: number }>(
      'select failed_count::int as failed from pg_stat_archiver',
    );
    return failed > 0;
  });
  const { code, stdout } = await foyer(['doctor'], { ...place.settings, ...archived });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^WRONG +wal_archive +archiving/m);
  const refused = await place.run(['base-backup', place.file('base')]);
  expect(refused.stderr).toMatch(/^Set FOYER_WAL_ARCHIVE /);
  await later.serve('start');
  const off = await foyer(['base-backup', place.file('base')], { ...later.settings, ...archived });
  expect(off.stderr).toMatch(/^PostgreSQL was started without FOYER_WAL_ARCHIVE\. /);
});
