import type { Expectation } from '@foyer/protocol';
import { QUESTION_MAX } from '@foyer/protocol/bounds';
import { ApiError } from '../../api.ts';
import { SelectField, TextArea } from '../../ui/Field.tsx';
import { ArticlePicker } from './ArticlePicker.tsx';
import { t } from './t.ts';

const EXPECTATIONS: readonly Expectation[] = ['article', 'unknown', 'handoff'];

export interface QuestionForm {
  question: string;
  expects: Expectation;
  article: { id: number; title: string } | null;
}

const issueOf = (error: Error | null, field: string): string | undefined =>
  error instanceof ApiError ? error.issue(field) : undefined;

/** A question, and what the right answer to it is. */
export function QuestionFields({
  form,
  error,
  onChange,
  autoFocus = false,
}: {
  form: QuestionForm;
  error: Error | null;
  onChange: (form: QuestionForm) => void;
  autoFocus?: boolean;
}) {
  const [question, article] = [issueOf(error, 'question'), issueOf(error, 'article_id')];
  return (
    <div className="space-y-4">
      <TextArea
        label={t('question')}
        hint={t('question_hint')}
        required
        autoFocus={autoFocus}
        rows={2}
        maxLength={QUESTION_MAX}
        value={form.question}
        error={question}
        onChange={(event) => onChange({ ...form, question: event.target.value })}
      />
      <SelectField
        label={t('right_answer')}
        value={form.expects}
        onChange={(event) => onChange({ ...form, expects: event.target.value as Expectation })}
      >
        {EXPECTATIONS.map((one) => (
          <option key={one} value={one}>
            {t(`expects_${one}`)}
          </option>
        ))}
      </SelectField>
      {form.expects === 'article' ? (
        <ArticlePicker
          value={form.article}
          error={article}
          onChange={(chosen) => onChange({ ...form, article: chosen })}
        />
      ) : null}
    </div>
  );
}
