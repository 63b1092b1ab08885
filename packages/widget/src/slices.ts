import type { SocketLike } from '@foyer/protocol/browser/line';

/** Time per task: well below 50 ms even on a phone several times slower than a desktop. */
const SLICE_MS = 8;

/** Runs its argument soon, after everything passed before. */
type Slices = (work: () => void) => void;

/**
 * Runs the given work in order, in slices: a chat of thousands of messages arrives at once, and the page still
 * responds.
 * @param soon runs its argument in a separate task
 */
export const createSlices = (
  soon: (run: () => void) => void,
  now: () => number = () => performance.now(),
): Slices => {
  const waiting: (() => void)[] = [];
  let isRunning = false;
  const run = () => {
    const until = now() + SLICE_MS;
    let next = 0;
    try {
      while (next < waiting.length && (next === 0 || now() < until)) waiting[next++]?.();
    } finally {
      waiting.splice(0, next);
      isRunning = waiting.length > 0;
      if (isRunning) soon(run);
    }
  };
  return (work) => {
    waiting.push(work);
    if (isRunning) return;
    isRunning = true;
    soon(run);
  };
};

/** Timers in a hidden tab are delayed by up to a minute; messages to oneself aren't. */
export const createTasks = (): ((run: () => void) => void) => {
  const { port1, port2 } = new MessageChannel();
  const runs: (() => void)[] = [];
  port1.onmessage = () => runs.shift()?.();
  return (run) => {
    runs.push(run);
    port2.postMessage(null);
  };
};

/** The same connection, whose frames are handled in slices, and its end after them. */
export const sliced = (line: WebSocket | SocketLike, inSlices: Slices): SocketLike => {
  const like: SocketLike = {
    send: (text) => line.send(text),
    close: () => line.close(),
    onopen: null,
    onmessage: null,
    onclose: null,
  };
  line.onopen = () => inSlices(() => like.onopen?.());
  line.onmessage = (event: { data: unknown }) => inSlices(() => like.onmessage?.(event));
  line.onclose = (event: { code: number }) => inSlices(() => like.onclose?.(event));
  return like;
};
