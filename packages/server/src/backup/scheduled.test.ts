import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { silentLog, type TestDatabase, testDatabase } from '../../test/harness.ts';
import { scratchFolder } from '../../test/scratch.ts';
import { openPlace } from './open-place.ts';
import { createServerBackups, lastDue } from './scheduled.ts';

let database: TestDatabase;
let parent: string;
let folder: string;
let time: number;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  parent = await scratchFolder('foyer-backups-');
  folder = join(parent, 'backups');
  time = Date.parse('2030-05-05T12:00:00Z');
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const newBackups = (keep = 14) =>
  createServerBackups({
    settings: { to: { kind: 'folder', folder }, atMinute: 4 * 60 + 30, keep },
    place: openPlace({ kind: 'folder', folder }, undefined),
    recipients: [],
    secrets: () => ({ secret: null, secret_check: 'x' }),
    directUrl: database.url,
    log: silentLog,
    now: () => new Date(time),
  });
const at = (text: string): void => {
  time = Date.parse(text);
};
const made = async (): Promise<string[]> => (await readdir(folder)).sort();

test('the last moment at which a backup was due is today’s or yesterday’s', () => {
  const due = (now: string) => lastDue(new Date(now), 4 * 60 + 30).toISOString();
  expect(due('2030-05-05T04:29:59Z')).toBe('2030-05-04T04:30:00.000Z');
  expect(due('2030-05-05T04:30:00Z')).toBe('2030-05-05T04:30:00.000Z');
  expect(due('2030-05-05T23:59:59Z')).toBe('2030-05-05T04:30:00.000Z');
});

test('one is made right away, then one a day, even by a process that starts later', async () => {
  const first = newBackups();
  await first.chore.run();
  await first.chore.run();
  expect(await made()).toEqual(['foyer-2030-05-05T12-00-00Z.backup']);
  at('2030-05-06T04:29:00Z');
  await first.chore.run();
  expect(await made()).toHaveLength(1);
  at('2030-05-06T04:30:00Z');
  const second = newBackups();
  await second.chore.run();
  await first.chore.run();
  expect(await made()).toEqual(['foyer-2030-05-05T12-00-00Z.backup', 'foyer-2030-05-06T04-30-00Z.backup']);
  expect(first.state()).toEqual({ lastAt: new Date(time), isFailing: false });
});

test('of two processes at once, only one makes it', async () => {
  const both = [newBackups(), newBackups()];
  await Promise.all(both.map(({ chore }) => chore.run()));
  expect(await made()).toHaveLength(1);
});

test('the oldest are deleted once there are too many', async () => {
  const backups = newBackups(2);
  for (const day of ['05', '06', '07']) {
    at(`2030-05-${day}T12:00:00Z`);
    await backups.chore.run();
  }
  expect(await made()).toEqual(['foyer-2030-05-06T12-00-00Z.backup', 'foyer-2030-05-07T12-00-00Z.backup']);
});

test('a failed one is retried after a quarter of an hour, not sooner', async () => {
  await writeFile(folder, 'in the way');
  const backups = newBackups();
  await backups.chore.run();
  expect(backups.state()).toEqual({ lastAt: undefined, isFailing: true });
  await rm(folder);
  time += 14 * 60_000;
  await backups.chore.run();
  expect(backups.state().isFailing).toBe(true);
  time += 60_000;
  await backups.chore.run();
  expect(backups.state().isFailing).toBe(false);
  expect(await made()).toHaveLength(1);
});

test('one that is aborted because the process ends leaves nothing, and is no failure', async () => {
  const backups = newBackups();
  const running = backups.chore.run();
  backups.stop();
  await running;
  await backups.chore.run();
  expect(await readdir(parent).then((names) => (names.length > 0 ? made() : []))).toEqual([]);
  expect(backups.state().isFailing).toBe(false);
});
