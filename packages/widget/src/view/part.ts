import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadPlaceWords } from '../strings.ts';

/** A dynamic import, so that the part becomes a separate file. */
export type LoadPart<Props> = () => Promise<ComponentType<Props>>;

/** A part of the widget that is loaded, with its words, when it is first drawn, and immediately available afterwards. */
export const partOf = <Props extends object>(load: LoadPart<Props>) => {
  let part: ComponentType<Props> | undefined;
  const fetch = async () => {
    const [loaded] = await Promise.all([load(), loadPlaceWords()]);
    part ??= loaded;
  };
  return {
    /** Loads the part ahead of its use. If that fails, its use loads it. */
    prefetch: () => void fetch().catch(() => {}),
    use() {
      const [attempt, setAttempt] = useState(0);
      /** The last finished attempt. */
      const [done, setDone] = useState(-1);
      useEffect(() => {
        if (part) return;
        let isGone = false;
        fetch()
          .catch(() => {})
          .then(() => isGone || setDone(attempt));
        return () => {
          isGone = true;
        };
      }, [attempt]);
      return { Loaded: part, hasFailed: !part && done === attempt, again: () => setAttempt(attempt + 1) };
    },
  };
};
