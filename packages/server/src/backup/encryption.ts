import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { reasonOf, StartError } from '../base/start-error.ts';

/** How every file of age begins (age-encryption.org/v1). */
const AGE_HEADER = 'age-encryption.org/v1\n';
const IDENTITY = /^AGE-SECRET-KEY-(?:1|PQ-1)[A-Z0-9]+$/;

/** Loaded here: few processes encrypt anything by it. */
const loadAge = () => import('age-encryption');

/** Encrypts a file to age public keys, so that this server can't read it again. Without keys it stays as it is. */
export async function encrypted(source: Readable, recipients: readonly string[]): Promise<Readable> {
  if (recipients.length === 0) return source;
  const { Encrypter } = await loadAge();
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return fromWeb(await encrypter.encrypt(toWeb(source)));
}

/**
 * Decrypts a file of age; any other passes through.
 * @param identities private keys, as `readIdentities` returns them
 * @throws StartError if none of them fits; later, while it is read, if the file was changed
 */
export async function decrypted(source: Readable, identities: readonly string[]): Promise<Readable> {
  const { isAge, whole } = await peek(source);
  if (!isAge) return whole;
  if (identities.length === 0)
    throw new StartError('This backup is encrypted. Give the private key with --identity <file>.');
  const { Decrypter } = await loadAge();
  const decrypter = new Decrypter();
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
    return fromWeb(await decrypter.decrypt(toWeb(whole)));
  } catch (error) {
    throw new StartError(`This backup can't be decrypted (${reasonOf(error)}).`);
  }
}

/** The private keys in a file that `age-keygen` wrote: one a line; lines with # are comments. @throws StartError */
export async function readIdentities(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error) => {
    throw new StartError(`${file} can't be read (${reasonOf(error)}).`);
  });
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (keys.length === 0 || !keys.every((key) => IDENTITY.test(key)))
    throw new StartError(`${file} is invalid: expected private keys of age, as age-keygen writes them.`);
  return keys;
}

async function peek(source: Readable): Promise<{ isAge: boolean; whole: Readable }> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const read: Buffer[] = [];
  let bytes = 0;
  while (bytes < AGE_HEADER.length) {
    const { value, done } = await chunks.next();
    if (done) break;
    read.push(value);
    bytes += value.length;
  }
  const start = Buffer.concat(read);
  async function* all(): AsyncGenerator<Buffer> {
    try {
      yield start;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
    } finally {
      source.destroy();
    }
  }
  const whole = Readable.from(all(), { objectMode: false });
  return { isAge: start.subarray(0, AGE_HEADER.length).toString('latin1') === AGE_HEADER, whole };
}

const toWeb = (source: Readable) => Readable.toWeb(source) as ReadableStream<Uint8Array>;
const fromWeb = (stream: ReadableStream<Uint8Array>): Readable => Readable.fromWeb(stream as WebStream);
