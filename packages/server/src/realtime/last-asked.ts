/**
 * Does work for a key, one after the other. Asked for while it is under way it is done once more behind it: what is
 * read last was read after the last asking, and no slow answer comes behind a newer one.
 * @param work hears its own errors
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
