import { describe, expect, test } from 'vitest';
import { type Answer, answerOf, type TestApp } from './app.ts';
import { describeWithRedis } from './describe-with-redis.ts';
import { type Nodes, startNodes } from './nodes.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

// Three nodes behind a load balancer that uses them in turn.

const NODES = 3;
const header = (answer: Answer, name: string): number => Number(answer.headers.get(name));

const tryPassword = (app: TestApp, email: string): Promise<Answer> =>
  fetch(`${app.url}/app/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: app.url },
    body: JSON.stringify({ email, password: 'a wrong password' }),
  }).then(answerOf);

async function withNodes(environment: Record<string, string>, work: (nodes: Nodes) => Promise<void>) {
  const nodes = await startNodes(NODES, environment);
  await work(nodes).finally(nodes.close);
}

async function guessPasswords(nodes: Nodes): Promise<void> {
  const { admin } = await nodes.at(0).makeSite();
  const answers: Answer[] = [];
  for (let round = 0; round < 10; round++)
    answers.push(...(await Promise.all(nodes.apps.map((app) => tryPassword(app, admin.email)))));
  const count = (wanted: number): number => answers.filter(({ status }) => status === wanted).length;
  expect({ tried: count(401), refused: count(429) }).toEqual({ tried: 10, refused: 20 });
  await nodes.restart(0);
  const again = await tryPassword(nodes.at(0), admin.email);
  expect([again.status, header(again, 'retry-after') > 0]).toEqual([429, true]);
}

describe('without Redis', () => {
  test('of 30 wrong passwords over three nodes 10 are tried, and none after a restart', () =>
    withNodes({}, guessPasswords));
});

describeWithRedis('with Redis', () => {
  const withRedis = async (work: (nodes: Nodes, redis: RedisServer) => Promise<void>) => {
    const redis = await startRedis();
    await withNodes({ REDIS_URL: redis.url }, (nodes) => work(nodes, redis)).finally(redis.close);
  };

  test('of 30 wrong passwords over three nodes 10 are tried, and none after a restart', () =>
    withRedis(async (nodes) => {
      await guessPasswords(nodes);
      const { db } = nodes.at(0).app.database;
      expect(await db.selectFrom('limit_counts').selectAll().execute()).toEqual([]);
    }));

  test('of 200 concurrent requests of a token on three nodes exactly 60 pass, each with its own remainder', () =>
    withRedis(async (nodes) => {
      const { read } = await nodes.at(0).makeSite('free');
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, index) => nodes.at(index).rest(read, 'GET', '/v1/whoami')),
      );
      const passed = answers.filter(({ status }) => status === 200);
      const remainders = passed.map((answer) => header(answer, 'ratelimit-remaining')).sort((a, b) => a - b);
      expect(remainders).toEqual(Array.from({ length: 60 }, (_, index) => index));
      for (const answer of answers.filter(({ status }) => status !== 200)) {
        expect(answer.body).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
        expect(answer.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
        expect(answer.headers.get('ratelimit-reset')).toBe(answer.headers.get('retry-after'));
        expect([header(answer, 'ratelimit-limit'), header(answer, 'ratelimit-remaining')]).toEqual([60, 0]);
      }
    }));

  const readiness = async (app: TestApp): Promise<unknown[]> => {
    const ready = await fetch(`${app.url}/readyz`).then(answerOf);
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    return [ready.status, ready.body.data, /^foyer_redis_up (.*)$/m.exec(metrics)?.[1]];
  };
  const UP = [200, { status: 'ready', redis: 'up' }, '1'];
  const DOWN = [200, { status: 'degraded', redis: 'down' }, '0'];

  test('a Redis that restarts under traffic fails no request, and each node logs it', () =>
    withRedis(async (nodes, redis) => {
      const { read, admin } = await nodes.at(0).makeSite();
      const ask = async (): Promise<number[]> =>
        (
          await Promise.all(
            nodes.apps.flatMap((app) => [1, 2, 3].map(() => app.rest(read, 'GET', '/v1/tags'))),
          )
        ).map(({ status }) => status);
      const all = async (expected: unknown[]): Promise<void> => {
        for (const app of nodes.apps) await expect.poll(() => readiness(app)).toEqual(expected);
      };
      const fine = Array.from({ length: 9 }, () => 200);
      await all(UP);
      for (const [leave, come] of [
        [() => redis.kill(), () => redis.start()],
        [async () => redis.hang(), async () => redis.goOn()],
      ] as const) {
        await leave();
        for (let round = 0; round < 3; round++) expect(await ask()).toEqual(fine);
        await all(DOWN);
        expect(await nodes.at(1).signIn(admin.email)).toContain('foyer.session_token');
        const { db } = nodes.at(0).app.database;
        expect(await db.selectFrom('limit_counts').selectAll().execute()).not.toEqual([]);
        await come();
        await all(UP);
        expect(await ask()).toEqual(fine);
      }
      // Counted together again.
      const [one, other] = [
        await nodes.at(0).rest(read, 'GET', '/v1/tags'),
        await nodes.at(1).rest(read, 'GET', '/v1/tags'),
      ];
      expect(header(other, 'ratelimit-remaining')).toBe(header(one, 'ratelimit-remaining') - 1);
    }));

  test('nodes start without Redis, and use it once it is there', async () => {
    const redis = await startRedis();
    await redis.kill();
    await withNodes({ REDIS_URL: redis.url }, async (nodes) => {
      const { read } = await nodes.at(0).makeSite();
      expect((await nodes.at(0).rest(read, 'GET', '/v1/tags')).status).toBe(200);
      expect(await readiness(nodes.at(0))).toEqual(DOWN);
      await redis.start();
      for (const app of nodes.apps) await expect.poll(() => readiness(app)).toEqual(UP);
    }).finally(redis.close);
  });
});
