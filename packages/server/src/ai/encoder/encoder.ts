import { createSemaphore } from '../../base/semaphore.ts';
import { createThreadPool, type TaskLimits } from '../../base/threads/thread-pool.ts';
import type { EmbeddingModel } from '../embedding-model.ts';
import type { EncoderPackage } from './encoder-package.ts';

/** The input of the thread. */
export interface EncoderTask {
  readonly folder: string;
  readonly text: string;
}

/** A text takes up to a third of a second, the first one also the loading of the weights. */
const LIMITS: TaskLimits = { timeMaxMs: 30_000, cpuMaxMs: 15_000, memoryMaxMib: 256 };
/** Without questions for so long, the weights leave the memory. */
const IDLE_MS = 10 * 60_000;
/** About two seconds of work. */
const BATCH = 8;

/**
 * A sentence encoder in a thread of its own, which is started by the first text: no provider, no network. Fails only if
 * its files can't be read.
 */
export function createEncoder(
  { folder, name }: EncoderPackage,
  limits: Partial<TaskLimits> = {},
): EmbeddingModel {
  const thread = createThreadPool<EncoderTask, Float32Array>({
    program: 'ai/encoder/encoder-thread',
    threadsMax: 1,
    idleMs: IDLE_MS,
    limits: { ...LIMITS, ...limits },
  });
  // Texts wait in line for the thread. One batch at a time joins that line, with one text: a question, which is alone,
  // doesn't wait behind the passages of all sites.
  const batches = createSemaphore(1);

  async function encode(texts: readonly string[], maxMs: number): Promise<Float32Array[]> {
    const end = performance.now() + maxMs;
    const vectors: Float32Array[] = [];
    for (const text of texts)
      vectors.push(await within(() => thread.run({ folder, text }), end - performance.now()));
    return vectors;
  }
  return {
    name,
    language: 'en',
    isLocal: true,
    batch: BATCH,
    embed: (texts, maxMs) =>
      texts.length > 1 ? batches.run(() => encode(texts, maxMs)) : encode(texts, maxMs),
  };
}

/** @throws if it takes longer; work that has begun goes on, and its result is dropped. */
async function within<T>(work: () => Promise<T>, ms: number): Promise<T> {
  const slow = new Error('the encoder is too slow');
  if (ms <= 0) throw slow;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(slow), ms);
  try {
    return await Promise.race([work(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
