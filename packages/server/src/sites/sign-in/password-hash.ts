import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { AppError } from '../../base/errors.ts';
import { createSemaphore } from '../../base/semaphore.ts';

const KEY_BYTES = 64;
/** better-auth's parameters, 32 MB for each hash: its hashes stay valid, and it could read ours. */
const STANDARD = { N: 2 ** 14, r: 16, p: 1 } as const;
/** A stored hash that would take more memory than this is refused, not computed. */
const MEMORY_MAX_BYTES = 256 * 1024 * 1024;

/**
 * Never on all cores, and never on all of libuv's four threads: file access and name resolution run there too. Two
 * hundred sign-ins at once used to block everything else for seconds.
 */
const AT_ONCE = availableParallelism() > 2 ? 2 : 1;
/** A few seconds' work. A person retries sooner than a longer queue would end. */
const WAITING_MAX = 50;
const RETRY_AFTER_S = 5;

const queue = createSemaphore(AT_ONCE);

interface Parameters {
  N: number;
  r: number;
  p: number;
}

const derive = (password: string, salt: string, { N, r, p }: Parameters): Promise<Buffer> => {
  const options: ScryptOptions = { N, r, p, maxmem: MEMORY_MAX_BYTES };
  return new Promise((resolve, reject) =>
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );
};

/** @throws AppError 503 when too many wait already */
async function queued(work: () => Promise<Buffer>): Promise<Buffer> {
  if (queue.waiting >= WAITING_MAX)
    throw new AppError('unavailable', 'Too many people are signing in. Try again in a few seconds.', {
      headers: { 'retry-after': String(RETRY_AFTER_S) },
    });
  return queue.run(work);
}

/**
 * A password's hash as it is stored: `SALT:KEY` in hex, by scrypt. Slow by design, so call it outside of transactions.
 * @throws AppError 503 when too many wait already
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString('hex');
  return `${salt}:${(await queued(() => derive(password, salt, STANDARD))).toString('hex')}`;
}

/**
 * Reads `SALT:KEY`, or `scrypt:LOG2_N:R:P:SALT:KEY`: the parameters can then be raised for new passwords without making
 * stored hashes invalid.
 * @throws Error for anything else
 */
function parseHash(hash: string): { parameters: Parameters; salt: string; key: Buffer } {
  const parts = hash.split(':');
  const [name, logN, r, p] = parts.length === 6 ? parts : ['scrypt', '14', '16', '1'];
  const [salt = '', key = ''] = parts.slice(-2);
  const expected = Buffer.from(key, 'hex');
  const parameters = { N: 2 ** Number(logN), r: Number(r), p: Number(p) };
  if ((parts.length !== 2 && parts.length !== 6) || name !== 'scrypt' || expected.length !== KEY_BYTES)
    throw new Error('A stored password hash has an unknown form.');
  return { parameters, salt, key: expected };
}

/**
 * Whether a password belongs to a stored hash.
 * @throws AppError 503 when too many wait already
 */
export async function isPassword(hash: string, password: string): Promise<boolean> {
  const { parameters, salt, key } = parseHash(hash);
  return timingSafeEqual(await queued(() => derive(password, salt, parameters)), key);
}
