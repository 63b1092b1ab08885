import type { Expectation, QuestionSet, SetQuestion } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { say } from '../../ui/toast-store.ts';
import { questionSetsQuery, setQuestionsQuery } from './bot-queries.ts';
import { QuestionFields, type QuestionForm } from './QuestionFields.tsx';
import { t } from './t.ts';

/** Adds a question to a set, or changes one. */
export function QuestionDialog({
  set,
  question,
  onClose,
}: {
  set: QuestionSet;
  question: SetQuestion | null;
  onClose: () => void;
}) {
  const [form, setForm] = useState<QuestionForm>({
    question: question?.question ?? '',
    expects: question?.expects ?? 'article',
    article: question?.article ?? null,
  });
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () => {
      const input = questionInput(form);
      return question
        ? call('set_questions.update', { id: question.id, ...input })
        : call('set_questions.create', { set_id: set.id, ...input });
    },
    onSuccess: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: setQuestionsQuery(set.id).queryKey }),
        client.invalidateQueries({ queryKey: questionSetsQuery.queryKey, exact: true }),
      ]);
      say(t(question ? 'question_changed' : 'question_added'));
      onClose();
    },
  });
  return (
    <FormDialog
      title={t(question ? 'question_edit' : 'question_new')}
      save={save}
      fields={['question', 'article_id']}
      disabled={form.question.trim() === '' || (form.expects === 'article' && form.article === null)}
      onClose={onClose}
    >
      <QuestionFields form={form} error={save.error} onChange={setForm} autoFocus={question === null} />
    </FormDialog>
  );
}

/** What the server is told of a form. */
export const questionInput = ({
  question,
  expects,
  article,
}: QuestionForm): { question: string; expects: Expectation; article_id: number | null } => ({
  question,
  expects,
  article_id: expects === 'article' ? (article?.id ?? null) : null,
});
