import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import tls from 'node:tls';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { describeWithRedis } from '../../test/describe-with-redis.ts';
import { freePort } from '../../test/foyer-process.ts';
import { until } from '../../test/harness.ts';
import { type RedisServer, startRedis } from '../../test/redis-server.ts';
import { scratchFolder } from '../../test/scratch.ts';
import { SELF_SIGNED } from '../../test/self-signed.ts';
import { readRedisAddress } from './address.ts';
import { createScript, openRedis, type Redis, RedisUnavailable } from './redis.ts';

const COUNT = createScript(`return redis.call('INCR', KEYS[1])`);

describeWithRedis('Redis', () => {
  const servers: RedisServer[] = [];
  const links: Redis[] = [];
  const logged: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => logged.push(JSON.parse(line).msg) });
  afterEach(async () => {
    for (const redis of links.splice(0)) redis.close();
    await Promise.all(servers.splice(0).map((server) => server.close()));
    logged.length = 0;
  });

  const start = async (options: Parameters<typeof startRedis>[0] = {}): Promise<RedisServer> => {
    const server = await startRedis(options);
    servers.push(server);
    return server;
  };
  const connect = async (url: string): Promise<Redis> => {
    const address = readRedisAddress(url);
    if (!address) throw new Error('no address');
    const redis = await openRedis({ address, namespace: 'foyer:test', log });
    links.push(redis);
    return redis;
  };
  /** Two nodes count keys and send each other messages of channels, which a cluster spreads over its servers. */
  const expectShared = async (one: Redis, other: Redis): Promise<void> => {
    await expect.poll(() => [one.isUp(), other.isUp()]).toEqual([true, true]);
    const names = Array.from({ length: 12 }, (_, index) => `shared ${index} ${Math.random()}`);
    for (const name of names) {
      expect(await one.run(COUNT, name, [])).toBe(1);
      expect(await other.run(COUNT, name, [])).toBe(2);
      const heard: string[] = [];
      void other.subscribe(name, (message) => heard.push(message));
      // Until the subscription is there.
      await until(async () => {
        await one.publish(name, 'hello');
        return heard.length > 0;
      });
      expect(new Set(heard)).toEqual(new Set(['hello']));
      other.unsubscribe(name);
    }
  };

  test('a server: with a password, or unavailable', async () => {
    const { port } = await start({ settings: ['requirepass p@ss:word'] });
    const [one, other, wrong] = await Promise.all([
      connect(`redis://:p%40ss%3Aword@127.0.0.1:${port}/3`),
      connect(`redis://default:p%40ss%3Aword@127.0.0.1:${port}/3`),
      connect(`redis://:guess@127.0.0.1:${port}`),
    ]);
    await expectShared(one, other);
    expect(wrong.isUp()).toBe(false);
    await expect(wrong.run(COUNT, 'key', [])).rejects.toBeInstanceOf(RedisUnavailable);
  });

  test('a server with TLS: only with a trusted certificate', async () => {
    const folder = await scratchFolder('foyer-redis-tls-');
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await Promise.all([writeFile(cert, SELF_SIGNED.cert), writeFile(key, SELF_SIGNED.key)]);
    const settings = [`tls-cert-file ${cert}`, `tls-key-file ${key}`, 'tls-auth-clients no'];
    const { port } = await start({ tls: true, settings });
    const url = `rediss://localhost:${port}`;
    expect((await connect(url)).isUp()).toBe(false);
    const trusted = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...trusted, SELF_SIGNED.cert]);
    try {
      await expectShared(await connect(url), await connect(url));
      expect((await connect(`redis://localhost:${port}`)).isUp()).toBe(false);
    } finally {
      tls.setDefaultCACertificates(trusted);
    }
  });

  test('a break is reported once, fails pending calls at once, and heals with its channels', async () => {
    const server = await start();
    const [one, other] = [await connect(server.url), await connect(server.url)];
    const changes: boolean[] = [];
    one.onChange((isUp) => changes.push(isUp));
    const heard: string[] = [];
    void one.subscribe('channel', (message) => heard.push(message));
    await server.kill();
    await expect.poll(() => one.isUp() || other.isUp()).toBe(false);
    await expect(one.publish('channel', 'lost')).rejects.toBeInstanceOf(RedisUnavailable);
    await server.start();
    await expect.poll(() => one.isUp() && other.isUp()).toBe(true);
    // A restarted server has forgotten the scripts, too.
    expect(await one.run(COUNT, 'key', [])).toBe(1);
    await other.publish('channel', 'again');
    await expect.poll(() => heard).toEqual(['again']);
    expect(changes).toEqual([false, true]);
    expect(logged.filter((line) => line.startsWith('Redis is unavailable'))).toHaveLength(2);
    expect(logged.filter((line) => line === 'Redis is available again')).toHaveLength(2);
  });

  test('a hanging server keeps nobody waiting, and is used again when it continues', async () => {
    const server = await start();
    const redis = await connect(server.url);
    server.hang();
    await expect(redis.run(COUNT, 'key', [])).rejects.toBeInstanceOf(RedisUnavailable);
    expect(redis.isUp()).toBe(false);
    await expect.poll(() => logged).toHaveLength(1);
    server.goOn();
    await expect.poll(() => redis.isUp()).toBe(true);
  });

  test('a server that refuses writes is unusable, though it answers', async () => {
    const server = await start();
    const redis = await connect(server.url);
    await server.ask('REPLICAOF', '127.0.0.1', '1');
    await expect.poll(() => redis.isUp()).toBe(false);
    await server.ask('REPLICAOF', 'NO', 'ONE');
    await expect.poll(() => redis.isUp()).toBe(true);
  });

  test('the master that sentinels name, also after a failover', async () => {
    const master = await start();
    const replica = await start({ settings: [`replicaof 127.0.0.1 ${master.port}`] });
    await expect.poll(() => replica.ask('INFO', 'replication')).toContain('master_link_status:up');
    const sentinel = await start({
      isSentinel: true,
      settings: [
        `sentinel monitor shop 127.0.0.1 ${master.port} 1`,
        'sentinel down-after-milliseconds shop 500',
        'sentinel failover-timeout shop 2000',
      ],
    });
    await expect.poll(() => sentinel.ask('SENTINEL', 'MASTER', 'shop')).toMatch(/num-slaves\n1\n/);
    const url = `redis+sentinel://127.0.0.1:1,127.0.0.1:${sentinel.port}/shop`;
    const [one, other] = [await connect(url), await connect(url)];
    await expectShared(one, other);
    await master.kill();
    await expect.poll(() => one.isUp()).toBe(false);
    await expectShared(one, other);
    expect(await replica.ask('INFO', 'replication')).toContain('role:master');
    expect((await connect(url.replace('/shop', '/other'))).isUp()).toBe(false);
  });

  test('a cluster: keys and channels on all of its servers, and without one of them unavailable', async () => {
    // By default the port of the cluster's bus is 10,000 above the other, which may not exist.
    const busPorts = await Promise.all([1, 2, 3].map(freePort));
    const common = ['cluster-enabled yes', 'cluster-node-timeout 2000'];
    const nodes = await Promise.all(
      busPorts.map((port) => start({ settings: [...common, `cluster-port ${port}`] })),
    );
    const [first, second, third] = nodes;
    if (!first || !second || !third) throw new Error('three');
    await first.ask('CLUSTER', 'ADDSLOTSRANGE', '0', '5460');
    await second.ask('CLUSTER', 'ADDSLOTSRANGE', '5461', '10922');
    await third.ask('CLUSTER', 'ADDSLOTSRANGE', '10923', '16383');
    for (const [at, { port }] of nodes.entries())
      if (at > 0) await first.ask('CLUSTER', 'MEET', '127.0.0.1', `${port}`, `${busPorts[at]}`);
    for (const node of nodes)
      await expect.poll(() => node.ask('CLUSTER', 'INFO')).toMatch(/cluster_state:ok[\s\S]*known_nodes:3/);
    const url = `redis+cluster://127.0.0.1:1,127.0.0.1:${first.port}`;
    const [one, other] = [await connect(url), await connect(url)];
    await expectShared(one, other);
    for (const node of nodes) expect(await node.ask('DBSIZE')).not.toBe('0');
    await third.kill();
    await expect.poll(() => one.isUp()).toBe(false);
  });
});
