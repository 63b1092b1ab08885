import { constants } from 'node:fs';
import { access, readFile, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ifMissing } from '../../base/missing-file.ts';
import { packageFile } from '../../base/package-files.ts';
import { reasonOf } from '../../base/start-error.ts';
import type { Config } from '../../config.ts';
import { type Check, ok, warning, wrong } from './check.ts';

const NODE_NEEDED = 24;
const MB = 1_000_000;
const DISK_WRONG_BYTES = 200 * MB;
const DISK_WARNING_BYTES = 1_000 * MB;

const PACKAGES = fileURLToPath(packageFile('../'));
const BUILT = ['sdk/dist/visitor-sdk.js', 'widget/dist/index.html', 'dashboard/dist/index.html'];

/** `version` is `process.versions.node`, without a leading `v`. */
export function checkNode(version: string): Check {
  return Number(version.split('.')[0]) >= NODE_NEEDED
    ? ok('node', `Node ${version}`)
    : wrong('node', `Node ${version}: Foyer needs ${NODE_NEEDED} or newer`);
}

const isLocal = (host: string): boolean => /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host);

/** Every link in mails and responses is built from FOYER_BASE_URL, so it must lead to this server. */
export function checkBaseUrl({ baseUrl, host, port }: Pick<Config, 'baseUrl' | 'host' | 'port'>): Check {
  const url = new URL(baseUrl);
  const urlPort = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const where = `links start with ${baseUrl}; the server listens on ${host}:${port}`;
  const local = isLocal(url.hostname);
  if (local && !isLocal(host))
    return warning(
      'base_url',
      `${where}. Links would point to each reader's own machine: set FOYER_BASE_URL`,
    );
  if (local && urlPort !== port) return warning('base_url', `${where}. FOYER_BASE_URL and PORT don't match`);
  if (!local && url.protocol === 'http:')
    return warning('base_url', `${where}. Passwords and cookies are sent unencrypted: use https`);
  return ok('base_url', where);
}

async function nearestExisting(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** A folder that doesn't exist yet is fine if its nearest existing parent can be written. Creates nothing. */
export async function checkDataFolder(dataDir: string): Promise<Check> {
  const existing = await nearestExisting(dataDir);
  try {
    await access(existing, constants.W_OK | constants.X_OK);
  } catch (error) {
    return wrong('data_folder', `${dataDir} isn't writable (${reasonOf(error)}): set FOYER_DATA_DIR`);
  }
  return existing === dataDir
    ? ok('data_folder', `${dataDir} is writable`)
    : ok('data_folder', `${dataDir} doesn't exist yet; the first start creates it`);
}

/**
 * Measures the space available to an unprivileged user on the disk of the data folder, or of its nearest existing
 * parent.
 */
export async function checkDisk(dataDir: string): Promise<Check> {
  const { bavail, bsize } = await statfs(await nearestExisting(dataDir));
  const free = bavail * bsize;
  const message = `${Math.floor(free / MB)} MB free on the data folder's disk`;
  if (free < DISK_WRONG_BYTES) return wrong('disk', message);
  return free < DISK_WARNING_BYTES ? warning('disk', message) : ok('disk', message);
}

/** Looks for one built file per browser package. Doesn't notice an outdated build. */
export async function checkBuild(packages: string = PACKAGES): Promise<Check> {
  const missing: string[] = [];
  for (const file of BUILT)
    if (!(await stat(join(packages, file)).catch(() => undefined))) missing.push(file.split('/')[0] ?? file);
  return missing.length === 0
    ? ok('build', 'SDK, widget and desk are built')
    : wrong('build', `not built: ${missing.join(', ')}. Run: npm run build`);
}

const FILES_WARNING = 4_096;

/** Each socket is an open file. Where the system doesn't say, nothing is checked. */
export async function checkOpenFiles(limits = '/proc/self/limits'): Promise<Check> {
  const text = await readFile(limits, 'utf8').catch(ifMissing(''));
  const limit = Number(/^Max open files\s+(\d+)/m.exec(text)?.[1] ?? Number.POSITIVE_INFINITY);
  const message = `${Number.isFinite(limit) ? limit : 'any number of'} open files allowed`;
  return limit < FILES_WARNING
    ? warning('open_files', `${message}: every visitor takes one. Raise it (LimitNOFILE, ulimit -n)`)
    : ok('open_files', message);
}
