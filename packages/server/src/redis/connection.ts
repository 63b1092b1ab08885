import type { RedisClientOptions } from '@redis/client';
import type { RedisAddress } from './address.ts';

const CONNECT_MS = 2_000;

/** A Lua script on one key. */
export interface Script {
  readonly source: string;
  /** SHA-1 of the source, as Redis names it. */
  readonly sha: string;
}

/**
 * One attempt to connect: to a server, to the master that sentinels name, or to all masters of a cluster. It never
 * reconnects. Its owner opens another, so that every kind of failure has the same recovery.
 */
export interface Connection {
  /** @throws unless every master answers and accepts writes */
  check(key: string): Promise<void>;
  run(script: Script, key: string, args: readonly string[]): Promise<unknown>;
  publish(channel: string, message: string): Promise<unknown>;
  subscribe(channel: string, listener: (message: string, channel: string) => void): Promise<void>;
  unsubscribe(channel: string): Promise<void>;
  /** Open requests fail. */
  destroy(): void;
}

type Client = typeof import('@redis/client');
type Login = Pick<RedisAddress, 'tls' | 'username' | 'password' | 'database'>;

/** Loaded on demand: most installations have no Redis. */
const load = (): Promise<Client> => import('@redis/client');

/** @param key whose slot decides which server counts */
async function runScript(
  client: {
    evalSha(sha: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
    eval(source: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  },
  { source, sha }: Script,
  key: string,
  args: readonly string[],
): Promise<unknown> {
  const options = { keys: [key], arguments: [...args] };
  return client.evalSha(sha, options).catch((error) => {
    // A restarted server has lost it.
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return client.eval(source, options);
  });
}

const CHECK_TTL_S = 60;

const socketOf = (tls: boolean) => {
  const common = { connectTimeout: CONNECT_MS, reconnectStrategy: false } as const;
  return tls ? { ...common, tls: true as const } : common;
};

function clientOptions(
  { tls, username, password, database }: Login,
  { host, port }: RedisAddress['nodes'][number],
): RedisClientOptions {
  return {
    socket: { ...socketOf(tls), host, port, ...(tls ? { servername: host } : {}) },
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    database,
    disableOfflineQueue: true,
  };
}

/** @param onLost called at most once, unless it was destroyed */
async function connectServer(
  { createClient }: Client,
  address: RedisAddress,
  node: RedisAddress['nodes'][number],
  onLost: (error: unknown) => void,
): Promise<Connection> {
  const client = createClient(clientOptions(address, node));
  // Its own connection: a subscriber that falls behind is disconnected by the server.
  const subscriber = createClient(clientOptions(address, node));
  for (const one of [client, subscriber]) one.on('error', onLost);
  const destroy = (): void => {
    for (const one of [client, subscriber]) if (one.isOpen) one.destroy();
  };
  try {
    await Promise.all([client.connect(), subscriber.connect()]);
  } catch (error) {
    destroy();
    throw error;
  }
  return {
    check: async (key) => void (await Promise.all([client.setEx(key, CHECK_TTL_S, ''), subscriber.ping()])),
    run: (script, key, args) => runScript(client, script, key, args),
    publish: (channel, message) => client.publish(channel, message),
    subscribe: (channel, listener) => subscriber.subscribe(channel, listener),
    unsubscribe: (channel) => subscriber.unsubscribe(channel),
    destroy,
  };
}

/** The master's address, from the first sentinel that answers. */
async function findMaster(
  { createClient }: Client,
  address: RedisAddress,
): Promise<RedisAddress['nodes'][number]> {
  const { masterName = '', sentinelPassword, tls, nodes } = address;
  const login = { tls, username: undefined, password: sentinelPassword, database: 0 };
  let failure: unknown;
  for (const node of nodes) {
    const sentinel = createClient(clientOptions(login, node));
    sentinel.on('error', () => undefined);
    try {
      await sentinel.connect();
      const answer = await sentinel.sendCommand(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', masterName]);
      if (!Array.isArray(answer)) throw new Error(`no sentinel knows a master called ${masterName}`);
      const [host, port] = answer.map(String);
      return { host: host ?? '', port: Number(port) };
    } catch (error) {
      failure = error;
    } finally {
      if (sentinel.isOpen) sentinel.destroy();
    }
  }
  throw failure;
}

async function connectCluster(
  { createCluster }: Client,
  address: RedisAddress,
  onLost: (error: unknown) => void,
): Promise<Connection> {
  const { tls, username, password, nodes } = address;
  const cluster = createCluster({
    rootNodes: nodes.map(({ host, port }) => ({ socket: { host, port } })),
    defaults: {
      socket: socketOf(tls),
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
      disableOfflineQueue: true,
    },
  });
  let isOpen = false;
  // A root node that doesn't answer doesn't matter while another does.
  cluster.on('error', (error) => isOpen && onLost(error));
  cluster.on('node-error', (error) => isOpen && onLost(error));
  const destroy = (): void => {
    isOpen = false;
    if (cluster.isOpen) cluster.destroy();
  };
  try {
    await cluster.connect();
  } catch (error) {
    destroy();
    throw error;
  }
  isOpen = true;
  return {
    async check(key) {
      const pings = cluster.masters.map(async (master) => (await cluster.nodeClient(master)).ping());
      await Promise.all([...pings, cluster.setEx(key, CHECK_TTL_S, '')]);
    },
    run: (script, key, args) => runScript(cluster, script, key, args),
    publish: (channel, message) => cluster.sPublish(channel, message),
    subscribe: (channel, listener) => cluster.sSubscribe(channel, listener),
    unsubscribe: (channel) => cluster.sUnsubscribe(channel),
    destroy,
  };
}

/**
 * Connects once.
 * @param onLost called when the connection breaks, possibly several times; it is unusable from then on
 * @throws if that fails
 */
export async function connectRedis(
  address: RedisAddress,
  onLost: (error: unknown) => void,
): Promise<Connection> {
  const client = await load();
  if (address.kind === 'cluster') return connectCluster(client, address, onLost);
  const node = address.kind === 'sentinel' ? await findMaster(client, address) : address.nodes[0];
  if (!node) throw new Error('no server is named');
  return connectServer(client, address, node, onLost);
}
