import { MESSAGE_MAX } from '@foyer/protocol/values/bounds';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCcw, TriangleAlert } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { TextField } from '../../../ui/forms/Field.tsx';
import { Callout } from '../../../ui/States.tsx';
import { knowsAnythingQuery } from '../bot-queries.ts';
import { TrialAnswer } from './TrialAnswer.tsx';
import { t } from './t.ts';
import type { Trial } from './use-trial.ts';

interface TryBotProps {
  trial: Trial;
  /** The settings beside it were changed and not saved. */
  unsaved: boolean;
}

/** A conversation with the bot as a visitor would have it, with the reasons for each answer. */
export function TryBot({ trial, unsaved }: TryBotProps) {
  const { data: knows = true } = useQuery(knowsAnythingQuery);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-start justify-between gap-3 px-4 pt-3 pb-2">
        <p className="text-soft">{t('intro')}</p>
        {trial.tried.length > 0 ? (
          <Button
            small
            look="quiet"
            icon={<RotateCcw aria-hidden className="size-4" />}
            onClick={trial.startOver}
          >
            {t('start_over')}
          </Button>
        ) : null}
      </div>
      <div className="space-y-2 px-4 pb-2 empty:hidden">
        {unsaved ? <p className="text-warn-text">{t('unsaved')}</p> : null}
        {knows ? null : (
          <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
            <p>{t('nothing_known')}</p>
            <Link to="/knowledge" className="font-medium text-accent-text underline">
              {t('nothing_known_action')}
            </Link>
          </Callout>
        )}
      </div>
      <Log trial={trial} />
      <Question trial={trial} />
    </div>
  );
}

function Log({ trial: { tried, asking, error, isOver, ask } }: { trial: Trial }) {
  const end = useRef<HTMLDivElement>(null);
  const count = tried.length;
  useEffect(() => {
    if (count > 0 || asking !== undefined) end.current?.scrollIntoView({ block: 'nearest' });
  }, [count, asking]);
  const choose = (title: string): void => void ask(title).catch(() => undefined);
  return (
    <div role="log" aria-label={t('log')} className="scroll-y min-h-0 flex-1 space-y-4 px-4 py-2">
      {tried.map(({ question, trial }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: nothing is ever taken out of the middle
        <div key={at} className="space-y-2">
          <Asked question={question} />
          <TrialAnswer
            trial={trial}
            onChoose={at === tried.length - 1 && !isOver && asking === undefined ? choose : undefined}
          />
        </div>
      ))}
      {asking === undefined ? null : (
        <div className="space-y-2">
          <Asked question={asking} />
          <p aria-hidden className="late pulse-soft h-9 w-20 rounded-xl bg-bubble" />
        </div>
      )}
      {error ? <ErrorNote error={error} title={t('failed')} /> : null}
      <div ref={end} />
    </div>
  );
}

const Asked = ({ question }: { question: string }) => (
  <p
    dir="auto"
    className="wrap-anywhere ms-auto w-fit max-w-[90%] whitespace-pre-wrap rounded-xl bg-accent px-3.5 py-2 text-on-accent"
  >
    {question}
  </p>
);

function Question({ trial: { asking, isOver, ask } }: { trial: Trial }) {
  const [text, setText] = useState('');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const question = text.trim();
    if (question === '' || asking !== undefined) return;
    setText('');
    // An unanswered question returns to its field, unless something else is there by now.
    await ask(question).catch(() => setText((now) => (now === '' ? question : now)));
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="flex items-end gap-2 border-t p-3">
      <TextField
        bare
        label={t('question')}
        placeholder={t('question_example')}
        maxLength={MESSAGE_MAX}
        disabled={isOver}
        frame="flex-1"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button
        type="submit"
        look="primary"
        busy={asking !== undefined}
        disabled={isOver || text.trim() === ''}
      >
        {t('ask')}
      </Button>
    </form>
  );
}
