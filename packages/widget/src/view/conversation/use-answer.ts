import { useEffect, useState } from 'preact/hooks';

/** Answers that are kept, so that who comes back finds what was there. */
const KEPT_MAX = 40;

interface Answer<T> {
  data: T | undefined;
  failed: boolean;
  retry: () => void;
}

/**
 * What the server says to a question; asked again when the key changes.
 * @param kept of one kind of question, by key
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
