import { parentPort } from 'node:worker_threads';
import { buffersOf } from './transfer.ts';

/**
 * Makes this thread answer the tasks of its pool (`thread-pool.ts`).
 * @param work what it throws ends the thread: return what may be wrong with the input
 * @param transferred the bytes of an output, each with a buffer of its own, which the thread needs no more
 */
export function answerTasks<I, O>(
  work: (input: I) => Promise<O>,
  transferred: (output: O) => readonly Uint8Array[] = () => [],
): void {
  parentPort?.on('message', async (input: I) => {
    const output = await work(input);
    parentPort?.postMessage(output, buffersOf(transferred(output)));
  });
}
