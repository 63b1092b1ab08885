import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { S3mini, S3ServiceError } from 's3mini';
import { reasonOf, StartError } from '../base/start-error.ts';
import { type BackupPlace, backupsAmong } from './place.ts';
import type { BackupAddress, S3Access } from './settings.ts';

/** Held in memory. Storage takes 10,000 parts of a file: backups have at most 320 GB. */
const PART_BYTES = 32 * 1024 * 1024;
/** The time limit of one part, over a slow line. */
const REQUEST_TIMEOUT_MS = 600_000;
const RETRY_AFTER_MS = [1_000, 5_000, 20_000];

/** A bucket with an interface like Amazon's, addressed by path. */
export function openBucket(
  { bucket, prefix }: Extract<BackupAddress, { kind: 's3' }>,
  access: S3Access,
): BackupPlace {
  const { endpoint, ...keys } = access;
  const s3 = new S3mini({
    ...keys,
    endpoint: `${endpoint}/${bucket}`,
    requestAbortTimeout: REQUEST_TIMEOUT_MS,
  });
  const words = `s3://${[bucket, prefix].filter(Boolean).join('/')}`;
  const keyOf = (name: string): string => (prefix === '' ? name : `${prefix}/${name}`);
  const ask = <T>(work: () => Promise<T>): Promise<T> =>
    persist(work).catch((error) => {
      throw error instanceof StartError ? error : new StartError(`${words}: ${whyRefused(error)}.`);
    });
  return {
    words,
    async list() {
      const objects = await ask(() => s3.listObjects('/', keyOf('foyer-')));
      const skipped = keyOf('').length;
      return backupsAmong(
        (objects ?? []).map(({ Key, Size }) => ({ name: Key.slice(skipped), bytes: Number(Size) })),
      );
    },
    write: (name, source) => upload(s3, keyOf(name), source, ask),
    async read(name) {
      const answer = await ask(() => s3.getObjectResponse(keyOf(name)));
      if (!answer?.body) throw new StartError(`${words} has no ${name}.`);
      return Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]);
    },
    async remove(name) {
      await ask(() => s3.deleteObject(keyOf(name)));
    },
  };
}

/** The file exists once all parts do; until then storage shows nothing of it. */
async function upload(
  s3: S3mini,
  key: string,
  source: Readable,
  ask: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<void> {
  const id = await ask(() => s3.getMultipartUploadId(key, 'application/octet-stream'));
  try {
    const parts: Awaited<ReturnType<S3mini['uploadPart']>>[] = [];
    for await (const part of partsOf(source))
      parts.push(await ask(() => s3.uploadPart(key, id, part, parts.length + 1)));
    await ask(() => s3.completeMultipartUpload(key, id, parts));
  } catch (error) {
    // The parts that are left cost money, but the error to report is the first one.
    await s3.abortMultipartUpload(key, id).catch(() => undefined);
    throw error;
  }
}

async function* partsOf(source: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < PART_BYTES) continue;
    yield Buffer.concat(chunks);
    chunks = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(chunks);
}

/** Refusals are final; a broken connection or a failing server gets three more attempts. */
async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (const waitMs of RETRY_AFTER_MS) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof S3ServiceError && error.status < 500 && error.status !== 429) throw error;
    }
    await delay(waitMs);
  }
  return work();
}

function whyRefused(error: unknown): string {
  if (error instanceof S3ServiceError) return `the storage answered ${error.serviceCode ?? error.status}`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return reasonOf(cause);
}
