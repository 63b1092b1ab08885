import type { VisitorSession } from '@foyer/protocol';
import { useState } from 'preact/hooks';
import { say } from '../strings.ts';
import { adopt } from '../style/adopt.ts';
import style from '../style/survey.css?inline';
import { Icon } from './Icons.tsx';
import { useShared } from './use-chat.ts';

adopt(style);

const RATINGS = [1, 2, 3, 4, 5] as const;
const COMMENT_MAX = 2000;

/** How it was, 1 to 5, with a word or two if the visitor likes. */
export const Survey = ({ session }: { session: VisitorSession }) => {
  const { chat } = useShared();
  const [rating, setRating] = useState(0);
  const [comment, setComment] = useState('');
  const [state, setState] = useState<'asking' | 'sending' | 'failed'>('asking');

  if (session.rating !== null) {
    return (
      <section class="survey survey-done" role="status">
        <Stars rating={session.rating} />
        <p>{say('survey_thanks')}</p>
      </section>
    );
  }
  const submit = (event: Event) => {
    event.preventDefault();
    setState('sending');
    chat.rate(session.session_id, rating, comment.trim()).catch(() => setState('failed'));
  };
  return (
    <form class="survey" onSubmit={submit}>
      <fieldset>
        <legend>{say('survey_title')}</legend>
        <div class="stars">
          {RATINGS.map((value) => (
            <label key={value} class={value <= rating ? 'star star-on' : 'star'}>
              <input
                type="radio"
                name="rating"
                class="unseen"
                checked={value === rating}
                onChange={() => setRating(value)}
                aria-label={say('survey_scale', { rating: value, word: say(`survey_${value}`) })}
              />
              <Icon name="star" size={30} />
            </label>
          ))}
        </div>
        <p class="star-word" aria-hidden="true">
          {rating === 1 || rating === 2 || rating === 3 || rating === 4 || rating === 5
            ? say(`survey_${rating}`)
            : '\u00a0'}
        </p>
      </fieldset>
      {rating > 0 && (
        <>
          <textarea
            class="field"
            rows={2}
            maxLength={COMMENT_MAX}
            dir="auto"
            aria-label={say('survey_comment')}
            placeholder={say('survey_comment')}
            value={comment}
            onInput={(event) => setComment(event.currentTarget.value)}
          />
          <button type="submit" class="button" disabled={state === 'sending'}>
            {say('survey_send')}
          </button>
        </>
      )}
      {state === 'failed' && (
        <p class="form-error" role="alert">
          {say('action_failed')}
        </p>
      )}
    </form>
  );
};

const Stars = ({ rating }: { rating: number }) => (
  <span class="stars stars-given" role="img" aria-label={say('survey_given', { rating })}>
    {RATINGS.map((value) => (
      <span key={value} class={value <= rating ? 'star star-on' : 'star'}>
        <Icon name="star" size={22} />
      </span>
    ))}
  </span>
);
