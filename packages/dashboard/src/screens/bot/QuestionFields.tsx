import type { Expectation } from '@foyer/protocol';
import { QUESTION_MAX } from '@foyer/protocol/values/bounds';
import type { Form } from '../../forms/use-form.ts';
import { SelectField, TextArea } from '../../ui/forms/Field.tsx';
import { ArticlePicker } from './ArticlePicker.tsx';
import { t } from './t.ts';

const EXPECTATIONS: readonly Expectation[] = ['article', 'unknown', 'handoff'];

export interface QuestionValues {
  question: string;
  expects: Expectation;
  article: { id: number; title: string } | null;
}

interface QuestionFieldsProps {
  form: Form<QuestionValues>;
  autoFocus?: boolean;
}

/** A question, and what the right answer to it is. */
export function QuestionFields({ form, autoFocus = false }: QuestionFieldsProps) {
  const { values, set } = form;
  return (
    <div className="space-y-4">
      <TextArea
        label={t('question')}
        hint={t('question_hint')}
        required
        autoFocus={autoFocus}
        rows={2}
        maxLength={QUESTION_MAX}
        {...form.text('question')}
      />
      <SelectField
        label={t('right_answer')}
        {...form.text('expects')}
        options={EXPECTATIONS.map((one) => ({ value: one, label: t(`expects_${one}`) }))}
      />
      {values.expects === 'article' ? (
        <ArticlePicker
          value={values.article}
          error={form.issue('article_id')}
          onChange={(article) => set({ article })}
        />
      ) : null}
    </div>
  );
}
