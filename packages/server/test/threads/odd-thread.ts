/** The worker thread of `src/base/threads/thread-pool.test.ts`. */
import { threadId } from 'node:worker_threads';
import { answerTasks } from '../../src/base/threads/answer-tasks.ts';

export type OddTask = 'id' | 'throw' | 'exit' | 'spin' | 'hoard' | 'wait' | Buffer;

answerTasks(
  async (task: OddTask): Promise<number | Uint8Array> => {
    if (task === 'throw') throw new Error('thrown in the thread');
    if (task === 'exit') process.exit(1);
    if (task === 'wait') await new Promise(() => undefined);
    const hoard: number[][] = [];
    while (task === 'spin' || task === 'hoard')
      if (task === 'hoard') hoard.push(new Array(100_000).fill(1.5));
    return task === 'id' ? threadId : (task as Uint8Array);
  },
  (answer) => (typeof answer === 'number' ? [] : [answer]),
);
