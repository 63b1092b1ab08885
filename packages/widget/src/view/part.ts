import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A dynamic import, so that the part is a file of its own. */
export type LoadPart<Props> = () => Promise<ComponentType<Props>>;

/** A part of the widget that is loaded when it is first drawn; what was loaded once is there at once. */
export const partOf = <Props extends object>(load: LoadPart<Props>) => {
  let part: ComponentType<Props> | undefined;
  const fetch = async () => {
    part ??= await load();
  };
  return {
    /** Loads the part ahead of its use; where that fails, its use will load it. */
    prefetch: () => void fetch().catch(() => {}),
    use() {
      const [attempt, setAttempt] = useState(0);
      /** The attempt that is over, one way or the other. */
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
