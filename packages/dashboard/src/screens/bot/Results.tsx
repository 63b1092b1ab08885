import type { Evaluation, EvaluationOutcome, QuestionSet } from '@foyer/protocol';
import { type UseQueryResult, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, Play, SearchCheck } from 'lucide-react';
import { useEffect } from 'react';
import { call } from '../../api.ts';
import { tCommon } from '../../t-common.ts';
import { clock, dateOf } from '../../times.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/classes.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { SelectField } from '../../ui/forms/Field.tsx';
import { PagedList } from '../../ui/rows/PagedList.tsx';
import { Bone, Empty } from '../../ui/States.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { evaluationsQuery, isUnderWay, type ResultFilter, resultsQuery } from './bot-queries.ts';
import { changeOf, type Figure, figuresOf, percent } from './evaluation-words.ts';
import { ResultRow } from './ResultRow.tsx';
import { t } from './t.ts';

const route = getRouteApi('/desk/knowledge/evaluation/$setId');

interface ResultsProps {
  set: QuestionSet;
  runs: UseQueryResult<Evaluation[]>;
  onRun: () => void;
}

/** The results of a run, compared with an earlier one. */
export function Results({ set, runs, onRun }: ResultsProps) {
  const { run: runId, compare } = route.useSearch();
  if (runs.isPending) return <Bone className="late pulse-soft h-60" />;
  if (!runs.data)
    return <ErrorNote error={runs.error} title={t('runs_failed')} onRetry={() => void runs.refetch()} />;
  const run = runs.data.find(({ id }) => id === runId) ?? runs.data[0];
  if (!run) {
    return (
      <Empty
        icon={<SearchCheck />}
        title={t('runs_none')}
        action={
          set.question_count > 0 ? (
            <Button look="primary" icon={<Play aria-hidden className="size-4" />} onClick={onRun}>
              {t('run_start')}
            </Button>
          ) : null
        }
      >
        {t(set.question_count > 0 ? 'runs_none_hint' : 'runs_none_empty')}
      </Empty>
    );
  }
  const older = runs.data.filter(({ id, finished_utc }) => id < run.id && finished_utc !== null);
  const before = compare === 'none' ? undefined : (older.find(({ id }) => id === compare) ?? older[0]);
  return (
    <div className="space-y-6">
      <RunChoice runs={runs.data} run={run} older={older} before={before} />
      {isUnderWay(run) ? <Progress run={run} /> : null}
      {run.cancelled_utc ? (
        <p className="text-soft">{t('run_cancelled', { done: run.done, total: run.total })}</p>
      ) : null}
      <Figures run={run} before={before} />
      <Answers run={run} before={before} />
    </div>
  );
}

const runName = (run: Evaluation): string =>
  `${dateOf(run.created_utc)}, ${clock(run.created_utc)}${run.agent ? ` · ${run.agent.name}` : ''}`;

function RunChoice({
  runs,
  run,
  older,
  before,
}: {
  runs: Evaluation[];
  run: Evaluation;
  older: Evaluation[];
  before: Evaluation | undefined;
}) {
  const navigate = route.useNavigate();
  return (
    <div className="flex flex-wrap gap-4">
      <SelectField
        label={t('run')}
        frame="w-72 max-sm:w-full"
        value={run.id}
        onChange={(event) =>
          void navigate({ search: { view: 'results', run: Number(event.target.value) }, replace: true })
        }
        options={runs.map((one) => ({ value: one.id, label: runName(one) }))}
      />
      {older.length > 0 ? (
        <SelectField
          label={t('compared')}
          frame="w-72 max-sm:w-full"
          value={before?.id ?? 'none'}
          onChange={({ target: { value } }) =>
            void navigate({
              search: (search) => ({ ...search, compare: value === 'none' ? 'none' : Number(value) }),
              replace: true,
            })
          }
          options={[
            { value: 'none', label: t('compared_none') },
            ...older.map((one) => ({ value: one.id, label: runName(one) })),
          ]}
        />
      ) : null}
    </div>
  );
}

function Progress({ run }: { run: Evaluation }) {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => call('evaluations.cancel', { id: run.id }),
    onSuccess: () => client.invalidateQueries({ queryKey: evaluationsQuery(run.set_id).queryKey }),
    onError: (error) => toast.error(t('run_cancel_failed'), error),
  });
  return (
    <div className="flex items-center gap-4">
      <div className="min-w-0 flex-1">
        <progress
          aria-label={t('run_asked')}
          max={Math.max(1, run.total)}
          value={run.done}
          className="block h-2 w-full appearance-none overflow-hidden rounded-full bg-pressed [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-pressed [&::-webkit-progress-value]:bg-accent"
        />
        <p className="tabular mt-1 text-soft text-xs" role="status">
          {t('run_progress', { done: run.done, total: run.total })}
        </p>
      </div>
      <Button small busy={cancel.isPending} onClick={() => cancel.mutate()}>
        {tCommon('cancel')}
      </Button>
    </div>
  );
}

function Figures({ run, before }: { run: Evaluation; before: Evaluation | undefined }) {
  const earlier = before ? figuresOf(before) : [];
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {figuresOf(run).map((figure) => (
        <FigureTile key={figure.key} figure={figure} before={earlier.find(({ key }) => key === figure.key)} />
      ))}
    </dl>
  );
}

function FigureTile({ figure, before }: { figure: Figure; before: Figure | undefined }) {
  const change = before && changeOf(figure, before);
  const Arrow = change && change.points > 0 ? ArrowUp : ArrowDown;
  return (
    <div className="rounded-lg border p-4">
      <dt className="text-soft">{t(`figure_${figure.key}`)}</dt>
      <dd className="mt-1 flex flex-wrap items-baseline gap-x-2">
        <span className="tabular font-semibold text-2xl">{percent(figure.part, figure.of)}</span>
        {change && change.points !== 0 ? (
          <span
            className={cx(
              'tabular inline-flex items-center gap-0.5 font-medium text-xs',
              change.better ? 'text-good-text' : 'text-danger-text',
            )}
          >
            <Arrow aria-hidden className="size-3" />
            {change.text}
          </span>
        ) : null}
        <span className="tabular w-full text-faint text-xs">
          {t('part_of', { part: figure.part, whole: figure.of })}
        </span>
      </dd>
    </div>
  );
}

/** Results since the last request are requested when a run ends. */
function useLastLook(run: Evaluation): void {
  const client = useQueryClient();
  const isRunning = isUnderWay(run);
  useEffect(() => {
    if (!isRunning) return;
    return () => void client.invalidateQueries({ queryKey: ['evaluation_results', run.id] });
  }, [client, isRunning, run.id]);
}

const OUTCOMES: readonly EvaluationOutcome[] = ['wrong', 'silent', 'handed_off', 'right', 'void'];

function Answers({ run, before }: { run: Evaluation; before: Evaluation | undefined }) {
  const { only } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useInfiniteQuery({
    ...resultsQuery(run.id, before?.id, only),
    // While it runs, more comes with each look at it.
    refetchInterval: isUnderWay(run) ? 2_000 : false,
  });
  useLastLook(run);
  const results = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <section>
      <div className="mb-3 flex flex-wrap items-end justify-between gap-3">
        <h2 className="font-semibold text-base">{t('verdicts')}</h2>
        <SelectField
          bare
          label={t('show')}
          frame="w-44"
          value={only ?? ''}
          onChange={({ target: { value } }) =>
            void navigate({
              search: ({ only: _, ...search }) =>
                value ? { ...search, only: value as ResultFilter } : search,
              replace: true,
            })
          }
          any={t('verdicts_all')}
          options={[
            ...(before ? [{ value: 'changed', label: t('verdicts_changed') }] : []),
            ...OUTCOMES.map((value) => ({ value, label: t(`outcome_${value}`) })),
          ]}
        />
      </div>
      <PagedList
        list={list}
        count={results.length}
        label={t('verdicts')}
        failed={t('verdicts_failed')}
        empty={<p className="rounded-lg border p-6 text-center text-soft">{emptyWords(only, run)}</p>}
      >
        {results.map((result) => (
          <ResultRow key={result.position} result={result} />
        ))}
      </PagedList>
    </section>
  );
}

function emptyWords(only: ResultFilter | undefined, run: Evaluation): string {
  if (isUnderWay(run)) return t('none_soon');
  if (only === undefined) return t('none_asked');
  return t(only === 'changed' ? 'none_changed' : 'none_such');
}
