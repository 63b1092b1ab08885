import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeWithRedis } from '../../../test/describe-with-redis.ts';
import { silentLog, type TestDatabase, testDatabase } from '../../../test/harness.ts';
import { type RedisServer, startRedis } from '../../../test/redis-server.ts';
import { readRedisAddress } from '../../redis/address.ts';
import { openRedis, type Redis } from '../../redis/redis.ts';
import type { Bus } from './bus.ts';
import { openPostgresBus } from './postgres-bus.ts';
import { openRedisBus } from './redis-bus.ts';

interface Node {
  bus: Bus;
  redis: Redis | undefined;
  received: unknown[];
  gaps: Date[];
}

describeWithRedis('the bus over Redis', () => {
  let database: TestDatabase;
  let server: RedisServer;
  let pool: pg.Pool;
  const notified: string[] = [];
  const nodes: Node[] = [];
  let time = 0;

  beforeAll(async () => {
    [database, server] = await Promise.all([testDatabase(), startRedis()]);
    pool = new pg.Pool({ connectionString: database.url });
    // The database is dropped while the pool's connections are still closing.
    pool.on('connect', (client) => client.on('error', () => undefined));
    const listener = await pool.connect();
    listener.on('notification', ({ payload }) => notified.push(payload ?? ''));
    await listener.query('listen foyer');
    listener.release();
  });
  beforeEach(() => {
    notified.length = 0;
  });
  afterEach(async () => {
    for (const { bus, redis } of nodes.splice(0)) {
      await bus.close();
      redis?.close();
    }
  });
  afterAll(async () => {
    await pool.end();
    await Promise.all([database.close(), server.close()]);
  });

  /** @param url undefined: a node without Redis */
  const startNode = async (url: string | undefined = server.url): Promise<Node> => {
    const address = readRedisAddress(url);
    const redis = address && (await openRedis({ address, namespace: 'foyer:bus', log: silentLog }));
    const [received, gaps]: [unknown[], Date[]] = [[], []];
    const options = {
      log: silentLog,
      onMessage: (message: unknown) => received.push(message),
      onGap: (since: Date) => gaps.push(since),
    };
    const openOther = (about: typeof options): Promise<Bus> =>
      openPostgresBus({ url: database.url, pool, ...about });
    const bus = redis
      ? await openRedisBus({ ...options, redis, openOther, now: () => time })
      : await openOther(options);
    const node = { bus, redis, received, gaps };
    nodes.push(node);
    return node;
  };
  const subscribers = (channel: string): Promise<string> =>
    server.ask('PUBSUB', 'NUMSUB', `foyer:bus:${channel}`);

  test('delivers to a node what is for everybody and for its sites; the rest doesn’t reach it, and PostgreSQL carries nothing', async () => {
    const [sender, one, two] = [await startNode(), await startNode(), await startNode()];
    one.bus.follow(7);
    two.bus.follow(8);
    await expect.poll(() => subscribers('bus:site:7')).toMatch(/1$/);
    await expect.poll(() => subscribers('bus:site:8')).toMatch(/1$/);
    expect(await subscribers('bus:site:9')).toMatch(/0$/);
    const text = 'two\nlines, [and] "marks" ü';
    for (const [siteId, message] of [
      [7, { text }],
      [8, { n: 1 }],
      [9, { n: 2 }],
      [7, { n: 3 }],
      [undefined, { end: true }],
    ] as const)
      sender.bus.publish(siteId, message);
    await expect.poll(() => one.received).toEqual([{ text }, { n: 3 }, { end: true }]);
    await expect.poll(() => two.received).toEqual([{ n: 1 }, { end: true }]);
    one.bus.unfollow(7);
    await expect.poll(() => subscribers('bus:site:7')).toMatch(/0$/);
    sender.bus.publish(7, { n: 4 });
    sender.bus.publish(undefined, { end: true });
    await expect.poll(() => one.received.slice(3)).toEqual([{ end: true }]);
    expect([sender.received, notified]).toEqual([[], []]);
  });

  test('retains states until they expire: later followers get them, and so do nodes that ask', async () => {
    const [sender, later, asking] = [await startNode(), await startNode(), await startNode()];
    const say = (n: number, forMs = 60_000): void =>
      sender.bus.retain([{ channel: 7, name: 'count', message: { n } }], forMs, { whole: n });
    say(1);
    say(2);
    sender.bus.retain([{ channel: -7, name: 'count', message: { pages: true } }], 60_000, { whole: 3 });
    await expect.poll(() => server.ask('EXISTS', 'foyer:bus:bus:pages:7')).toBe('1');
    later.bus.follow(7);
    await later.bus.recall(7);
    expect(later.received).toEqual([{ n: 2 }]);
    await asking.bus.recall(7);
    await sender.bus.recall(7);
    expect([asking.received, sender.received]).toEqual([[{ n: 2 }], []]);
    say(3, 1);
    await expect.poll(() => later.received).toContainEqual({ n: 3 });
    const last = await startNode();
    await last.bus.recall(7);
    expect([last.received, asking.received, notified]).toEqual([[], [{ n: 2 }], []]);
  });

  test('without Redis every process gets states at once', async () => {
    const [sender, receiver] = [await startNode(), await startNode()];
    await server.kill();
    await expect.poll(() => [sender, receiver].map(({ redis }) => redis?.isUp())).toEqual([false, false]);
    sender.bus.retain([{ channel: 7, name: 'count', message: { n: 1 } }], 60_000, { whole: 1 });
    await expect.poll(() => receiver.received).toEqual([{ whole: 1 }]);
    await receiver.bus.recall(7);
    await server.start();
    await expect.poll(() => [sender, receiver].map(({ redis }) => redis?.isUp())).toEqual([true, true]);
    time += 20_000;
  });

  test('continues over PostgreSQL while Redis is away, reports the gap, and switches back', async () => {
    const [sender, receiver] = [await startNode(), await startNode()];
    receiver.bus.follow(7);
    await expect.poll(() => subscribers('bus:site:7')).toMatch(/1$/);
    const before = new Date();
    await server.kill();
    await expect.poll(() => [sender, receiver].map(({ redis }) => redis?.isUp())).toEqual([false, false]);
    expect(receiver.gaps).toHaveLength(1);
    expect(receiver.gaps[0]?.getTime()).toBeLessThanOrEqual(before.getTime() + 1_000);
    sender.bus.publish(7, { n: 1 });
    sender.bus.publish(8, { n: 2 });
    await expect.poll(() => receiver.received).toEqual([{ n: 1 }]);
    await server.start();
    await expect.poll(() => [sender, receiver].map(({ redis }) => redis?.isUp())).toEqual([true, true]);
    expect(receiver.gaps).toHaveLength(2);
    time += 20_000;
    notified.length = 0;
    sender.bus.publish(7, { n: 3 });
    await expect.poll(() => receiver.received).toEqual([{ n: 1 }, { n: 3 }]);
    expect(notified).toEqual([]);
  });

  test('PostgreSQL carries the short form of a message that is too large for it', async () => {
    const [sender, cut] = [await startNode(), await startNode('redis://127.0.0.1:1')];
    cut.bus.publish(undefined, { from: 'cut' });
    await expect.poll(() => sender.received).toEqual([{ from: 'cut' }]);
    const text = 'x'.repeat(sender.bus.maxBytes);
    sender.bus.publish(undefined, { text }, { short: true });
    await expect.poll(() => cut.received).toEqual([{ short: true }]);
  });

  test('a node that can’t reach Redis receives the others’ messages as soon as they received one of its own, until it is silent', async () => {
    const [sender, cut] = [await startNode(), await startNode('redis://127.0.0.1:1')];
    const old = await startNode('');
    cut.bus.publish(undefined, { from: 'cut' });
    await expect.poll(() => sender.received).toEqual([{ from: 'cut' }]);
    sender.bus.publish(undefined, { n: 1 });
    for (const node of [cut, old]) await expect.poll(() => node.received).toContainEqual({ n: 1 });
    time += 20_000;
    notified.length = 0;
    sender.bus.publish(undefined, { n: 2 });
    sender.bus.publish(undefined, { n: 3 });
    await expect.poll(() => server.ask('PUBSUB', 'CHANNELS', 'foyer:bus:*')).toContain('bus:all');
    await pool.query(`select pg_notify('foyer', 'end')`);
    await expect.poll(() => notified).toEqual(['end']);
  });
});
