import { AsyncLocalStorage } from 'node:async_hooks';
import { createCounter } from '../counters.ts';

// How much of the event loop each entry point takes, and where it was blocked. Work is marked when it begins and when
// the database answers it: until the next mark, what runs is counted as its own.

export const ENTRIES = [
  'rest',
  'mcp',
  'desk',
  'sign_in',
  'widget',
  'socket',
  'help',
  'portal',
  'scim',
  'files',
  'mail',
  'job',
  'other',
] as const;
export type Entry = (typeof ENTRIES)[number];

/** Longer than this, others notice. */
const BLOCKED_MS = 50;
/** Between two looks, what nobody has marked counts as the last one's. */
const LOOK_MS = 100;

const busy = createCounter(
  'foyer_event_loop_busy_seconds_total',
  'Time that the event loop worked for an entry point',
  ['entry'],
);
const blocked = createCounter(
  'foyer_event_loop_blocked_total',
  `How often an entry point kept the event loop for ${BLOCKED_MS} ms or more at a time`,
  ['entry'],
);
const blockedSeconds = createCounter(
  'foyer_event_loop_blocked_seconds_total',
  'How long it did in all, while nothing else ran',
  ['entry'],
);
for (const counter of [busy, blocked, blockedSeconds]) for (const entry of ENTRIES) counter.add(0, entry);

const work = new AsyncLocalStorage<Entry>();

interface Mark {
  entry: Entry;
  atMs: number;
  /** Of the loop, so far. */
  idleMs: number;
}
const markOf = (entry: Entry): Mark => ({
  entry,
  atMs: performance.now(),
  idleMs: performance.nodeTiming.idleTime,
});
let last: Mark = markOf('other');

/** What ran since the last mark was that one's; what runs now is this one's. */
function mark(entry: Entry): void {
  const now = markOf(entry);
  const tookMs = Math.max(0, now.atMs - last.atMs - (now.idleMs - last.idleMs));
  busy.add(tookMs / 1_000, last.entry);
  if (tookMs >= BLOCKED_MS) {
    blocked.add(1, last.entry);
    blockedSeconds.add(tookMs / 1_000, last.entry);
  }
  last = now;
}

/** Runs work of an entry point, with everything that it waits for. */
export function workFor<T>(entry: Entry, run: () => T): T {
  mark(entry);
  return work.run(entry, run);
}

type Query = (...args: unknown[]) => unknown;

/** For a client's `query`: what goes on with an answer belongs to who asked. */
export const markAnswers =
  (query: Query): Query =>
  (...args) => {
    const entry = work.getStore();
    if (entry === undefined) return query(...args);
    const callback = args.at(-1);
    if (typeof callback === 'function')
      return query(...args.slice(0, -1), (...answered: unknown[]) => {
        mark(entry);
        callback(...answered);
      });
    const answer = query(...args);
    return answer instanceof Promise ? answer.finally(() => mark(entry)) : answer;
  };

/** Counts until the returned function is called. */
export function watchLoop(): () => void {
  const looks = setInterval(mark, LOOK_MS, 'other');
  looks.unref();
  return () => clearInterval(looks);
}
