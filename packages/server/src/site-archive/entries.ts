import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ARCHIVE_KINDS, type ArchiveFound, type ErrorReason, UPLOAD_MAX_BYTES } from '@foyer/protocol';
import { extract } from 'tar-stream';
import { AppError } from '../base/errors.ts';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchiveManifest,
  archiveEnd,
  archiveManifest,
} from './manifest.ts';
import { bytesOf } from './tar.ts';

/** The limit of an entry with rows: far more than any batch that an export writes. */
const ENTRY_MAX_BYTES = 200 * 1024 * 1024;
/** The limit of all entries together: a file that unpacks to more was made to exhaust a server. */
const UNPACKED_MAX_BYTES = 100 * 1024 ** 3;

interface Entry {
  name: string;
  content: Buffer;
}

const refusal = (reason: ErrorReason, message: string): AppError =>
  new AppError('invalid_input', message, { reason });

/** A 400: the file is no readable archive. `why` goes into the message. */
export const notAnArchive = (why: string): AppError =>
  refusal('archive_none', `This isn’t a valid site archive: ${why}. The import has stopped.`);

/** A 400: the archive ends too early. The import keeps what it has, and can continue with a complete file. */
export const cutShort = (): AppError =>
  refusal(
    'archive_cut',
    'This archive is incomplete. Imported records are kept; import the complete file to continue.',
  );

function unreadable(error: unknown, hasBegun: boolean): AppError {
  if (error instanceof AppError) return error;
  const why = error instanceof Error ? error.message : 'unreadable';
  return hasBegun && /unexpected end/i.test(why) ? cutShort() : notAnArchive(why);
}

/** The entries of an archive in order, with only the current one's content in memory. */
export async function* entriesOf(source: Readable): AsyncGenerator<Entry> {
  const unzipped = createGunzip();
  const tar = extract();
  let left = UNPACKED_MAX_BYTES;
  source.on('error', (error) => unzipped.destroy(error));
  unzipped.on('error', (error) => tar.destroy(error));
  source.pipe(unzipped).pipe(tar);
  try {
    for await (const entry of tar) {
      const { name, size = 0 } = entry.header;
      const most = name.endsWith('.file') ? UPLOAD_MAX_BYTES : ENTRY_MAX_BYTES;
      left -= size;
      if (size > most || left < 0) throw notAnArchive(`${name} is too large`);
      yield { name, content: await bytesOf(entry) };
    }
  } catch (error) {
    throw unreadable(error, left < UNPACKED_MAX_BYTES);
  } finally {
    source.destroy();
  }
}

function jsonOf(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch {
    return undefined;
  }
}

const isNewer = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'format' in value &&
  value.format === ARCHIVE_FORMAT &&
  'version' in value &&
  Number(value.version) > ARCHIVE_VERSION;

/** @throws AppError 400 for anything but a manifest of a known version. */
export function readManifest(content: Buffer): ArchiveManifest {
  const value = jsonOf(content);
  if (isNewer(value))
    throw refusal(
      'archive_newer',
      'This archive is from a newer version of Foyer. Update this installation first.',
    );
  const { data } = archiveManifest.safeParse(value);
  if (!data) throw notAnArchive('its manifest is unknown to this version');
  return data;
}

/** The number of records per table. @throws AppError 400 */
export function readEnd(content: Buffer): Record<string, number> {
  const { data } = archiveEnd.safeParse(jsonOf(content));
  if (!data) throw notAnArchive('its end is unknown to this version');
  return data.rows;
}

/**
 * Reads an archive to its end, so that a truncated one is noticed before anything is imported.
 * @throws AppError 400
 */
export async function lookIntoArchive(source: Readable): Promise<ArchiveFound> {
  let manifest: ArchiveManifest | undefined;
  let rows: Record<string, number> | undefined;
  let entries = 0;
  for await (const { name, content } of entriesOf(source)) {
    entries += 1;
    if (name === 'manifest.json') manifest = readManifest(content);
    else if (!manifest) throw notAnArchive('it doesn’t start with a manifest');
    else if (name === 'end.json') rows = readEnd(content);
  }
  if (!manifest) throw notAnArchive('it has no manifest');
  if (!rows) throw cutShort();
  const { id, site, created_utc, foyer } = manifest;
  const counts = Object.fromEntries(ARCHIVE_KINDS.map((kind) => [kind, rows[kind] ?? 0]));
  const records = Object.values(rows).reduce((sum, count) => sum + count, 0);
  return { id, site_name: site.name, made_utc: created_utc, foyer, counts, records, entries };
}
