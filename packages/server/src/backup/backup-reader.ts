import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { reasonOf, StartError } from '../base/start-error.ts';
import { FORMAT, type Manifest, manifest } from './manifest.ts';

const MANIFEST_MAX_BYTES = 10_000_000;
const NEWLINE = 0x0a;
/** The last line of a table. COPY doubles every backslash in values, so no row looks like it. */
const END = Buffer.from('\\.\n');

/** Reads a backup file once from beginning to end, holding at most a row or a chunk in memory. */
export class BackupReader {
  readonly #name: string;
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  /** @param name of the file, for messages */
  constructor(name: string, source: Readable) {
    this.#name = name;
    const unzipped = createGunzip();
    source.on('error', (error) => unzipped.destroy(error));
    this.#chunks = source.pipe(unzipped)[Symbol.asyncIterator]();
  }

  /** @throws StartError if the file is not a backup. */
  async manifest(): Promise<Manifest> {
    let end = this.#rest.indexOf(NEWLINE);
    while (end < 0) {
      if (this.#rest.length > MANIFEST_MAX_BYTES || !(await this.#more()))
        throw this.#refusal('it is not a backup');
      end = this.#rest.indexOf(NEWLINE);
    }
    const line = this.#take(end + 1).toString('utf8');
    return this.#parse(line);
  }

  /** The rows of the next table, in chunks of whole rows. */
  async *rows(): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.#rest.subarray(0, END.length).equals(END)) {
        this.#take(END.length);
        return;
      }
      const end = this.#rest.indexOf(`\n${END}`);
      const whole = end < 0 ? this.#rest.lastIndexOf(NEWLINE) + 1 : end + 1;
      if (whole > 0) yield this.#take(whole);
      else if (!(await this.#more())) throw this.#refusal('the file is incomplete');
    }
  }

  /** Nothing may follow the last table. Also compares the checksum of the whole file. */
  async end(): Promise<void> {
    if (this.#rest.length > 0 || (await this.#more())) throw this.#refusal('the file has data after its end');
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #parse(line: string): Manifest {
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch {
      throw this.#refusal('it is not a backup');
    }
    const parsed = manifest.safeParse(json);
    if (parsed.success) return parsed.data;
    const isOurs = typeof json === 'object' && json !== null && 'format' in json && json.format === FORMAT;
    throw this.#refusal(isOurs ? 'it was created by a newer Foyer, or was edited' : 'it is not a backup');
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }

  async #more(): Promise<boolean> {
    try {
      const { value, done } = await this.#chunks.next();
      if (done) return false;
      this.#rest = Buffer.concat([this.#rest, value]);
      return true;
    } catch (error) {
      throw this.#refusal(reasonOf(error));
    }
  }

  #refusal(reason: string): StartError {
    return new StartError(`${this.#name} can't be restored: ${reason}. Nothing was changed.`);
  }
}
