import type { Expectation, QuestionSet, SetQuestion } from '@foyer/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { FormDialog } from '../../forms/FormDialog.tsx';
import { useForm } from '../../forms/use-form.ts';
import { toast } from '../../ui/toasts/toast-store.ts';
import { questionSetsQuery, setQuestionsQuery } from './bot-queries.ts';
import { QuestionFields, type QuestionValues } from './QuestionFields.tsx';
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
  const client = useQueryClient();
  const form = useForm<QuestionValues, unknown>({
    initial: {
      question: question?.question ?? '',
      expects: question?.expects ?? 'article',
      article: question?.article ?? null,
    },
    save: (values) => {
      const input = questionInput(values);
      return question
        ? call('set_questions.update', { id: question.id, ...input })
        : call('set_questions.create', { set_id: set.id, ...input });
    },
    onSaved: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: setQuestionsQuery(set.id).queryKey }),
        client.invalidateQueries({ queryKey: questionSetsQuery.queryKey, exact: true }),
      ]);
      toast.success(t(question ? 'question_changed' : 'question_added'));
      onClose();
    },
  });
  return (
    <FormDialog
      title={t(question ? 'question_edit' : 'question_new')}
      form={form}
      disabled={!isWhole(form.values)}
      onClose={onClose}
    >
      <QuestionFields form={form} autoFocus={question === null} />
    </FormDialog>
  );
}

/** Whether a question has everything that the server needs. */
export const isWhole = ({ question, expects, article }: QuestionValues): boolean =>
  question.trim() !== '' && (expects !== 'article' || article !== null);

/** The values as the operation's input. */
export const questionInput = ({
  question,
  expects,
  article,
}: QuestionValues): { question: string; expects: Expectation; article_id: number | null } => ({
  question,
  expects,
  article_id: expects === 'article' ? (article?.id ?? null) : null,
});
