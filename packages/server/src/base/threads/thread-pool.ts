import { Worker } from 'node:worker_threads';
import { threadFile } from '../package-files.ts';
import { createSemaphore } from '../semaphore.ts';
import { buffersOf } from './transfer.ts';

/** What one task may use of its thread. */
export interface TaskLimits {
  /** Elapsed time, however busy the machine is. */
  timeMaxMs: number;
  cpuMaxMs: number;
  /** The thread's heap and its buffers, which the heap's own limit doesn't count, together. */
  memoryMaxMib: number;
}

/**
 * Why a task has no result: it exceeded a limit, it took too long (perhaps only because the machine is busy), or it
 * failed.
 */
export type TaskProblem = 'too_costly' | 'too_slow' | 'failed';

/** A task without a result. Its thread has ended. */
export class TaskError extends Error {
  readonly problem: TaskProblem;

  constructor(problem: TaskProblem, cause?: unknown) {
    super(`a worker thread's task is without result: ${problem}`, { cause });
    this.problem = problem;
  }
}

interface PoolOptions {
  /** The program of the pool's threads, from `threadFile`. It calls `answerTasks`. */
  program: string;
  /** Further tasks wait in order. */
  threadsMax: number;
  /** How long a thread waits for another task before it ends; 0: each task has a thread of its own. */
  idleMs: number;
  limits: TaskLimits;
}

/** Worker threads that start when they are needed, and do one task at a time within its limits. */
export interface ThreadPool<I, O> {
  /**
   * @param transferred bytes of the input, each in a buffer of its own, which the caller can no longer use
   * @throws TaskError
   */
  run(input: I, transferred?: readonly Uint8Array[], limits?: Partial<TaskLimits>): Promise<O>;
}

const LOOK_EVERY_MS = 100;
const HEAP = { maxYoungGenerationSizeMb: 64, stackSizeMb: 4 } as const;

/** Hostile content costs no more than the limits of its task, and this process continues meanwhile. */
export function createThreadPool<I, O>(options: PoolOptions): ThreadPool<I, O> {
  const { program, threadsMax, idleMs } = options;
  const atOnce = createSemaphore(threadsMax);
  /** The most recently used thread is last, so that threads that are no longer needed time out. */
  const idle: Thread<I, O>[] = [];

  function park(thread: Thread<I, O>): void {
    idle.push(thread);
    thread.endAfter(idleMs, () => idle.splice(idle.indexOf(thread), 1));
  }
  return {
    run: (input, transferred = [], own = {}) =>
      atOnce.run(async () => {
        const limits = { ...options.limits, ...own };
        const thread = idle.pop() ?? new Thread<I, O>(program, limits.memoryMaxMib);
        const output = await thread.run(input, transferred, limits);
        if (idleMs > 0) park(thread);
        else thread.end();
        return output;
      }),
  };
}

class Thread<I, O> {
  readonly #worker: Worker;
  #task: PromiseWithResolvers<O> | undefined;
  #ending: NodeJS.Timeout | undefined;
  #onEnd: (() => void) | undefined;

  constructor(program: string, memoryMaxMib: number) {
    this.#worker = new Worker(threadFile(program), {
      resourceLimits: { ...HEAP, maxOldGenerationSizeMb: memoryMaxMib },
      // Libraries warn about content on the console, which is the server's log.
      stdout: true,
      stderr: true,
      env: {},
    });
    this.#worker.on('message', (output: O) => this.#task?.resolve(output));
    this.#worker.on('error', (error: Error & { code?: string }) =>
      this.#fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too_costly' : 'failed', error),
    );
    this.#worker.on('exit', () => this.#fail('failed'));
  }

  async run(input: I, transferred: readonly Uint8Array[], limits: TaskLimits): Promise<O> {
    clearTimeout(this.#ending);
    this.#onEnd = undefined;
    this.#task = Promise.withResolvers<O>();
    const late = setTimeout(() => this.#fail('too_slow'), limits.timeMaxMs);
    const look = this.#watch(limits);
    try {
      this.#worker.ref();
      this.#worker.postMessage(input, buffersOf(transferred));
      return await this.#task.promise;
    } catch (error) {
      this.end();
      throw error;
    } finally {
      this.#task = undefined;
      clearTimeout(late);
      clearInterval(look);
      this.#worker.unref();
    }
  }

  /** Ends it unless it gets another task before that. */
  endAfter(ms: number, onEnd: () => void): void {
    this.#onEnd = onEnd;
    this.#ending = setTimeout(() => this.end(), ms).unref();
  }

  end(): void {
    clearTimeout(this.#ending);
    this.#onEnd?.();
    this.#onEnd = undefined;
    void this.#worker.terminate();
  }

  #fail(problem: TaskProblem, cause?: unknown): void {
    if (this.#task) this.#task.reject(new TaskError(problem, cause));
    else this.end();
  }

  /** Counts only the CPU time of this task: the thread has had others. */
  #watch({ cpuMaxMs, memoryMaxMib }: TaskLimits): NodeJS.Timeout {
    let before: number | undefined;
    const task = this.#task;
    return setInterval(async () => {
      const { memoryMib, cpuMs } = await this.#use();
      before ??= cpuMs - LOOK_EVERY_MS;
      const isOver = memoryMib > memoryMaxMib || cpuMs - before > cpuMaxMs;
      if (isOver && task === this.#task) this.#fail('too_costly');
    }, LOOK_EVERY_MS);
  }

  /** The CPU time that the thread has used so far; nothing once it has ended. */
  #use(): Promise<{ memoryMib: number; cpuMs: number }> {
    return Promise.all([this.#worker.getHeapStatistics(), this.#worker.cpuUsage()]).then(
      ([{ used_heap_size, external_memory }, { user, system }]) => ({
        memoryMib: (used_heap_size + external_memory) / 1024 ** 2,
        cpuMs: (user + system) / 1_000,
      }),
      () => ({ memoryMib: 0, cpuMs: 0 }),
    );
  }
}
