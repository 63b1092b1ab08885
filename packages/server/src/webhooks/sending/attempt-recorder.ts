import { setTimeout as delay } from 'node:timers/promises';
import type { AttemptRecord } from './attempt-record.ts';

const BATCH = 500;
/**
 * Commits are expensive: under load, one commit records everything that ended within this time. After a pause, the
 * first is immediate.
 */
const WRITE_EVERY_MS = 20;
const RETRY_MS = 250;

interface RecorderOptions {
  write(records: readonly AttemptRecord[]): Promise<void>;
  onError(error: unknown): void;
  /** After this the lease is lost anyway and the delivery will be sent again, so its record is dropped. */
  giveUpAfterMs: number;
}

export interface AttemptRecorder {
  /** Resolves to whether it was recorded. */
  record(record: AttemptRecord): Promise<boolean>;
  /** From now on, a record that can't be written is dropped immediately. */
  close(): void;
}

interface Entry {
  record: AttemptRecord;
  deadline: number;
  failed: boolean;
  settle(written: boolean): void;
}

/** Records attempts in batches: all that ended while the previous batch was being written. */
export function createAttemptRecorder({ write, onError, giveUpAfterMs }: RecorderOptions): AttemptRecorder {
  let queue: Entry[] = [];
  let writing = false;
  let wroteAt = Number.NEGATIVE_INFINITY;
  let closed = false;

  /** A record that failed is retried alone, so that it can't fail others. */
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
