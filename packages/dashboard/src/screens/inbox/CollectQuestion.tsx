import type { Message } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api.ts';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { say } from '../../ui/toast-store.ts';
import { questionSetsQuery } from '../bot/bot-queries.ts';
import { questionInput } from '../bot/QuestionDialog.tsx';
import { LONGEST_QUESTION, QuestionFields, type QuestionForm } from '../bot/QuestionFields.tsx';

interface CollectProps {
  sessionId: string;
  message: Message;
  /** What the bot answered from, if it did: most likely what is expected. */
  source: { id: number; title: string } | null;
  onClose: () => void;
}

const NEW_SET = 'Questions from chats';

/** Puts what a visitor asked into a set, with what should answer it. */
export function CollectQuestion({ sessionId, message, source, onClose }: CollectProps) {
  const sets = useQuery(questionSetsQuery);
  const client = useQueryClient();
  const [chosen, setChosen] = useState<number | null>(null);
  const [form, setForm] = useState<QuestionForm>({
    question: message.text.slice(0, LONGEST_QUESTION),
    expects: 'article',
    article: source,
  });
  const setId = chosen ?? sets.data?.[0]?.id ?? null;
  const save = useMutation({
    mutationFn: async () => {
      const set_id = setId ?? (await call('question_sets.create', { name: NEW_SET })).id;
      return call('set_questions.create', { set_id, session_id: sessionId, ...questionInput(form) });
    },
    onSuccess: () => {
      say('The question is in the set.');
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: questionSetsQuery.queryKey }),
  });
  return (
    <FormDialog
      title="Add to a question set"
      save={save}
      fields={['question', 'article_id']}
      action="Add"
      disabled={
        sets.isPending || form.question.trim() === '' || (form.expects === 'article' && !form.article)
      }
      onClose={onClose}
    >
      <p className="text-soft">
        The bot is asked it with each run under{' '}
        <Link to="/knowledge/evaluation" className="text-accent-text underline">
          Evaluation
        </Link>
        .
      </p>
      {sets.data && sets.data.length > 0 ? (
        <SelectField
          label="Set"
          value={setId ?? ''}
          onChange={(event) => setChosen(Number(event.target.value))}
        >
          {sets.data.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      ) : (
        <TextField label="Set" readOnly value={NEW_SET} hint="It is made now; you can rename it." />
      )}
      <QuestionFields form={form} error={save.error} onChange={setForm} />
    </FormDialog>
  );
}
