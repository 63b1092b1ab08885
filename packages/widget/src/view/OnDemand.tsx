import { useEffect, useState } from 'preact/hooks';
import { say } from '../strings.ts';
import { useShared } from './conversation/use-chat.ts';
import { type LoadPart, partOf } from './part.ts';

/** Waiting is only shown after this time. */
const SHOWN_AFTER_MS = 300;

/** A part that is loaded when it is first shown, with a notice while waiting. */
export const onDemand = <Props extends object>(load: LoadPart<Props>) => {
  const part = partOf(load);
  const OnDemand = (props: Props) => {
    const { places } = useShared();
    const { Loaded, hasFailed, again } = part.use();
    const [isLate, setLate] = useState(false);
    useEffect(() => {
      const timer = setTimeout(() => setLate(true), SHOWN_AFTER_MS);
      return () => clearTimeout(timer);
    }, []);
    useEffect(() => {
      // A visitor who has moved on to something else keeps their focus there.
      if (Loaded && document.activeElement?.matches('body,[data-focus]')) places.arrive();
    }, [Loaded]);

    if (Loaded) return <Loaded {...props} />;
    if (!hasFailed) {
      return (
        <div class="loading" role="status">
          {isLate && say('loading')}
        </div>
      );
    }
    return (
      <div class="loading" role="alert">
        <p>{say('load_failed')}</p>
        <button type="button" class="button button-plain" onClick={again}>
          {say('retry')}
        </button>
      </div>
    );
  };
  return Object.assign(OnDemand, { prefetch: part.prefetch });
};
