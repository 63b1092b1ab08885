import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeWithRedis } from '../../test/describe-with-redis.ts';
import { silentLog, type TestDatabase, testDatabase } from '../../test/harness.ts';
import { type RedisServer, startRedis } from '../../test/redis-server.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { readRedisAddress } from '../redis/address.ts';
import { openRedis, type Redis } from '../redis/redis.ts';
import { createLimits, type Limits } from './limits.ts';

let scratch: TestDatabase;
let database: Database;
beforeAll(async () => {
  scratch = await testDatabase();
  database = openDatabase(scratch.url, { max: 10, onError: () => undefined });
});
afterAll(async () => {
  await database.close();
  await scratch.close();
});

function clock(): { now: () => Date; advance(ms: number): void } {
  let time = Date.UTC(2026, 0, 1);
  return {
    now: () => new Date(time),
    advance: (ms) => {
      time += ms;
    },
  };
}

/** @param installation processes of one count together */
const limitsOf = (now?: () => Date, redis?: Redis, installation = randomUUID()): Limits =>
  createLimits({ db: database.db, redis, derive: (purpose) => `${installation} ${purpose}`, clock: now });

const takeMany = async (limiter: ReturnType<Limits['ofLoad']>, times: number, key = 'a'): Promise<number> => {
  const taken = await Promise.all(Array.from({ length: times }, () => limiter.take(key)));
  return taken.filter(({ allowed }) => allowed).length;
};

describe('the requests of a token', () => {
  test('a bucket has the plan’s limit and refuses requests above it', async () => {
    const { ofTokens } = limitsOf(clock().now);
    const answers = [];
    for (let request = 0; request < 62; request++) answers.push(await ofTokens.take(1, 1, 60));
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(60);
    expect(answers[0]).toEqual({ allowed: true, limit: 60, remaining: 59, resetS: 60 });
    expect(answers[59]).toMatchObject({ allowed: true, remaining: 0 });
    expect(answers[61]).toMatchObject({ allowed: false, remaining: 0, resetS: 60 });
  });

  test('it empties sixty seconds after its first request, not after its last', async () => {
    const { now, advance } = clock();
    const { ofTokens } = limitsOf(now);
    await ofTokens.take(1, 1, 2);
    advance(59_001);
    await ofTokens.take(1, 1, 2);
    expect(await ofTokens.take(1, 1, 2)).toMatchObject({ allowed: false, resetS: 1 });
    advance(998);
    expect(await ofTokens.take(1, 1, 2)).toMatchObject({ allowed: false, resetS: 1 });
    advance(1);
    expect(await ofTokens.take(1, 1, 2)).toEqual({ allowed: true, limit: 2, remaining: 1, resetS: 60 });
  });

  test('each token of each site has its own', async () => {
    const { ofTokens } = limitsOf(clock().now);
    expect((await ofTokens.take(1, 11, 1)).allowed).toBe(true);
    expect((await ofTokens.take(11, 1, 1)).allowed).toBe(true);
    expect((await ofTokens.take(1, 12, 1)).allowed).toBe(true);
    expect((await ofTokens.take(1, 11, 1)).allowed).toBe(false);
  });

  test('another plan counts at once, for the requests in the bucket already', async () => {
    const { ofTokens } = limitsOf(clock().now);
    for (let request = 0; request < 60; request += 1) await ofTokens.take(1, 1, 60);
    expect(await ofTokens.take(1, 1, 200)).toMatchObject({ allowed: true, limit: 200, remaining: 139 });
  });

  test('a clock that is set back makes nobody wait for longer than a window', async () => {
    const { now, advance } = clock();
    const { ofTokens } = limitsOf(now);
    await ofTokens.take(1, 1, 1);
    advance(-3_600_000);
    expect(await ofTokens.take(1, 1, 1)).toMatchObject({ allowed: true, resetS: 60 });
  });
});

const LIMIT = { name: 'test', max: 2, windowMs: 10_000 };

test.each(['ofLoad', 'ofGuesses'] as const)(
  '%s: attempts are limited by their key, and a forgiven one does not count',
  async (kind) => {
    const { now, advance } = clock();
    const limiter = limitsOf(now)[kind](LIMIT);
    for (const allowed of [true, true, false]) expect((await limiter.take('a')).allowed).toBe(allowed);
    expect((await limiter.take('b')).allowed).toBe(true);
    await limiter.forgive('a');
    expect((await limiter.take('a')).allowed).toBe(true);
    advance(4_500);
    expect(await limiter.take('a')).toEqual({ allowed: false, retryAfterS: 6 });
    advance(5_500);
    expect((await limiter.take('a')).allowed).toBe(true);
    expect((await limiter.take('c', 3)).allowed).toBe(false);
    await limiter.forgive('never taken');
  },
);

test('limits of different names do not count together', async () => {
  const limits = limitsOf();
  expect(await takeMany(limits.ofGuesses(LIMIT), 5)).toBe(2);
  expect(await takeMany(limits.ofGuesses({ ...LIMIT, name: 'other' }), 5)).toBe(2);
});

test('of guesses by several processes at once exactly as many pass as allowed, by the database’s clock', async () => {
  const installation = randomUUID();
  const processes = [1, 2, 3].map(() =>
    limitsOf(undefined, undefined, installation).ofGuesses({ ...LIMIT, max: 10 }),
  );
  const passed = await Promise.all(processes.map((one) => takeMany(one, 30)));
  expect(passed.reduce((sum, one) => sum + one)).toBe(10);
  const again = limitsOf(undefined, undefined, installation).ofGuesses({ ...LIMIT, max: 10 });
  expect(await again.take('a')).toMatchObject({ allowed: false, retryAfterS: expect.any(Number) });
  await Promise.all(processes.map((one) => one.forgive('a')));
  expect(await takeMany(again, 9)).toBe(3);
});

test('expired guesses are deleted by later ones', async () => {
  const { now, advance } = clock();
  const limiter = limitsOf(now).ofGuesses(LIMIT);
  const kept = async (): Promise<number> =>
    (await database.db.selectFrom('limit_counts').select('key').where('ends_at', '<=', now()).execute())
      .length;
  for (let key = 0; key < 20; key++) await limiter.take(String(key));
  advance(10_000);
  expect(await kept()).toBeGreaterThanOrEqual(20);
  for (let key = 100; key < 150; key++) await limiter.take(String(key));
  expect(await kept()).toBe(0);
});

describeWithRedis('with Redis', () => {
  let server: RedisServer;
  const links: Redis[] = [];
  const connect = async (namespace = 'foyer:test'): Promise<Redis> => {
    const address = readRedisAddress(server.url);
    if (!address) throw new Error('no address');
    const redis = await openRedis({ address, namespace, log: silentLog });
    links.push(redis);
    return redis;
  };
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(async () => {
    for (const redis of links) redis.close();
    await server.close();
  });

  test.each(['ofLoad', 'ofGuesses'] as const)(
    '%s: exactly as many pass on all nodes together',
    async (kind) => {
      const installation = randomUUID();
      const nodes = await Promise.all([connect(), connect(), connect()]);
      const limiters = nodes.map((redis) =>
        limitsOf(undefined, redis, installation)[kind]({ ...LIMIT, max: 100 }),
      );
      const passed = await Promise.all(limiters.map((one) => takeMany(one, 70)));
      expect(passed.reduce((sum, one) => sum + one)).toBe(100);
      expect(await limiters[0]?.take('a')).toMatchObject({ allowed: false, retryAfterS: expect.any(Number) });
      await limiters[1]?.forgive('a');
      expect(await limiters[2]?.take('a')).toMatchObject({ allowed: true });
      expect((await limiters[0]?.take('b', 101))?.allowed).toBe(false);
    },
  );

  test('a window ends by Redis’ clock', async () => {
    const limiter = limitsOf(undefined, await connect()).ofGuesses({ ...LIMIT, windowMs: 1_200 });
    expect(await takeMany(limiter, 3)).toBe(2);
    expect(await limiter.take('a')).toEqual({ allowed: false, retryAfterS: expect.any(Number) });
    await expect.poll(async () => (await limiter.take('a')).allowed).toBe(true);
  });

  test('two installations on one server do not count together', async () => {
    const [one, other] = await Promise.all([connect('foyer:one'), connect('foyer:other')]);
    const installation = randomUUID();
    expect(await takeMany(limitsOf(undefined, one, installation).ofLoad(LIMIT), 3)).toBe(2);
    expect(await takeMany(limitsOf(undefined, other, installation).ofLoad(LIMIT), 3)).toBe(2);
  });

  test('no key reveals an address or an account', async () => {
    const redis = await connect('foyer:secret');
    const limits = createLimits({
      db: database.db,
      redis,
      derive: (purpose) => `hash of ${purpose.length}`,
      clock: undefined,
    });
    await limits.ofGuesses(LIMIT).take('ada@example.com');
    const keys = await server.ask('KEYS', 'foyer:secret*');
    expect(keys).toContain('hash of');
    expect(keys).not.toContain('ada');
  });

  test('while Redis is away, PostgreSQL limits guesses and each process its load; then Redis again', async () => {
    const redis = await connect();
    const limits = limitsOf(undefined, redis);
    const [guesses, load] = [limits.ofGuesses(LIMIT), limits.ofLoad({ ...LIMIT, name: 'load' })];
    expect(await takeMany(guesses, 3)).toBe(2);
    await server.kill();
    // The counts in Redis aren't known elsewhere, so there is a second allowance, and no third.
    expect([await takeMany(guesses, 5), await takeMany(load, 5)]).toEqual([2, 2]);
    expect([await takeMany(guesses, 5), await takeMany(load, 5)]).toEqual([0, 0]);
    expect(redis.isUp()).toBe(false);
    await server.start();
    await expect.poll(() => redis.isUp()).toBe(true);
    expect([await takeMany(guesses, 5), await takeMany(load, 5)]).toEqual([2, 2]);
  });
});
