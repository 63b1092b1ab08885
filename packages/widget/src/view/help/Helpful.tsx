import { useRef, useState } from 'preact/hooks';
import { say } from '../../strings.ts';
import { useShared } from '../conversation/use-chat.ts';
import { FormError } from '../FormError.tsx';

/** The votes given while this page is open, by article id. */
const given = new Map<number, boolean>();

/** Whether an article helped: one vote per visitor, counted with those of the help centre; the last one counts. */
export const Helpful = ({ id, slug }: { id: number; slug: string }) => {
  const { chat } = useShared();
  const [vote, setVote] = useState(given.get(id));
  const [hasFailed, setFailed] = useState(false);
  const thanks = useRef<HTMLParagraphElement>(null);
  const rate = async (helpful: boolean) => {
    setFailed(false);
    try {
      await chat.call('help.rate', { slug, helpful });
      given.set(id, helpful);
      setVote(helpful);
      requestAnimationFrame(() => thanks.current?.focus());
    } catch {
      setFailed(true);
    }
  };
  return (
    <section class="helpful" aria-labelledby="helpful">
      {vote === undefined ? (
        <>
          <p id="helpful">{say('help_rate')}</p>
          <div class="helpful-choice">
            <button type="button" class="button button-plain" onClick={() => rate(true)}>
              {say('help_yes')}
            </button>
            <button type="button" class="button button-plain" onClick={() => rate(false)}>
              {say('help_no')}
            </button>
          </div>
        </>
      ) : (
        <p id="helpful" ref={thanks} tabIndex={-1}>
          {say('survey_thanks')}
        </p>
      )}
      <FormError text={hasFailed && say('action_failed')} />
    </section>
  );
};
