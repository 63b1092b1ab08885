import { hostAndPort } from '../base/environment.ts';
import { StartError } from '../base/start-error.ts';

/** The address of Redis in REDIS_URL. */
export interface RedisAddress {
  readonly kind: 'single' | 'sentinel' | 'cluster';
  /** The server, or some of the sentinels or of the cluster's nodes: each knows the others. */
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** The password of the sentinels themselves, which often have none. */
  readonly sentinelPassword: string | undefined;
  /** The name by which sentinels know the master. */
  readonly masterName: string | undefined;
  readonly database: number;
}

const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;
const ADDRESS = /^redis(s?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/?]*)@)?([^@/?]+)(?:\/([^?]*))?(?:\?(.*))?$/;

/** The value may contain a password, so the message doesn't repeat it. */
const refuse = (wanted: string): never => {
  throw new StartError(`REDIS_URL is invalid: expected ${wanted}`);
};

function decoded(text: string | undefined): string | undefined {
  try {
    return text ? decodeURIComponent(text) : undefined;
  } catch {
    return refuse('user name and password with % encoded as %25');
  }
}

const readNodes = (list: string, defaultPort: number): RedisAddress['nodes'] =>
  list
    .split(',')
    .map(
      (text) =>
        hostAndPort(text, defaultPort) ?? refuse('host:port, separated by commas if there are several'),
    );

function readDatabase(text: string): number {
  return /^\d{0,4}$/.test(text) ? Number(text) : refuse('a whole number as the database');
}

function readPath(kind: RedisAddress['kind'], path: string): Pick<RedisAddress, 'masterName' | 'database'> {
  const [first = '', second = '', ...more] = path.split('/');
  if (kind === 'cluster' && path !== '') refuse('no database with redis+cluster://');
  if (kind === 'sentinel') {
    if (first === '' || more.length > 0) refuse("the master's name: redis+sentinel://host:26379/name");
    return { masterName: decoded(first), database: readDatabase(second) };
  }
  if (second !== '' || more.length > 0) refuse('redis://host:6379/0');
  return { masterName: undefined, database: readDatabase(first) };
}

/**
 * Reads `redis[s]://[user:password@]host[:port][/database]`,
 * `redis[s]+sentinel://[user:password@]host[:port],…/master-name[/database][?sentinel_password=…]` or
 * `redis[s]+cluster://[user:password@]host[:port],…`.
 * @throws StartError with one line
 */
export function readRedisAddress(value: string | undefined): RedisAddress | undefined {
  if (!value) return undefined;
  const match = ADDRESS.exec(value);
  if (!match)
    return refuse(
      'an address that starts with redis://, redis+sentinel:// or redis+cluster://, or with rediss for TLS',
    );
  const [, tls, topology, login = '', hosts = '', path = '', query = ''] = match;
  const kind = topology === 'sentinel' || topology === 'cluster' ? topology : 'single';
  const nodes = readNodes(hosts, kind === 'sentinel' ? SENTINEL_PORT : REDIS_PORT);
  if (kind === 'single' && nodes.length > 1)
    refuse('one server, or redis+sentinel:// or redis+cluster:// for several');
  const parameters = new URLSearchParams(query);
  const unknown = [...parameters.keys()].find((name) => kind !== 'sentinel' || name !== 'sentinel_password');
  if (unknown !== undefined) refuse(`no parameter ${unknown}`);
  // A password may contain colons.
  const [, username, password] = /^([^:]*):?(.*)$/s.exec(login) ?? [];
  return Object.freeze({
    kind,
    nodes: Object.freeze(nodes),
    tls: tls === 's',
    username: decoded(username),
    password: decoded(password),
    sentinelPassword: parameters.get('sentinel_password') ?? undefined,
    ...readPath(kind, path),
  });
}
