/** So long at most it waits for a page that draws without a pause. */
const LATEST_MS = 200;

/**
 * Runs something once the page has nothing to draw, so that no frame waits for it.
 * @returns what takes it back.
 */
export function whenIdle(run: () => void): () => void {
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(run);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(run, { timeout: LATEST_MS });
  return () => cancelIdleCallback(asked);
}
