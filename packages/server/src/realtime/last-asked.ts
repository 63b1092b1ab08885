/**
 * Runs work for a key, one call at a time. A request during a run causes one more run afterwards, so the last run
 * always starts after the last request, and no slow result overwrites a newer one.
 * @param work handles its own errors
 */
export function lastAsked<K>(work: (key: K) => Promise<void>): (key: K) => void {
  const again = new Map<K, boolean>();
  const run = async (key: K): Promise<void> => {
    try {
      do {
        again.set(key, false);
        await work(key);
      } while (again.get(key));
    } finally {
      again.delete(key);
    }
  };
  return (key) => {
    if (again.has(key)) again.set(key, true);
    else void run(key);
  };
}
