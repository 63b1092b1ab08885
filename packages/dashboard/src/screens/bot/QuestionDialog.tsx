import type { Expectation, QuestionSet, SetQuestion } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { say } from '../../ui/toast-store.ts';
import { questionSetsQuery, setQuestionsQuery } from './bot-queries.ts';
import { QuestionFields, type QuestionForm } from './QuestionFields.tsx';

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
      say(question ? 'The question was changed.' : 'The question was added.');
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={question ? 'Edit the question' : 'New question'}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            type="submit"
            form="set-question"
            busy={save.isPending}
            disabled={form.question.trim() === '' || (form.expects === 'article' && form.article === null)}
          >
            Save
          </Button>
        </>
      }
    >
      <form id="set-question" onSubmit={submit}>
        <QuestionFields form={form} error={save.error} onChange={setForm} autoFocus={question === null} />
      </form>
    </Dialog>
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
