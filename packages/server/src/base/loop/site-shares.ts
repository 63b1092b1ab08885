/** A share covers the previous window and the current one so far. */
const WINDOW_MS = 10_000;

interface Window {
  fromMs: number;
  readonly busyMs: Map<number, number>;
}
const windowFrom = (fromMs: number): Window => ({ fromMs, busyMs: new Map() });

let before = windowFrom(performance.now());
let current = before;

function turnTo(nowMs: number): void {
  if (nowMs - current.fromMs < WINDOW_MS) return;
  before = nowMs - current.fromMs < 2 * WINDOW_MS ? current : windowFrom(nowMs - WINDOW_MS);
  current = windowFrom(nowMs);
}

/** Adds event loop time to a site. */
export function countForSite(siteId: number, tookMs: number): void {
  turnTo(performance.now());
  current.busyMs.set(siteId, (current.busyMs.get(siteId) ?? 0) + tookMs);
}

/** The share of this process's event loop that a site has used in the last 10 to 20 seconds: 0 to 1. */
export function shareOfSite(siteId: number): number {
  const nowMs = performance.now();
  turnTo(nowMs);
  const windows = before === current ? [current] : [before, current];
  const busyMs = windows.reduce((sum, { busyMs }) => sum + (busyMs.get(siteId) ?? 0), 0);
  return busyMs / Math.max(WINDOW_MS, nowMs - before.fromMs);
}
