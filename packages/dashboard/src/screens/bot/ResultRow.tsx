import type { EvaluationResult } from '@foyer/protocol';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../ui/States.tsx';
import { plainText } from '../../words.ts';
import { deedWords, OUTCOME_TONES } from './evaluation-words.ts';
import { t } from './t.ts';

type Verdict = NonNullable<EvaluationResult['before']>;

/** A question, what was expected, what the bot did, and what it had done before. */
export function ResultRow({ result }: { result: EvaluationResult }) {
  const { before } = result;
  const changed =
    before &&
    (before.outcome !== result.outcome ||
      before.article?.id !== result.article?.id ||
      before.answer !== result.answer);
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-3 [contain-intrinsic-size:auto_96px] [content-visibility:auto] md:grid-cols-[9rem_1fr]">
      <div>
        <Outcome of={result} />
      </div>
      <div className="min-w-0 space-y-1">
        <p className="wrap-anywhere font-medium" dir="auto">
          {result.question}
        </p>
        {result.outcome === 'right' ? null : (
          <p className="wrap-anywhere text-soft">
            {t.rich('expected', {
              answer: <bdi>{result.expected_title ?? t(`expects_${result.expects}`)}</bdi>,
            })}
          </p>
        )}
        <Deed verdict={result} />
        {changed ? (
          <div className="mt-2 border-s-2 ps-3">
            <p className="flex items-center gap-2 text-faint text-xs">
              {t.rich('before', { outcome: <Outcome of={before} /> })}
            </p>
            <Deed verdict={before} />
          </div>
        ) : null}
      </div>
    </li>
  );
}

const Outcome = ({ of: { outcome } }: { of: Pick<Verdict, 'outcome'> }) => (
  <Badge tone={OUTCOME_TONES[outcome]}>{t(`outcome_${outcome}`)}</Badge>
);

function Deed({ verdict: { article, kind, answer, confidence } }: { verdict: Verdict }) {
  const sure = confidence === null ? '' : ` ${t('sure', { percent: Math.round(confidence * 100) })}`;
  return (
    <div className="text-soft">
      <p className="wrap-anywhere">
        {article
          ? t.rich('deed_article', {
              article: (
                <Link
                  to="/knowledge/$articleId"
                  params={{ articleId: String(article.id) }}
                  className="text-accent-text underline"
                >
                  <bdi>{article.title}</bdi>
                </Link>
              ),
            })
          : deedWords(kind)}
        <span className="tabular text-faint text-xs">{sure}</span>
      </p>
      {article && answer ? (
        <p className="line-clamp-2" dir="auto">
          {plainText(answer)}
        </p>
      ) : null}
    </div>
  );
}
