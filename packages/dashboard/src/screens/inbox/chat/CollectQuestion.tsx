import type { Message } from '@foyer/protocol';
import { QUESTION_MAX } from '@foyer/protocol/values/bounds';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { SelectField, TextField } from '../../../ui/forms/Field.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { questionSetsQuery } from '../../bot/bot-queries.ts';
import { isWhole, questionInput } from '../../bot/QuestionDialog.tsx';
import { QuestionFields, type QuestionValues } from '../../bot/QuestionFields.tsx';
import { t as tInbox } from '../t.ts';
import { t } from './t.ts';

interface CollectProps {
  sessionId: string;
  message: Message;
  /** The article that the bot answered from: probably the expected one. */
  source: { id: number; title: string } | null;
  onClose: () => void;
}

/** Adds a visitor's question to a set, with the expected answer. */
export function CollectQuestion({ sessionId, message, source, onClose }: CollectProps) {
  const sets = useQuery(questionSetsQuery);
  const client = useQueryClient();
  const [chosen, setChosen] = useState<number | null>(null);
  const setId = chosen ?? sets.data?.[0]?.id ?? null;
  const form = useForm<QuestionValues, unknown>({
    initial: { question: message.text.slice(0, QUESTION_MAX), expects: 'article', article: source },
    save: async (values) => {
      try {
        const set_id = setId ?? (await call('question_sets.create', { name: t('new_set') })).id;
        return await call('set_questions.create', {
          set_id,
          session_id: sessionId,
          ...questionInput(values),
        });
      } finally {
        void client.invalidateQueries({ queryKey: questionSetsQuery.queryKey });
      }
    },
    onSaved: () => {
      toast.success(t('set_done'));
      onClose();
    },
  });
  return (
    <FormDialog
      title={tInbox('collect')}
      form={form}
      action={t('set_add')}
      disabled={sets.isPending || !isWhole(form.values)}
      onClose={onClose}
    >
      <p className="text-soft">
        {t.rich('set_hint', {
          link: (
            <Link to="/knowledge/evaluation" className="text-accent-text underline">
              {t('evaluation')}
            </Link>
          ),
        })}
      </p>
      {sets.data && sets.data.length > 0 ? (
        <SelectField
          label={t('set')}
          value={setId ?? ''}
          onChange={(event) => setChosen(Number(event.target.value))}
          options={sets.data.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : (
        <TextField label={t('set')} readOnly value={t('new_set')} hint={t('set_new_hint')} />
      )}
      <QuestionFields form={form} />
    </FormDialog>
  );
}
