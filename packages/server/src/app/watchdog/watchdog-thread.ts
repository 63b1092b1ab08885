import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { WatchdogData } from './watchdog.ts';

const LOOK_MS = 1_000;
/** Code outside JavaScript can't be interrupted, so it has no stack to show. */
const STACK_WAIT_MS = 2_000;
const FRAMES_MAX = 20;

const { beats, limitMs, about }: WatchdogData = workerData;
let last = 0;
let silentMs = 0;

const looks = setInterval(() => {
  const now = Atomics.load(beats, 0);
  const isHeldByDebugger = Atomics.load(beats, 1) === 1;
  // Counts looks, not time: while the machine sleeps there are none.
  silentMs = now === last && !isHeldByDebugger ? silentMs + LOOK_MS : 0;
  last = now;
  if (silentMs < limitMs) return;
  clearInterval(looks);
  void end();
}, LOOK_MS);

/** A line in pino's format, written here because nothing else in this process still runs. */
async function end(): Promise<void> {
  const line = {
    level: 60,
    time: Date.now(),
    ...about,
    blocked_s: silentMs / 1_000,
    stack: await stackOfMainThread(),
    msg: 'the event loop is blocked: ending this process',
  };
  try {
    writeSync(1, `${JSON.stringify(line)}\n`);
  } catch {
    // Nobody reads the log.
  }
  process.kill(process.pid, 'SIGKILL');
}

/** Where the main thread is; undefined if it can't be interrupted there. */
async function stackOfMainThread(): Promise<string | undefined> {
  const { Session } = await import('node:inspector');
  const session = new Session();
  const urls = new Map<string, string>();
  return new Promise((resolve) => {
    setTimeout(resolve, STACK_WAIT_MS, undefined);
    session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url));
    session.on('Debugger.paused', ({ params }) =>
      resolve(
        params.callFrames
          .slice(0, FRAMES_MAX)
          .map(
            ({ functionName, location }) =>
              `at ${functionName || '<anonymous>'} (${urls.get(location.scriptId)}:${location.lineNumber + 1})`,
          )
          .join('\n'),
      ),
    );
    session.connectToMainThread();
    session.post('Debugger.enable');
    session.post('Debugger.pause');
  });
}
