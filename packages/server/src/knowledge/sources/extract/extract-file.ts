import { Worker } from 'node:worker_threads';
import { threadFile } from '../../../base/package-files.ts';
import { type FileKind, fileKindOf } from '../file-kind.ts';
import type { Extracted } from './extracted.ts';
import type { PageAbout } from './html.ts';

/** Of CPU time: a file of 20 MiB with 500 pages takes a few seconds. */
const CPU_MAX_MS = 30_000;
/** A large page takes a second. */
const PAGE_CPU_MAX_MS = 10_000;
/** However busy the machine is. */
const TIME_MAX_MS = 90_000;
/** The thread's heap and its buffers, which the heap's own limit doesn't count, together. */
const MEMORY_MAX_MIB = 512;
const LOOK_EVERY_MS = 100;
const HEAP = {
  maxOldGenerationSizeMb: MEMORY_MAX_MIB,
  maxYoungGenerationSizeMb: 64,
  stackSizeMb: 4,
} as const;

interface ExtractLimits {
  timeMaxMs?: number;
  cpuMaxMs?: number;
  memoryMaxMib?: number;
}

/** What the thread is given. */
export interface Work {
  readonly kind: FileKind | 'html';
  readonly content: Uint8Array;
  /** Of HTML. */
  readonly page?: PageAbout;
}

/**
 * Reads a file in a thread of its own with bounds on CPU time and memory: a hostile file costs no more than those, and this
 * process goes on meanwhile. Never throws for what is in the file.
 */
export async function extractFile(content: Buffer, limits: ExtractLimits = {}): Promise<Extracted> {
  const kind = fileKindOf(content);
  if (kind === undefined) return { problem: 'wrong_type' };
  if (kind === 'encrypted') return { problem: 'encrypted' };
  return inThread({ kind, content }, limits);
}

const HTML = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i;

/** As `extractFile`, for what was found at an address: HTML, or a file. */
export async function extractPage(content: Buffer, page: PageAbout): Promise<Extracted> {
  if (fileKindOf(content) !== undefined) return extractFile(content);
  if (!HTML.test(page.contentType)) return { problem: 'not_html' };
  return inThread({ kind: 'html', content, page }, { cpuMaxMs: PAGE_CPU_MAX_MS });
}

function inThread(
  work: Work,
  { timeMaxMs = TIME_MAX_MS, cpuMaxMs = CPU_MAX_MS, memoryMaxMib = MEMORY_MAX_MIB }: ExtractLimits,
): Promise<Extracted> {
  const worker = new Worker(threadFile('knowledge/sources/extract/extract-thread'), {
    workerData: work,
    resourceLimits: { ...HEAP, maxOldGenerationSizeMb: memoryMaxMib },
    // Libraries warn about files on the console, which is the server's log.
    stdout: true,
    stderr: true,
    env: {},
  });
  return new Promise<Extracted>((resolve) => {
    const end = (extracted: Extracted): void => {
      clearTimeout(timer);
      clearInterval(look);
      resolve(extracted);
      void worker.terminate();
    };
    const timer = setTimeout(() => end({ problem: 'too_complex' }), timeMaxMs);
    const look = setInterval(() => {
      void useOf(worker).then(({ memoryMib, cpuMs }) => {
        if (memoryMib > memoryMaxMib || cpuMs > cpuMaxMs) end({ problem: 'too_complex' });
      });
    }, LOOK_EVERY_MS);
    worker.once('message', end);
    worker.once('error', (error: Error & { code?: string }) =>
      end({ problem: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too_complex' : 'damaged' }),
    );
    worker.once('exit', () => end({ problem: 'damaged' }));
  });
}

/** What the thread has used so far; nothing once it has ended. */
const useOf = (worker: Worker): Promise<{ memoryMib: number; cpuMs: number }> =>
  Promise.all([worker.getHeapStatistics(), worker.cpuUsage()]).then(
    ([{ used_heap_size, external_memory }, { user, system }]) => ({
      memoryMib: (used_heap_size + external_memory) / 1024 ** 2,
      cpuMs: (user + system) / 1_000,
    }),
    () => ({ memoryMib: 0, cpuMs: 0 }),
  );
