/** Waits at most this long for a page that renders continuously. */
const LATEST_MS = 200;

/**
 * Runs something once the page has nothing to render, so that no frame waits for it.
 * @returns a function that cancels it
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
