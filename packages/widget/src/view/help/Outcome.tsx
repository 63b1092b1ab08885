import { useEffect, useState } from 'preact/hooks';
import { say } from '../../strings.ts';
import { adopt } from '../../style/adopt.ts';
import style from '../../style/help.css?inline';

adopt(style);

/** No skeleton appears before this. */
const SHOWN_AFTER_MS = 300;

/** A skeleton of the content. */
export const Waiting = () => {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-busy="true">
      {isLate && (
        <>
          <span class="unseen">{say('loading')}</span>
          <div class="bone-line" />
          <div class="bone-line bone-short" />
          <div class="bone-line" />
        </>
      )}
    </div>
  );
};

export const Failed = ({ retry }: { retry: () => void }) => (
  <div class="loading" role="alert">
    <p>{say('load_failed')}</p>
    <button type="button" class="button button-plain" onClick={retry}>
      {say('retry')}
    </button>
  </div>
);
