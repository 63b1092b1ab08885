import { createThreadPool, TaskError, type TaskLimits } from '../../../base/threads/thread-pool.ts';
import { type FileKind, fileKindOf } from '../file-kind.ts';
import type { Extracted } from './extracted.ts';
import type { PageAbout } from './html.ts';

/** A large page takes a second of CPU time. */
const PAGE_CPU_MAX_MS = 10_000;
/** A file of 20 MiB with 500 pages takes a few seconds. */
const LIMITS: TaskLimits = { timeMaxMs: 90_000, cpuMaxMs: 30_000, memoryMaxMib: 512 };
/** More than a process reads at once. */
const THREADS_MAX = 8;

/** The input of the thread. */
export interface Work {
  readonly kind: FileKind | 'html';
  readonly content: Uint8Array;
  /** Of HTML. */
  readonly page?: PageAbout;
}

const threads = createThreadPool<Work, Extracted>({
  program: 'knowledge/sources/extract/extract-thread',
  threadsMax: THREADS_MAX,
  // Each file gets a new thread, because the libraries it needed would stay in memory.
  idleMs: 0,
  limits: LIMITS,
});

/**
 * Reads a file in a thread of its own with limits on CPU time and memory: a hostile file costs no more than those, and
 * this process continues meanwhile. Never throws because of the file's content.
 */
export async function extractFile(content: Buffer, limits: Partial<TaskLimits> = {}): Promise<Extracted> {
  const kind = fileKindOf(content);
  if (kind === undefined) return { problem: 'wrong_type' };
  if (kind === 'encrypted') return { problem: 'encrypted' };
  return inThread({ kind, content }, limits);
}

const HTML = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i;

/** As `extractFile`, for a response from an address: HTML, or a file. */
export async function extractPage(content: Buffer, page: PageAbout): Promise<Extracted> {
  if (fileKindOf(content) !== undefined) return extractFile(content);
  if (!HTML.test(page.contentType)) return { problem: 'not_html' };
  return inThread({ kind: 'html', content, page }, { cpuMaxMs: PAGE_CPU_MAX_MS });
}

const inThread = (work: Work, limits: Partial<TaskLimits>): Promise<Extracted> =>
  threads.run(work, [], limits).catch((error: unknown) => {
    if (!(error instanceof TaskError)) throw error;
    return { problem: error.problem === 'failed' ? 'damaged' : 'too_complex' };
  });
