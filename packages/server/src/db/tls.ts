import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { reasonOf, StartError } from '../base/start-error.ts';

/** libpq's modes, and `no-verify`, which is node-pg's name for `require`. */
const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
const FILES = ['sslrootcert', 'sslcert', 'sslkey'];
/** Modes that accept TLS and its absence alike, so the server is asked. */
const OPPORTUNISTIC = ['allow', 'prefer'];
const DEFAULT_PORT = 5432;
const PROBE_MS = 4_000;
/** PostgreSQL's SSLRequest message: its length, and the request's code. The answer is one byte, `S` or `N`. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

function checkFiles(name: string, parameters: URLSearchParams): void {
  for (const parameter of FILES) {
    const file = parameters.get(parameter);
    if (!file) continue;
    try {
      readFileSync(file);
    } catch (error) {
      throw new StartError(`${name} is invalid: ${parameter}=${file} can't be read (${reasonOf(error)})`);
    }
  }
}

/**
 * The same URL with the meaning that libpq gives to its TLS parameters. node-pg alone would treat `require` as
 * `verify-full`.
 * @param name the variable that the URL comes from
 * @throws StartError for an unknown mode, a missing certificate or an unreadable file
 */
export function withLibpqTls(name: string, url: string): string {
  const parsed = new URL(url);
  const { searchParams } = parsed;
  const usesSystem = searchParams.get('sslrootcert') === 'system';
  // Like libpq: the public authorities would let anybody with a certificate of theirs pose as the server.
  const mode = searchParams.get('sslmode') ?? (usesSystem ? 'verify-full' : undefined);
  if (mode === undefined) return url;
  if (!MODES.includes(mode))
    throw new StartError(`${name} is invalid: expected sslmode to be one of ${MODES.join(', ')}`);
  if (usesSystem && mode !== 'verify-full')
    throw new StartError(`${name} is invalid: sslrootcert=system needs sslmode=verify-full`);
  if (usesSystem) searchParams.delete('sslrootcert');
  if (mode === 'verify-ca' && !searchParams.get('sslrootcert'))
    throw new StartError(
      `${name} is invalid: sslmode=verify-ca needs sslrootcert=FILE, the certificate of your authority`,
    );
  checkFiles(name, searchParams);
  if (mode === 'no-verify') searchParams.delete('sslrootcert');
  searchParams.set('sslmode', mode === 'no-verify' ? 'require' : mode);
  searchParams.set('uselibpqcompat', 'true');
  return parsed.href;
}

function offersTls(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: PROBE_MS }, () => socket.write(SSL_REQUEST));
    socket.once('data', (answer) => {
      resolve(answer[0] === 'S'.charCodeAt(0));
      socket.destroy();
    });
    socket.once('timeout', () => socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('Connection terminated')));
  });
}

/**
 * Settles `sslmode=prefer` and `allow`, which leave TLS to the server: asks it once, for as long as the process lives.
 * Neither mode verifies a certificate, as in libpq. Other URLs are returned as they are.
 */
export async function settleTls(url: string): Promise<string> {
  const parsed = new URL(url);
  const { searchParams, hostname, port } = parsed;
  if (!OPPORTUNISTIC.includes(searchParams.get('sslmode') ?? '')) return url;
  const socketFolder = searchParams.get('host')?.startsWith('/');
  const host = searchParams.get('host') ?? decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1');
  const isOffered = !socketFolder && (await offersTls(host, Number(port || DEFAULT_PORT)));
  searchParams.set('sslmode', isOffered ? 'require' : 'disable');
  // With an authority, `require` would verify it.
  searchParams.delete('sslrootcert');
  return parsed.href;
}
