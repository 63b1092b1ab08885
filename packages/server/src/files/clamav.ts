import { createConnection, type Socket } from 'node:net';
import { type Environment, hostAndPort, refuse } from '../base/environment.ts';

/** Where clamd is, and what happens to files while it can't scan. */
export interface ClamavSettings {
  readonly address: { readonly host: string; readonly port: number } | { readonly path: string };
  readonly whenAway: 'refuse' | 'accept';
}

/** For one file: clamd needs a few seconds for a large archive. */
const SCAN_MAX_MS = 30_000;
/** clamd answers with one line. */
const ANSWER_MAX_BYTES = 4_096;
const CHUNK_BYTES = 64 * 1024;
const PORT = 3310;

/** @throws StartError */
export function readClamavSettings(env: Environment): ClamavSettings | undefined {
  const value = env.FOYER_CLAMAV_URL;
  const away = env.FOYER_CLAMAV_AWAY || 'refuse';
  if (away !== 'refuse' && away !== 'accept') return refuse('FOYER_CLAMAV_AWAY', away, 'refuse or accept');
  if (!value) return undefined;
  const path = /^unix:(?:\/\/)?(\/[^/].{0,100})$/.exec(value)?.[1];
  if (path !== undefined) return { address: { path }, whenAway: away };
  const [, place = ''] = /^tcp:\/\/([^/]{1,300})\/?$/i.exec(value) ?? [];
  const address = hostAndPort(place, PORT);
  if (!address) return refuse('FOYER_CLAMAV_URL', value, 'tcp://host:3310 or unix:///run/clamav/clamd.sock');
  return { address, whenAway: away };
}

/** What clamd says about a file. `unscanned`: it is larger than clamd accepts. */
export type Verdict = { state: 'clean' } | { state: 'infected'; virus: string } | { state: 'unscanned' };

/** clamd can't be reached, takes too long, or fails. */
export class ClamavAway extends Error {}

function verdictOf(answer: string): Verdict {
  const line = answer.replace(/\0[\s\S]*$/, '').trim();
  if (/^stream: OK$/.test(line)) return { state: 'clean' };
  const virus = /^stream: (.{1,200}) FOUND$/.exec(line)?.[1];
  if (virus !== undefined) return { state: 'infected', virus };
  if (/size limit exceeded/i.test(line)) return { state: 'unscanned' };
  throw new ClamavAway(`clamd answered ${JSON.stringify(line.slice(0, 200))}`);
}

/** A 4-byte length before each chunk, and an empty chunk at the end. */
function* framesOf(content: Buffer): Generator<Buffer> {
  yield Buffer.from('zINSTREAM\0');
  for (let at = 0; at < content.length; at += CHUNK_BYTES) {
    const chunk = content.subarray(at, at + CHUNK_BYTES);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(chunk.length);
    yield length;
    yield chunk;
  }
  yield Buffer.alloc(4);
}

const drained = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      socket.off('drain', go);
      socket.off('close', go);
      resolve();
    };
    socket.on('drain', go);
    socket.on('close', go);
  });

/** A file that is too large is answered while it is being sent. */
async function send(socket: Socket, content: Buffer): Promise<void> {
  for (const frame of framesOf(content)) {
    if (!socket.writable) return;
    if (!socket.write(frame)) await drained(socket);
  }
}

/**
 * Sends a file to clamd by INSTREAM, over a connection of its own.
 * @throws ClamavAway
 */
export function scanWithClamav(
  { address }: Pick<ClamavSettings, 'address'>,
  content: Buffer,
  maxMs = SCAN_MAX_MS,
): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(address);
    let answer = '';
    const fail = (why: string): void => {
      reject(new ClamavAway(why));
      socket.destroy();
    };
    const timeout = setTimeout(() => fail('clamd took too long'), maxMs);
    const settle = (): void => {
      clearTimeout(timeout);
      socket.destroy();
      try {
        resolve(verdictOf(answer));
      } catch (error) {
        reject(error);
      }
    };
    socket.setEncoding('utf8');
    socket.on('data', (part) => {
      answer += String(part);
      if (answer.includes('\0')) settle();
      else if (answer.length > ANSWER_MAX_BYTES) fail('clamd answered too much');
    });
    // One that refuses a large file may reset the connection after its answer.
    socket.on('error', (error) => answer === '' && fail(error.message));
    socket.on('close', () => {
      clearTimeout(timeout);
      if (answer === '') fail('clamd closed the connection');
      else settle();
    });
    socket.on('connect', () => void send(socket, content));
  });
}
