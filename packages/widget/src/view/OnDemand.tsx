import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { say } from '../strings.ts';
import { useShared } from './use-chat.ts';

/** Nothing is shown of a wait that is over before this (look). */
const SHOWN_AFTER_MS = 300;

/**
 * A part that is loaded when it is first shown; what was loaded once is there at once.
 * @param load a dynamic import, so that the part is a file of its own
 */
export const onDemand = <Props extends object>(load: () => Promise<ComponentType<Props>>) => {
  let Loaded: ComponentType<Props> | undefined;
  const fetch = async () => {
    Loaded ??= await load();
  };
  const OnDemand = (props: Props) => {
    const { places } = useShared();
    const [attempt, setAttempt] = useState(0);
    const [state, setState] = useState<'early' | 'late' | 'failed' | 'there'>(Loaded ? 'there' : 'early');
    useEffect(() => {
      if (Loaded) return;
      let isGone = false;
      const timer = setTimeout(() => setState('late'), SHOWN_AFTER_MS);
      fetch()
        .then(
          () => isGone || setState('there'),
          () => isGone || setState('failed'),
        )
        .finally(() => clearTimeout(timer));
      return () => {
        isGone = true;
        clearTimeout(timer);
      };
    }, [attempt]);
    useEffect(() => {
      if (state === 'there') places.arrive();
    }, [state]);

    if (Loaded) return <Loaded {...props} />;
    if (state !== 'failed') {
      return (
        <div class="loading" role="status">
          {state === 'late' && say('loading')}
        </div>
      );
    }
    return (
      <div class="loading" role="alert">
        <p>{say('load_failed')}</p>
        <button
          type="button"
          class="button button-plain"
          onClick={() => {
            setState('early');
            setAttempt(attempt + 1);
          }}
        >
          {say('retry')}
        </button>
      </div>
    );
  };
  /** Loads the part ahead of its use; where that fails, its use will load it. */
  const prefetch = () => void fetch().catch(() => {});
  return Object.assign(OnDemand, { prefetch });
};
