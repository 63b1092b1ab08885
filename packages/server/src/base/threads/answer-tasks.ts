import { parentPort } from 'node:worker_threads';
import { buffersOf } from './transfer.ts';

/**
 * Makes this thread answer the tasks of its pool (`thread-pool.ts`).
 * @param work if it throws, the thread ends: return problems with the input instead
 * @param transferred the bytes of an output, each in a buffer of its own, which the thread no longer needs
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
