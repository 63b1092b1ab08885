import inspector from 'node:inspector';
import { hostname } from 'node:os';
import { Worker } from 'node:worker_threads';
import { threadFile } from '../../base/package-files.ts';

const BEAT_MS = 500;

export interface WatchdogData {
  /** How often the event loop has come round, and whether a debugger may hold it. */
  beats: Int32Array;
  limitMs: number;
  /** What every line of the log has. */
  about: Record<string, string | number>;
}

/**
 * Ends this process by SIGKILL when its event loop has been blocked for `limitMs`, so that its supervisor starts it
 * again. The log says where it was blocked. A thread watches that counts in its own time: a process that was stopped,
 * or a machine that slept, isn't mistaken for a blocked one. Does nothing while a debugger is attached.
 * @param limitMs 0 switches it off
 * @returns a function that ends the watch
 */
export function startWatchdog(limitMs: number): () => Promise<unknown> {
  if (limitMs === 0) return async () => undefined;
  const beats = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const timer = setInterval(() => {
    Atomics.add(beats, 0, 1);
    Atomics.store(beats, 1, inspector.url() === undefined ? 0 : 1);
  }, BEAT_MS);
  timer.unref();
  const workerData: WatchdogData = { beats, limitMs, about: { pid: process.pid, hostname: hostname() } };
  const thread = new Worker(threadFile('app/watchdog/watchdog-thread'), {
    workerData,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
  });
  thread.unref();
  // The process serves as well without it.
  thread.on('error', () => clearInterval(timer));
  return () => {
    clearInterval(timer);
    return thread.terminate();
  };
}
