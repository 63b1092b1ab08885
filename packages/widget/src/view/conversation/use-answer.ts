import { useEffect, useState } from 'preact/hooks';

/** Cached responses, so that a returning visitor finds what was there. */
const KEPT_MAX = 40;

interface Answer<T> {
  data: T | undefined;
  failed: boolean;
  retry: () => void;
}

/**
 * The server's response, requested again when the key changes.
 * @param kept the cache for one kind of request, by key
 */
export const useAnswer = <T>(kept: Map<string, T>, key: string, ask: () => Promise<T>): Answer<T> => {
  const [attempt, setAttempt] = useState(0);
  const [failedKey, setFailedKey] = useState<string | null>(null);
  const [, redraw] = useState({});
  useEffect(() => {
    if (kept.has(key)) return;
    let isGone = false;
    setFailedKey(null);
    ask().then(
      (data) => {
        kept.set(key, data);
        const [oldest] = kept.keys();
        if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
        if (!isGone) redraw({});
      },
      () => isGone || setFailedKey(key),
    );
    return () => {
      isGone = true;
    };
  }, [key, attempt]);
  return { data: kept.get(key), failed: failedKey === key, retry: () => setAttempt(attempt + 1) };
};
