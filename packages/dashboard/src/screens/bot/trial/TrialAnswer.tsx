import type { BotTrial } from '@foyer/protocol';
import { Headset } from 'lucide-react';
import { Markdown } from '../../../markdown/Markdown.tsx';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/classes.ts';
import { SourceLink, sourceKeyOf } from '../../knowledge/sources/SourceLink.tsx';
import { t } from './t.ts';
import { percentOf, reasonsOf } from './trial-words.ts';

interface TrialAnswerProps {
  trial: BotTrial;
  /** Asks about one of the choices; without it they are only shown. */
  onChoose: ((title: string) => void) | undefined;
}

/** The answer that a visitor would get, and the reasons below it. */
export function TrialAnswer({ trial, onChoose }: TrialAnswerProps) {
  return (
    <div className="space-y-2">
      {trial.text === null ? (
        <p className="text-soft">{t('silent')}</p>
      ) : (
        <div className="wrap-anywhere w-fit max-w-full rounded-xl bg-bubble px-3.5 py-2">
          <Markdown text={trial.text} />
        </div>
      )}
      {trial.kind === 'ask' ? null : <Sources trial={trial} />}
      <Choices trial={trial} onChoose={onChoose} />
      {trial.handoff === null ? null : (
        <p className="flex items-center gap-2 font-medium">
          <Headset aria-hidden className="size-4 shrink-0 text-soft" />
          {t('over')}
        </p>
      )}
      <Reasons trial={trial} />
    </div>
  );
}

const LINK = 'wrap-anywhere text-accent-text underline underline-offset-2';

function Sources({ trial: { sources } }: { trial: BotTrial }) {
  if (sources.length === 0) return null;
  return (
    <ul aria-label={t('sources')} className="flex flex-wrap gap-x-3 gap-y-1 text-sm">
      {sources.map((source) => (
        <li key={sourceKeyOf(source)}>
          <SourceLink source={source} className={LINK}>
            <bdi>{source.title}</bdi>
          </SourceLink>
        </li>
      ))}
    </ul>
  );
}

/** As in the widget, where a visitor taps what is meant, or an action. */
function Choices({ trial: { kind, sources, choices }, onChoose }: TrialAnswerProps) {
  const texts = [...(kind === 'ask' ? sources.map(({ title }) => title) : []), ...choices];
  if (texts.length === 0) return null;
  return (
    <ul aria-label={t('choices')} className="flex flex-wrap gap-2">
      {texts.map((text) => (
        <li key={text}>
          <Button small disabled={!onChoose} onClick={() => onChoose?.(text)}>
            <bdi>{text}</bdi>
          </Button>
        </li>
      ))}
    </ul>
  );
}

function Reasons({ trial }: { trial: BotTrial }) {
  const { candidates, threshold } = trial;
  return (
    <details open className="rounded-lg border bg-sunken px-3 py-2 text-sm">
      <summary className="cursor-pointer font-medium text-soft">{t('why')}</summary>
      {reasonsOf(trial).map((reason) => (
        <p key={reason} className="wrap-anywhere mt-1">
          {reason}
        </p>
      ))}
      <Quotes trial={trial} />
      {candidates.length > 0 ? (
        <>
          <p className="mt-2 font-medium text-soft text-xs">{t('candidates')}</p>
          <ul className="mt-1 space-y-1.5">
            {candidates.map((candidate) => (
              <Candidate key={`${candidate.id} ${candidate.title}`} of={candidate} threshold={threshold} />
            ))}
          </ul>
        </>
      ) : null}
    </details>
  );
}

/** The sources of the language model’s answer. */
function Quotes({ trial: { model } }: { trial: BotTrial }) {
  const quotes = model?.quotes ?? [];
  if (quotes.length === 0) return null;
  return (
    <>
      <p className="mt-2 font-medium text-soft text-xs">{t('quotes')}</p>
      <ul className="mt-1 space-y-1.5">
        {quotes.map(({ text, title, ...of }) => (
          <li key={text}>
            <q className="wrap-anywhere">
              <bdi>{text}</bdi>
            </q>{' '}
            {title === null ? (
              <span className="text-soft">{t('situation')}</span>
            ) : (
              <Origin {...of} title={title} />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

interface CandidateProps {
  of: BotTrial['candidates'][number];
  threshold: number;
}

/** The source of a text: an article, a document or a training row. */
function Origin({ id, document_id, title }: Pick<CandidateProps['of'], 'id' | 'document_id' | 'title'>) {
  const source =
    id !== null
      ? { article_id: id, title, slug: '' }
      : document_id !== null
        ? { document_id, title, url: null }
        : null;
  return source === null ? (
    <>
      <bdi>{title}</bdi> <span className="text-faint text-xs">{t('training_row')}</span>
    </>
  ) : (
    <SourceLink source={source} className={LINK}>
      <bdi>{title}</bdi>
    </SourceLink>
  );
}

/** An article with a bar, on which a line marks where answers begin. */
function Candidate({ of: { confidence, ...of }, threshold }: CandidateProps) {
  return (
    <li>
      <div className="flex items-baseline justify-between gap-3">
        <span className="min-w-0">
          <Origin {...of} />
        </span>
        <span className="tabular shrink-0 text-soft">{t('percent', { percent: percentOf(confidence) })}</span>
      </div>
      <svg aria-hidden viewBox="0 0 100 4" preserveAspectRatio="none" className="mt-0.5 h-1 w-full">
        <rect width="100" height="4" className="fill-line" />
        <rect
          width={confidence * 100}
          height="4"
          className={cx(confidence >= threshold ? 'fill-accent' : 'fill-faint')}
        />
        <rect x={threshold * 100 - 0.5} width="1" height="4" className="fill-text" />
      </svg>
    </li>
  );
}
