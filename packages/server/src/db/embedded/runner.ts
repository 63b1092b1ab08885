import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process';
import { chmod, chown, lchown, readdir, readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '../../base/start-error.ts';
import { BINARY_ENV } from './binaries.ts';

const run = promisify(execFile);

/** The user that runs PostgreSQL's programs, which refuse root. */
export interface Runner {
  name: string;
  /** A command that starts the given program, or nothing. It must `exec`, so that the process id stays the same. */
  prefix: string[];
  /** Only for switching the user. */
  identity: { uid?: number; gid?: number };
  /** The required owner of the database files, as seen from this process. */
  owner: { uid: number; gid: number };
}

interface Account {
  name: string;
  uid: number;
  gid: number;
}

/** Starts a program as the runner in its own session: Ctrl-C in the terminal only reaches Foyer. */
export function spawnAs(runner: Runner, program: string, args: string[], stdio: StdioOptions): ChildProcess {
  const [command = program, ...rest] = [...runner.prefix, program, ...args];
  return spawn(command, rest, { cwd: '/', env: BINARY_ENV, detached: true, stdio, ...runner.identity });
}

/**
 * Finds a user who can run the program and enter the data folder.
 * @throws StartError that says what to set, if there is none
 */
export async function chooseRunner(postgres: string, dataDir: string, clusterDir: string): Promise<Runner> {
  const uid = process.getuid?.() ?? -1;
  const candidates = uid === 0 ? await forRoot(dataDir, clusterDir) : await forUser(uid);
  const tried: string[] = [];
  for (const runner of candidates) {
    const obstacle = await findObstacle(runner, postgres, dataDir);
    if (!obstacle) return runner;
    tried.push(`${runner.name}: ${obstacle}`);
  }
  const who =
    uid === 0 ? "PostgreSQL doesn't run as root, and no workaround succeeded" : "PostgreSQL doesn't run here";
  throw new StartError(
    `${who} (${tried.join('; ')}). Run Foyer as an ordinary user with access to its folder and ${dataDir}, or set DATABASE_URL.`,
  );
}

async function forUser(uid: number): Promise<Runner[]> {
  const owner = { uid, gid: process.getgid?.() ?? -1 };
  const direct: Runner = { name: 'this user', prefix: [], identity: {}, owner };
  // initdb needs a name for the user id, which a container started with a bare number doesn't have.
  return hasName() ? [direct] : [...(await userNamespace(owner)), direct];
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

async function forRoot(dataDir: string, clusterDir: string): Promise<Runner[]> {
  const accounts = await readAccounts();
  const asUser = (account: Account): Runner => {
    const owner = { uid: account.uid, gid: account.gid };
    return { name: `user ${account.name}`, prefix: [], identity: owner, owner };
  };
  const ownerOf = async (path: string) => {
    const found = await stat(path).catch(() => undefined);
    if (!found || found.uid === 0) return [];
    return [asUser({ name: String(found.uid), uid: found.uid, gid: found.gid })];
  };
  const clusterOwner = await ownerOf(clusterDir);
  // Files keep their owner: the user who ran this database before can read them, a user namespace can't.
  if (clusterOwner.length > 0) return clusterOwner;
  const known = ['postgres', 'nobody'].flatMap((name) => accounts.filter((account) => account.name === name));
  // A folder that its owner also uses without root stays readable for that owner.
  return [...(await ownerOf(dataDir)), ...(await userNamespace({ uid: 0, gid: 0 })), ...known.map(asUser)];
}

/** Inside the namespace the user has another id, so PostgreSQL doesn't see root. The files keep their owner. */
async function userNamespace(owner: { uid: number; gid: number }): Promise<Runner[]> {
  // initdb looks up the name of the id, so the id needs one.
  const account = (await readAccounts()).find(({ uid }) => uid !== 0);
  if (process.platform !== 'linux' || !account) return [];
  const prefix = ['unshare', '--user', `--map-user=${account.uid}`, `--map-group=${account.gid}`, '--'];
  return [{ name: 'user namespace', prefix, identity: {}, owner }];
}

async function readAccounts(): Promise<Account[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [name = '', , uid = '', gid = ''] = line.split(':');
    return /^\d+$/.test(uid) && /^\d+$/.test(gid) ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

async function findObstacle(runner: Runner, postgres: string, dataDir: string): Promise<string | undefined> {
  const attempt = (program: string, args: string[]) => {
    const [command = program, ...rest] = [...runner.prefix, program, ...args];
    return run(command, rest, { cwd: '/', env: BINARY_ENV, ...runner.identity });
  };
  try {
    await attempt('true', []);
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return missing ? "unshare isn't installed" : 'not permitted';
  }
  try {
    await attempt(postgres, ['-V']);
  } catch {
    return `cannot run ${postgres}`;
  }
  try {
    await letIn(dataDir, runner);
    await attempt('sh', ['-c', 'cd "$0"', dataDir]);
  } catch {
    return `cannot enter ${dataDir}`;
  }
  return undefined;
}

// Root's data folder is closed to others. Lets the other user's group pass through without listing it.
async function letIn(dataDir: string, runner: Runner): Promise<void> {
  const { uid, mode } = await stat(dataDir);
  const isPrivate = (mode & 0o077) === 0;
  if (runner.identity.uid === undefined || uid !== 0 || !isPrivate) return;
  await chown(dataDir, uid, runner.owner.gid);
  await chmod(dataDir, (mode & 0o700) | 0o010);
}

/**
 * Gives a folder that root created, with its contents, to the runner. Does nothing if the runner owns it already.
 */
export async function handOver(path: string, runner: Runner): Promise<void> {
  const { uid, gid } = runner.owner;
  const found = await stat(path);
  if (process.getuid?.() !== 0 || found.uid === uid) return;
  const entries = await readdir(path, { recursive: true });
  // The folder itself comes last: until then an interrupted change of owner starts over.
  for (const entry of [...entries, '.']) await lchown(join(path, entry), uid, gid);
}
