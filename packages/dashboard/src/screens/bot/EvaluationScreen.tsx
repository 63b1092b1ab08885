import type { QuestionSet } from '@foyer/protocol';
import { NAME_MAX } from '@foyer/protocol/values/bounds';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ListChecks, Plus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import { FormDialog } from '../../forms/FormDialog.tsx';
import { useForm } from '../../forms/use-form.ts';
import { tCommon } from '../../t-common.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/forms/Field.tsx';
import { Page, Rows } from '../../ui/Page.tsx';
import { LinkRow } from '../../ui/rows/LinkRow.tsx';
import { Empty } from '../../ui/States.tsx';
import { Waiting } from '../../ui/Waiting.tsx';
import { KnowledgeTabs } from '../knowledge/KnowledgeTabs.tsx';
import { questionSetsQuery } from './bot-queries.ts';
import { t } from './t.ts';

/** Sets of questions with what should answer them: how good the bot is, before visitors find out. */
export function EvaluationScreen() {
  const { data, error, refetch } = useQuery(questionSetsQuery);
  const [naming, setNaming] = useState(false);
  const sets = data ?? [];
  const add = (
    <Button look="primary" icon={<Plus aria-hidden className="size-4" />} onClick={() => setNaming(true)}>
      {t('set_new')}
    </Button>
  );
  return (
    <Page
      wide
      place="evaluation"
      title={tCommon('nav_knowledge')}
      intro={t('sets_intro')}
      tabs={<KnowledgeTabs />}
      actions={sets.length > 0 ? add : null}
    >
      {!data ? (
        <Waiting error={error} retry={refetch} failed={t('sets_failed')} rows={3} />
      ) : sets.length === 0 ? (
        <Empty icon={<ListChecks />} title={t('sets_none')} action={add}>
          {t('sets_none_hint')}
        </Empty>
      ) : (
        <Rows label={t('sets')}>
          {sets.map((set) => (
            <SetRow key={set.id} set={set} />
          ))}
        </Rows>
      )}
      {naming ? <SetDialog set={null} onClose={() => setNaming(false)} /> : null}
    </Page>
  );
}

function SetRow({ set }: { set: QuestionSet }) {
  return (
    <li>
      <LinkRow to="/knowledge/evaluation/$setId" params={{ setId: String(set.id) }}>
        <span className="min-w-0 flex-1 truncate font-medium">
          <bdi>{set.name}</bdi>
        </span>
        <span className="tabular shrink-0 text-soft">
          {t('set_questions', { count: set.question_count })}
        </span>
      </LinkRow>
    </li>
  );
}

/** Names a set; a new one is opened. */
export function SetDialog({ set, onClose }: { set: QuestionSet | null; onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initial: { name: set?.name ?? '' },
    save: (values) =>
      set ? call('question_sets.update', { id: set.id, ...values }) : call('question_sets.create', values),
    onSaved: async (saved) => {
      await client.invalidateQueries({ queryKey: questionSetsQuery.queryKey });
      onClose();
      if (!set) await navigate({ to: '/knowledge/evaluation/$setId', params: { setId: String(saved.id) } });
    },
  });
  return (
    <FormDialog
      title={set ? t('set_rename') : t('set_new_title')}
      form={form}
      disabled={form.values.name.trim() === ''}
      onClose={onClose}
    >
      <TextField
        label={t('name')}
        required
        autoFocus
        maxLength={NAME_MAX}
        placeholder={t('set_example')}
        {...form.text('name')}
      />
    </FormDialog>
  );
}
