import type { OutputOf } from '@foyer/protocol';
import { t } from './t.ts';

/** What visitors asked in their own words, beside the article that is to answer it. */
export function GapQuestions({ gap }: { gap: OutputOf<'gaps.get'> }) {
  const questions = [...new Set(gap.examples.map(({ question }) => question))];
  return (
    <section aria-label={t('gap_questions')} className="rounded-lg border bg-sunken p-3">
      <h2 className="font-medium">{t('gap_questions')}</h2>
      <ul className="mt-2 space-y-2">
        {(questions.length > 0 ? questions : [gap.question]).map((question) => (
          <li key={question} className="wrap-anywhere text-soft" dir="auto">
            {question}
          </li>
        ))}
      </ul>
      <p className="mt-3 text-faint text-xs">{t('gap_questions_hint')}</p>
    </section>
  );
}
