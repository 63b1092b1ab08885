import type { QuestionSet } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { FileUp, Pencil, Play, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmAction } from '../../ui/ConfirmAction.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Segments } from '../../ui/forms/Segments.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Page } from '../../ui/Page.tsx';
import { Bone, Empty } from '../../ui/States.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { evaluationsQuery, isUnderWay, questionSetsQuery } from './bot-queries.ts';
import { SetDialog } from './EvaluationScreen.tsx';
import { ImportQuestions } from './ImportQuestions.tsx';
import { QuestionDialog } from './QuestionDialog.tsx';
import { QuestionList } from './QuestionList.tsx';
import { Results } from './Results.tsx';
import { t } from './t.ts';

const route = getRouteApi('/desk/knowledge/evaluation/$setId');
const back = () => ({ to: '/knowledge/evaluation', label: t('evaluation') }) as const;

/** One set: how the bot did, and what it is asked. */
export function QuestionSetScreen() {
  const setId = Number(route.useParams().setId);
  const { data, error, isPending, refetch } = useQuery(questionSetsQuery);
  const set = data?.find(({ id }) => id === setId);
  if (set) return <SetPage key={set.id} set={set} />;
  return (
    <Page place={`set ${setId}`} title={t('questions')} back={back()}>
      {isPending ? (
        <Bone className="late pulse-soft h-60" />
      ) : error ? (
        <ErrorNote error={error} title={t('set_failed')} onRetry={() => void refetch()} />
      ) : (
        <Empty icon={<Trash2 />} title={t('set_gone')}>
          {t('set_gone_hint')}
        </Empty>
      )}
    </Page>
  );
}

function SetPage({ set }: { set: QuestionSet }) {
  const { view } = route.useSearch();
  const navigate = route.useNavigate();
  const runs = useQuery(evaluationsQuery(set.id));
  const [dialog, setDialog] = useState<SetDialogName | null>(null);
  const close = (): void => setDialog(null);
  const start = useStart(set);
  const running = runs.data?.some(isUnderWay) ?? false;
  const shown = view ?? (set.question_count > 0 && (runs.data?.length ?? 0) > 0 ? 'results' : 'questions');
  return (
    <Page
      wide
      place={`set ${set.id} ${shown}`}
      title={set.name}
      back={back()}
      actions={
        <>
          <SetActions onOpen={setDialog} />
          <Button
            look="primary"
            icon={<Play aria-hidden className="size-4" />}
            busy={start.isPending || running}
            disabled={set.question_count === 0}
            onClick={() => start.mutate()}
          >
            {t(running ? 'run_on' : 'run_start')}
          </Button>
        </>
      }
      tools={
        <Segments
          label={t('show')}
          value={shown}
          options={[
            { value: 'results', label: t('results') },
            { value: 'questions', label: t('questions_number', { number: set.question_count }) },
          ]}
          onChange={(next) => void navigate({ search: { view: next }, replace: true })}
        />
      }
    >
      {shown === 'questions' ? (
        <QuestionList set={set} onImport={() => setDialog('import')} />
      ) : (
        <Results set={set} runs={runs} onRun={() => start.mutate()} />
      )}
      {dialog === 'rename' ? <SetDialog set={set} onClose={close} /> : null}
      {dialog === 'import' ? <ImportQuestions set={set} onClose={close} /> : null}
      {dialog === 'add' ? <QuestionDialog set={set} question={null} onClose={close} /> : null}
      <DeleteSet set={set} open={dialog === 'delete'} onClose={close} />
    </Page>
  );
}

type SetDialogName = 'rename' | 'import' | 'add' | 'delete';

function SetActions({ onOpen }: { onOpen: (dialog: SetDialogName) => void }) {
  return (
    <>
      <Menu
        label={t('set_more')}
        items={[
          { label: t('rename'), icon: <Pencil aria-hidden />, onSelect: () => onOpen('rename') },
          {
            label: t('delete'),
            icon: <Trash2 aria-hidden />,
            danger: true,
            onSelect: () => onOpen('delete'),
          },
        ]}
      />
      <Button icon={<FileUp aria-hidden className="size-4" />} onClick={() => onOpen('import')}>
        {t('import')}
      </Button>
      <Button icon={<Plus aria-hidden className="size-4" />} onClick={() => onOpen('add')}>
        {t('add')}
      </Button>
    </>
  );
}

function useStart(set: QuestionSet) {
  const client = useQueryClient();
  const navigate = route.useNavigate();
  return useMutation({
    mutationFn: () => call('evaluations.start', { set_id: set.id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: evaluationsQuery(set.id).queryKey });
      await navigate({ search: { view: 'results' }, replace: true });
    },
    onError: (error) => toast.error(t('run_failed'), error),
  });
}

function DeleteSet({ set, open, onClose }: { set: QuestionSet; open: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const navigate = route.useNavigate();
  return (
    <ConfirmAction
      open={open}
      onClose={onClose}
      title={t('set_delete_question', { name: set.name })}
      action={t('set_delete')}
      run={() => call('question_sets.delete', { id: set.id })}
      onDone={async () => {
        await navigate({ to: '/knowledge/evaluation' });
        await client.invalidateQueries({ queryKey: questionSetsQuery.queryKey });
        toast.success(t('set_deleted'));
      }}
    >
      {t('set_delete_hint')}
    </ConfirmAction>
  );
}
