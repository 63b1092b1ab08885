/** Waits for a time, or until it is stopped. */
export function pause(ms: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stopped.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      stopped.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    stopped.addEventListener('abort', end);
  });
}
