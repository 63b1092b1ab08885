import { AsyncLocalStorage } from 'node:async_hooks';
import { createCounter } from '../counters.ts';
import { countForSite } from './site-shares.ts';

// How much event loop time each entry point uses, and what blocked it. Work is marked when it begins and when the
// database answers it: everything that runs until the next mark counts as that work's.

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

/** Other work notices a longer block. */
const BLOCKED_MS = 50;
/** How often a mark is ended: until then, unmarked work counts as the last marked work's. */
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

/** The work that runs, and its site, if that is known. */
interface Work {
  readonly entry: Entry;
  readonly siteId?: number;
}
const OTHER: Work = { entry: 'other' };
const work = new AsyncLocalStorage<Work>();

interface Mark {
  work: Work;
  atMs: number;
  /** The loop's idle time so far. */
  idleMs: number;
}
const markOf = (of: Work): Mark => ({
  work: of,
  atMs: performance.now(),
  idleMs: performance.nodeTiming.idleTime,
});
let last: Mark = markOf(OTHER);

/** Counts the time since the last mark for the work that it marked, and begins with the next. */
function mark(next: Work): void {
  const now = markOf(next);
  const { entry, siteId } = last.work;
  const tookMs = Math.max(0, now.atMs - last.atMs - (now.idleMs - last.idleMs));
  busy.add(tookMs / 1_000, entry);
  if (siteId !== undefined) countForSite(siteId, tookMs);
  if (tookMs >= BLOCKED_MS) {
    blocked.add(1, entry);
    blockedSeconds.add(tookMs / 1_000, entry);
  }
  last = now;
}

/** Runs work of an entry point, with everything that it waits for. */
export function workFor<T>(entry: Entry, run: () => T): T {
  return within({ entry }, run);
}

/** The same, once the site is known. */
export function workForSite<T>(siteId: number, run: () => T): T {
  return within({ ...(work.getStore() ?? OTHER), siteId }, run);
}

function within<T>(next: Work, run: () => T): T {
  mark(next);
  return work.run(next, run);
}

/** What continues with an answer counts as the caller's. */
export function markAnswer<T>(answer: Promise<T>): Promise<T> {
  const asking = work.getStore();
  return asking === undefined ? answer : answer.finally(() => mark(asking));
}

type Query = (...args: unknown[]) => unknown;

/** Wraps a client's `query`: what continues with an answer counts as the caller's. */
export const markAnswers =
  (query: Query): Query =>
  (...args) => {
    const asking = work.getStore();
    if (asking === undefined) return query(...args);
    const callback = args.at(-1);
    if (typeof callback === 'function')
      return query(...args.slice(0, -1), (...answered: unknown[]) => {
        mark(asking);
        callback(...answered);
      });
    const answer = query(...args);
    return answer instanceof Promise ? markAnswer(answer) : answer;
  };

/** Counts until the returned function is called. */
export function watchLoop(): () => void {
  const looks = setInterval(mark, LOOK_MS, OTHER);
  looks.unref();
  return () => clearInterval(looks);
}
