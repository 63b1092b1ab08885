import { readFile, stat, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  foyer,
  foyerJson,
  type Installation,
  newInstallation,
  PROCESSES_TIMEOUT_MS,
} from '../../test/fixtures/foyer.ts';
import { testDatabase } from '../../test/harness.ts';

vi.setConfig({ testTimeout: PROCESSES_TIMEOUT_MS });

let place: Installation;

beforeAll(async () => {
  place = await newInstallation();
});

afterAll(() => place.clear());

interface Site {
  id: number;
  name: string;
  plan: string;
}

test('a command without a server creates the database, does its work and leaves nothing running', async () => {
  const site = await place.json<Site>(['site', 'create', '--name', ' Lamps ', '--plan', 'starter']);
  expect(site).toMatchObject({ name: 'Lamps', plan: 'starter' });
  expect(await place.hasPostgres()).toBe(false);
  const { sites } = await place.json<{ sites: Site[] }>(['site', 'list']);
  expect(sites).toContainEqual(site);
});

test('commands at the same time share the folder, and each does its work', async () => {
  const names = ['One', 'Two', 'Three', 'Four'];
  await Promise.all(names.map((name) => place.json(['site', 'create', '--name', name])));
  const { sites } = await place.json<{ sites: Site[] }>(['site', 'list']);
  expect(sites.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  expect(await place.hasPostgres()).toBe(false);
});

test.each([
  [['site', 'create']],
  [['site', 'create', '--name', 'A', '--plan', 'gold']],
  [['site', 'list', '--colour']],
  [['site', 'set-plan', '--site', 'first', '--plan', 'free']],
  [['token', 'create', '--site', '1', '--name', 'A', '--scopes', 'write']],
  [['token', 'revoke', '--site', '1', '--id', '0']],
  [['kb', 'import', '--site', '1']],
  [['kb', 'export', 'articles.md']],
  [['restore']],
  [['backup', 'verify']],
  [['dance']],
  [[]],
])('%j is wrong usage: 2, and nothing on stdout', async (args) => {
  const { code, stdout, stderr } = await place.run(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).not.toBe('');
});

test.each([
  [['site', 'set-plan', '--site', '4711', '--plan', 'free']],
  [
    [
      'user',
      'create',
      '--site',
      '4711',
      '--email',
      'a@b.example',
      '--name',
      'A',
      '--password',
      'long enough',
    ],
  ],
  [['token', 'create', '--site', '4711', '--name', 'A', '--scopes', 'read']],
  [['token', 'list', '--site', '4711']],
  [['kb', 'import', '--site', '4711', '-']],
  [['kb', 'export', '--site', '4711']],
])('%j fails for an unknown site', async (args) => {
  expect(await place.run([...args, '--json'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'No such site.\n',
  });
});

test('all bad values are reported at once, on stderr alone', async () => {
  const { id } = await place.json<Site>(['site', 'create', '--name', 'Strict']);
  const person = ['--email', 'nobody', '--name', 'N', '--password', 'short', '--json'];
  expect(await place.run(['user', 'create', '--site', String(id), ...person])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'email: must be an email address; password: must have at least 10 characters\n',
  });
});

test('the free plan takes one agent, and a larger plan more', async () => {
  const { id } = await place.json<Site>(['site', 'create', '--name', 'Small', '--plan', 'free']);
  const add = (email: string) => [
    ...['user', 'create', '--site', String(id), '--email', email, '--name', 'Ann', '--password', '-'],
  ];
  expect(
    await place.json([...add('ANN@small.example'), '--role', 'admin'], 'a long password\n'),
  ).toMatchObject({
    email: 'ann@small.example',
    role: 'admin',
  });
  const refused = await place.run(add('bob@small.example'), 'a long password\n');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/^The free plan covers 1 agent\./);
  await place.json(['site', 'set-plan', '--site', String(id), '--plan', 'growth']);
  expect(await place.json(add('bob@small.example'), 'a long password\n')).toMatchObject({ role: 'agent' });
});

test('an import reports what it skipped and imports the rest; repeating it changes nothing', async () => {
  const { id } = await place.json<Site>(['site', 'create', '--name', 'Books']);
  const file = place.file('articles.md');
  await writeFile(file, '\uFEFFtitle: Hours\nstatus: Published\n---\nFrom 9 to 5.\n---\nNo title here.\n');
  const first = await place.json<{ failed: unknown[] }>(['kb', 'import', '--site', String(id), file]);
  expect(first).toMatchObject({ created: 1, updated: 0, unchanged: 0, failed: [{ index: 2 }] });
  const again = await place.run(['kb', 'import', '--site', String(id), file]);
  expect(again.code).toBe(0);
  expect(again.stdout).toMatch(/^Created 0, updated 0, unchanged 1, failed 1\.\n {2}document 2, line \d+: /);
});

test('importing an export changes nothing', async () => {
  const { id } = await place.json<Site>(['site', 'create', '--name', 'Exported']);
  const kb = (command: string, ...rest: string[]) => ['kb', command, '--site', String(id), ...rest];
  const text =
    'title: "Hours: daily"\ncategory: Shop\nstatus: Published\n---\nFrom 9 to 5.\n---\n# Öffnung\n\nNie.\n';
  await place.json(kb('import', '-'), text);
  const file = place.file('export.md');
  expect(await place.json(kb('export', file))).toEqual({ files: [file], articles: 2 });
  const printed = await place.run(kb('export'));
  expect(printed).toEqual({ code: 0, stdout: await readFile(file, 'utf8'), stderr: '' });
  expect(await place.json(kb('import', '-'), printed.stdout)).toMatchObject({ unchanged: 2, failed: [] });
  const refused = await place.run(kb('export', place.file('none/export.md')));
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/export\.md can't be written \(ENOENT/);
});

test('the bot is asked the questions of a file, and wrong answers are shown', async () => {
  const { id } = await place.json<Site>(['site', 'create', '--name', 'Tried']);
  const article = '---\ntitle: Returns\nstatus: Published\n---\nSend anything back within 30 days.\n';
  await place.json(['kb', 'import', '--site', String(id), '-'], article);
  const bot = ['bot', 'eval', '--site', String(id), '-'];
  const questions = 'question,expected\nCan I send it back?,returns\nDo you sell cars?,Returns\n,x\n';
  expect(await place.json(bot, questions)).toMatchObject({
    tally: { article: { right: 1, silent: 1 } },
    results: [
      { outcome: 'right', article: { title: 'Returns' } },
      { outcome: 'silent', kind: 'unknown' },
    ],
    failed: [{ line: 4, message: 'has no question' }],
  });
  const { code, stdout } = await place.run(bot, questions);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^line 4: has no question\n\nright answers +50\.0 % \(1 of 2\)\n/);
  expect(stdout).toMatch(/\nmissed answer +Do you sell cars\? +Returns +unknown +0\.\d\d\n$/);
  expect(await place.run(bot, 'Nothing but words.')).toMatchObject({ code: 1 });
});

test('an import without any article fails, and so does a file that is no text or doesn’t exist', async () => {
  const { sites } = await place.json<{ sites: Site[] }>(['site', 'list']);
  const kb = ['kb', 'import', '--site', String(sites[0]?.id)];
  expect(await place.run([...kb, '-'], 'Nothing but words.')).toMatchObject({ code: 1 });
  await writeFile(place.file('latin.md'), Buffer.from([0x63, 0xe9]));
  expect(await place.run([...kb, place.file('latin.md')])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `${place.file('latin.md')} isn't UTF-8 text.\n`,
  });
  const missing = await place.run([...kb, place.file('none.md')]);
  expect(missing).toMatchObject({ code: 1, stdout: '' });
  expect(missing.stderr).toContain('ENOENT');
  expect(await place.run([...kb, '/dev/zero'])).toMatchObject({ code: 1, stdout: '' });
});

test('with DATABASE_URL that database is used, and no data folder is created', async () => {
  const database = await testDatabase();
  const settings = { DATABASE_URL: database.url, FOYER_DATA_DIR: place.file('unused') };
  const site = await foyerJson<Site>(['site', 'create', '--name', 'Elsewhere'], settings);
  expect(await foyerJson(['site', 'list'], settings)).toMatchObject({ sites: [{ name: 'Elsewhere' }] });
  const token = ['token', 'create', '--site', String(site.id), '--name', 'A', '--scopes', 'read'];
  expect(await foyerJson(token, settings)).toMatchObject({ scopes: ['read'] });
  await database.close();
  await expect(stat(place.file('unused'))).rejects.toThrow('ENOENT');
});

test('a database that does not answer is reported in one line, without its password', async () => {
  const settings = { DATABASE_URL: 'postgres://foyer:hush@127.0.0.1:1/foyer' };
  const { code, stdout, stderr } = await foyer(['site', 'list', '--json'], settings);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^The database is unavailable\. .*ECONNREFUSED.*\n$/);
  expect(stderr).not.toContain('hush');
});

test('migrate applies missing migrations, once', async () => {
  const fresh = await newInstallation();
  try {
    const first = await fresh.json<{ applied: string[] }>(['migrate']);
    expect(first.applied).toContain('0061_baseline.sql');
    expect(await fresh.json(['migrate'])).toEqual({ applied: [] });
  } finally {
    await fresh.clear();
  }
});
