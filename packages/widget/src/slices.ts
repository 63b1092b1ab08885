import type { SocketLike } from '@foyer/protocol/browser/line';

/** A turn of the page's thread: also on a phone several times slower than a desk it stays well below 50 ms. */
const SLICE_MS = 8;

/** Runs its argument soon, after what was handed in before. */
type Slices = (work: () => void) => void;

/**
 * Runs what is handed in, in its order, in slices: a chat of thousands comes in at once, and the page still answers.
 * @param soon runs its argument in a task of its own
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

/** Timers of a hidden tab wait for a second or a minute; messages to oneself do not. */
export const createTasks = (): ((run: () => void) => void) => {
  const { port1, port2 } = new MessageChannel();
  const runs: (() => void)[] = [];
  port1.onmessage = () => runs.shift()?.();
  return (run) => {
    runs.push(run);
    port2.postMessage(null);
  };
};

/** The same line, whose frames are heard in slices; its end is heard after them. */
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
