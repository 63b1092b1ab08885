import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeStand, type Stand } from '../stand.ts';

// What an idle process keeps in memory. Together with PostgreSQL it has to stay under 250 MB.

/** Each is loaded on first use, by `import()`. */
const HEAVY = [
  '@redis/client',
  'ai',
  '@ai-sdk/anthropic',
  '@ai-sdk/openai-compatible',
  '@modelcontextprotocol/server',
  '@opentelemetry/context-async-hooks',
  '@opentelemetry/core',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/exporter-trace-otlp-proto',
  'better-auth',
  'mailauth',
  'nodemailer',
  'oauth4webapi',
  'postal-mime',
  'sanitize-html',
  'sharp',
  'web-push',
];
/** Each of PostgreSQL's processes that has worked keeps megabytes: 4 are for jobs, 2 listen. */
const CONNECTIONS_MAX = 12;

let stand: Stand;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-idle-'));
  stand = await makeStand({
    NODE_OPTIONS: `--import ${new URL('../loaded-packages.ts', import.meta.url)}`,
    LOADED_PACKAGES_FILE: join(folder, 'loaded'),
    SMTP_URL: 'smtp://127.0.0.1:1',
    FOYER_MAIL_FROM: 'desk@example.com',
    FOYER_AI_BASE_URL: 'http://127.0.0.1:1',
    FOYER_AI_MODEL: 'none',
  });
});
afterAll(async () => {
  await stand.strike();
  await rm(folder, { recursive: true, force: true });
});

const loaded = async (): Promise<string[]> =>
  (await readFile(join(folder, 'loaded'), 'utf8')).trim().split('\n');

const connections = async (): Promise<number> => {
  const { rows } = await stand.database.pool.query(
    `select from pg_stat_activity where application_name like 'foyer%' and pid <> pg_backend_pid()`,
  );
  return rows.length;
};

it('a server that nobody uses has loaded no heavy package and keeps few connections', async () => {
  expect((await stand.rest('GET', '/v1/tags')).status).toBe(200);
  const atStart = await loaded();
  expect(atStart).toContain('fastify');
  expect(atStart.filter((name) => HEAVY.includes(name))).toEqual([]);
  expect(await connections()).toBeLessThanOrEqual(CONNECTIONS_MAX);

  await stand.signIn();
  expect((await loaded()).filter((name) => HEAVY.includes(name))).toEqual(['better-auth']);
});
