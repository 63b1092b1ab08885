import type { SurveyScale, VisitorSession } from '@foyer/protocol';
import { FEEDBACK_COMMENT_MAX } from '@foyer/protocol/values/bounds';
import { useEffect, useRef, useState } from 'preact/hooks';
import { say } from '../../strings.ts';
import { adopt } from '../../style/adopt.ts';
import style from '../../style/survey.css?inline';
import { useShared } from '../conversation/use-chat.ts';
import { FormError } from '../FormError.tsx';
import { Icon, STAR } from '../Icons.tsx';

adopt(style);

const RATINGS = [1, 2, 3, 4, 5] as const;
type Rating = (typeof RATINGS)[number];
/** For ratings 1 to 5. Drawn, because a system's emoji may lack colour or be missing. */
const MOUTHS = [
  'M8 17c1-2.6 7-2.6 8 0',
  'M8.5 16.4c1-1.3 6-1.3 7 0',
  'M8.5 15.6h7',
  'M8.5 14.8c1 1.4 6 1.4 7 0',
  'M8 14.2c1 3.4 7 3.4 8 0',
] as const;

/** A rating from 1 to 5, with an optional comment. */
export const Survey = ({ session }: { session: VisitorSession }) => {
  const { chat, state: shared } = useShared();
  const { scale, thanks } = shared.site?.survey ?? {};
  const [rating, setRating] = useState<Rating | 0>(0);
  const [comment, setComment] = useState('');
  const [state, setState] = useState<'asking' | 'sending' | 'failed'>('asking');

  const ending = useRef<HTMLParagraphElement>(null);
  // The focused element disappeared with the form.
  useEffect(() => {
    if (state === 'sending') ending.current?.focus();
  }, [session.rating]);

  if (session.rating !== null) {
    return (
      <section class="survey survey-done" role="status">
        <Given rating={session.rating} scale={scale} />
        <p ref={ending} tabIndex={-1} dir="auto">
          {thanks || say('survey_thanks')}
        </p>
      </section>
    );
  }
  const submit = (event: Event) => {
    event.preventDefault();
    setState('sending');
    const { session_id } = session;
    const given = comment.trim();
    chat
      .callSession('chat.rate', { session_id, rating, ...(given && { comment: given }) })
      .catch(() => setState('failed'));
  };
  return (
    <form class="survey" onSubmit={submit}>
      <Scale rating={rating} choose={setRating} />
      {rating > 0 && (
        <>
          <textarea
            class="field"
            rows={2}
            maxLength={FEEDBACK_COMMENT_MAX}
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
      <FormError text={state === 'failed' && say('action_failed')} />
    </form>
  );
};

const Scale = ({ rating, choose }: { rating: Rating | 0; choose: (rating: Rating) => void }) => {
  const { scale, question } = useShared().state.site?.survey ?? {};
  return (
    <fieldset>
      <legend dir="auto">{question || say('survey_title')}</legend>
      <div class="stars">
        {RATINGS.map((value) => (
          <label key={value} class={markClass(value, rating, scale)}>
            <input
              type="radio"
              name="rating"
              class="unseen"
              checked={value === rating}
              onChange={() => choose(value)}
              aria-label={say('survey_scale', { rating: value, word: say(`survey_${value}`) })}
            />
            <Mark value={value} size={30} scale={scale} />
          </label>
        ))}
      </div>
      <p class="star-word" aria-hidden="true">
        {rating ? say(`survey_${rating}`) : '\u00a0'}
      </p>
    </fieldset>
  );
};

/** Stars are filled up to the rating; of the faces only one is selected. */
const markClass = (value: number, rating: number, scale: SurveyScale | undefined): string => {
  if (scale === 'faces') return value === rating ? 'star face-on' : 'star';
  return value <= rating ? 'star star-on' : 'star';
};

const Mark = ({ value, size, scale }: { value: number; size: number; scale: SurveyScale | undefined }) =>
  scale === 'faces' ? (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      aria-hidden="true"
    >
      <path
        d={`M12 2.5a9.5 9.5 0 1 0 0 19 9.5 9.5 0 1 0 0-19M9 9.5h.01M15 9.5h.01${MOUTHS[value - 1] ?? ''}`}
      />
    </svg>
  ) : (
    <Icon path={STAR} size={size} />
  );

const Given = ({ rating, scale }: { rating: number; scale: SurveyScale | undefined }) => (
  <span class="stars stars-given" role="img" aria-label={say('survey_given', { rating })}>
    {RATINGS.map((value) => (
      <span key={value} class={markClass(value, rating, scale)}>
        <Mark value={value} size={22} scale={scale} />
      </span>
    ))}
  </span>
);
