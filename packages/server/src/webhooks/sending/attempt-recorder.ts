import { setTimeout as delay } from 'node:timers/promises';
import type { AttemptRecord } from './attempt-record.ts';

const BATCH = 500;
/** Commits are dear: under load one writes what ended in this time. The first after a pause goes at once. */
const WRITE_EVERY_MS = 20;
const RETRY_MS = 250;

interface RecorderOptions {
  write(records: readonly AttemptRecord[]): Promise<void>;
  onError(error: unknown): void;
  /** After it the lease is lost anyway: the delivery will be sent again, so its record is let go. */
  giveUpAfterMs: number;
}

export interface AttemptRecorder {
  /** Resolves to whether it was written. */
  record(record: AttemptRecord): Promise<boolean>;
  /** From now on a record that can't be written is let go at once. */
  close(): void;
}

interface Entry {
  record: AttemptRecord;
  deadline: number;
  failed: boolean;
  settle(written: boolean): void;
}

/** Writes attempts in batches: all that ended while the batch before was being written. */
export function createAttemptRecorder({ write, onError, giveUpAfterMs }: RecorderOptions): AttemptRecorder {
  let queue: Entry[] = [];
  let writing = false;
  let wroteAt = Number.NEGATIVE_INFINITY;
  let closed = false;

  /** One that failed goes alone, so that it can't fail others with it. */
  function takeBatch(): Entry[] {
    const firstFailed = queue.findIndex((entry) => entry.failed);
    return queue.splice(0, Math.min(BATCH, firstFailed === -1 ? queue.length : Math.max(1, firstFailed)));
  }

  async function writeBatch(): Promise<void> {
    const pauseMs = wroteAt + WRITE_EVERY_MS - performance.now();
    if (pauseMs > 0 && !closed) await delay(pauseMs);
    wroteAt = performance.now();
    const batch = takeBatch();
    try {
      await write(batch.map(({ record }) => record));
      for (const entry of batch) entry.settle(true);
    } catch (error) {
      onError(error);
      for (const entry of batch) entry.failed = true;
      queue.push(...batch);
      if (!closed) await delay(RETRY_MS);
    }
  }

  function letGo(): void {
    const isOver = (entry: Entry) => entry.failed && (closed || performance.now() > entry.deadline);
    for (const entry of queue.filter(isOver)) entry.settle(false);
    queue = queue.filter((entry) => !isOver(entry));
  }

  async function drain(): Promise<void> {
    if (writing) return;
    writing = true;
    for (letGo(); queue.length > 0; letGo()) await writeBatch();
    writing = false;
  }

  return {
    record: (record) =>
      new Promise((settle) => {
        queue.push({ record, deadline: performance.now() + giveUpAfterMs, failed: false, settle });
        void drain();
      }),
    close() {
      closed = true;
    },
  };
}
