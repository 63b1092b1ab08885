import type { TrainingMove, TrainingRow } from '@foyer/protocol';
import { TRAINING_ANSWER_MAX, TRAINING_QUESTION_MAX } from '@foyer/protocol/values/bounds';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowRightLeft, GraduationCap, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call, callPage } from '../../api.ts';
import { useMay } from '../../desk/DeskContext.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import { useForm } from '../../forms/use-form.ts';
import { tCommon } from '../../t-common.ts';
import { Button, buttonLook, IconButton } from '../../ui/Button.tsx';
import { ConfirmAction } from '../../ui/ConfirmAction.tsx';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { FilePick } from '../../ui/FilePick.tsx';
import { TextArea } from '../../ui/forms/Field.tsx';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import { Page } from '../../ui/Page.tsx';
import { PagedList } from '../../ui/rows/PagedList.tsx';
import { Badge, Callout, Empty } from '../../ui/States.tsx';
import { t } from './t.ts';

const route = getRouteApi('/desk/knowledge/training');
const MOVE_KEY = ['training', 'move'];
const POLL_MS = 500;

function useTrainingRows(q: string) {
  return useInfiniteQuery({
    queryKey: ['training', 'list', q],
    queryFn: ({ pageParam, signal }) =>
      callPage(
        'training_rows.list',
        { ...(q ? { q } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });
}

/** Questions and answers imported from an older system. */
export function TrainingScreen() {
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const mayMove = useMay('knowledge');
  const mayWrite = useMay('articles');
  const [editing, setEditing] = useState<TrainingRow | 'new' | null>(null);
  const [deleting, setDeleting] = useState<TrainingRow | null>(null);
  const list = useTrainingRows(q ?? '');
  const rows = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Page
      place={`training ${q ?? ''}`}
      title={t('training')}
      intro={t('training_intro')}
      back={{ to: '/knowledge', label: tCommon('nav_knowledge') }}
      actions={
        <>
          {mayMove ? <CsvImport /> : null}
          {mayWrite ? (
            <Button icon={<Plus aria-hidden className="size-4" />} onClick={() => setEditing('new')}>
              {t('row_new')}
            </Button>
          ) : null}
        </>
      }
      tools={
        <SearchField
          label={t('rows_search')}
          value={q ?? ''}
          onChange={(asked) => void navigate({ search: asked ? { q: asked } : {}, replace: true })}
        />
      }
    >
      <MoveAll mayMove={mayMove} hasRows={rows.some(({ moved_utc }) => moved_utc === null)} />
      <PagedList
        list={list}
        count={rows.length}
        label={t('training')}
        failed={t('rows_failed')}
        empty={
          <Empty icon={<GraduationCap />} title={t(q ? 'nothing_found' : 'rows_none')}>
            {t(q ? 'rows_not_found' : 'rows_none_hint')}
          </Empty>
        }
      >
        {rows.map((row) => (
          <Row key={row.id} row={row} onEdit={() => setEditing(row)} onDelete={() => setDeleting(row)} />
        ))}
      </PagedList>
      {editing ? (
        <RowDialog row={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      ) : null}
      <DeleteRow row={deleting} onClose={() => setDeleting(null)} />
    </Page>
  );
}

function DeleteRow({ row, onClose }: { row: TrainingRow | null; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <ConfirmAction
      open={row !== null}
      onClose={onClose}
      title={t('row_delete_question')}
      action={t('row_delete')}
      run={async () => row && call('training_rows.delete', { id: row.id })}
      onDone={async () => {
        await client.invalidateQueries({ queryKey: ['training'] });
        onClose();
      }}
    >
      {t(row?.moved_utc ? 'row_delete_moved' : 'row_delete_hint')}
    </ConfirmAction>
  );
}

interface RowProps {
  row: TrainingRow;
  onEdit: () => void;
  onDelete: () => void;
}

function Row({ row, onEdit, onDelete }: RowProps) {
  const mayWrite = useMay('articles');
  return (
    <li className="flex items-start gap-2 py-2 ps-4 pe-2">
      <div className="min-w-0 flex-1 py-1">
        <p className="wrap-anywhere font-medium">
          <bdi>{row.question}</bdi>
        </p>
        <p className="wrap-anywhere line-clamp-2 text-soft">
          <bdi>{row.answer}</bdi>
        </p>
      </div>
      {row.moved_utc === null ? (
        mayWrite ? (
          <IconButton label={t('edit_named', { name: row.question })} onClick={onEdit}>
            <Pencil aria-hidden className="size-4" />
          </IconButton>
        ) : null
      ) : row.article_id === null ? (
        <Badge>{t('row_moved_deleted')}</Badge>
      ) : (
        <Link
          to="/knowledge/$articleId"
          params={{ articleId: String(row.article_id) }}
          className={buttonLook('quiet', true)}
        >
          {t('article')}
        </Link>
      )}
      {mayWrite ? (
        <IconButton label={t('delete_named', { name: row.question })} onClick={onDelete}>
          <Trash2 aria-hidden className="size-4" />
        </IconButton>
      ) : null}
    </li>
  );
}

/** The one-click move to articles, and its progress. */
function MoveAll({ mayMove, hasRows }: { mayMove: boolean; hasRows: boolean }) {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: MOVE_KEY,
    queryFn: ({ signal }) => call('training_moves.get', {}, signal),
    refetchInterval: ({ state }) =>
      state.data?.move && state.data.move.ended_utc === null ? POLL_MS : false,
  });
  const start = useMutation({
    mutationFn: () => call('training_moves.start', {}),
    onSuccess: (move) => client.setQueryData(MOVE_KEY, { move }),
  });
  const move = data?.move ?? null;
  const running = move !== null && move.ended_utc === null;
  // Once the move is over, listed rows have become articles.
  useQuery({
    queryKey: ['training', 'moved', move?.ended_utc],
    queryFn: async () => {
      await client.invalidateQueries({ queryKey: ['training', 'list'] });
      await client.invalidateQueries({ queryKey: ['articles'] });
      return true;
    },
    enabled: Boolean(move?.ended_utc),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (running) return <Progress move={move} />;
  return (
    <>
      {start.error ? <ErrorNote error={start.error} title={t('rows_move_failed')} className="mb-4" /> : null}
      {hasRows && mayMove ? (
        <div className="mb-4">
          <Callout icon={<ArrowRightLeft aria-hidden />}>
            <div className="flex flex-wrap items-center justify-between gap-2">
              <p className="min-w-0 flex-1 basis-60">{t('rows_move_hint')}</p>
              <Button look="primary" small busy={start.isPending} onClick={() => start.mutate()}>
                {t('rows_move')}
              </Button>
            </div>
          </Callout>
        </div>
      ) : null}
    </>
  );
}

function Progress({ move }: { move: TrainingMove }) {
  const label = t('rows_moved', { moved: move.moved, count: move.total });
  return (
    <div role="status" className="mb-4 rounded-lg border bg-sunken p-3">
      <p className="tabular mb-2 font-medium">{label}</p>
      <progress
        aria-label={label}
        value={move.moved}
        max={Math.max(1, move.total)}
        className="block h-2 w-full accent-accent"
      />
      <p className="mt-2 text-soft">{t('rows_moving')}</p>
    </div>
  );
}

function CsvImport() {
  const client = useQueryClient();
  const run = useMutation({
    mutationFn: async (file: File) => call('training_rows.import', { text: await file.text() }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['training'] }),
  });
  const result = run.data;
  return (
    <>
      <FilePick
        label={t(run.isPending ? 'importing' : 'csv')}
        accept=".csv,text/csv"
        disabled={run.isPending}
        onFile={run.mutate}
      />
      <Dialog
        open={run.isSuccess || run.isError}
        onClose={() => run.reset()}
        title={t('csv_title')}
        foot={<Button onClick={() => run.reset()}>{tCommon('close')}</Button>}
      >
        {run.error ? <ErrorNote error={run.error} title={t('import_failed')} /> : null}
        {result ? (
          <>
            <p className="font-medium">{t('csv_done', { ...result, failed: result.failed.length })}</p>
            <ul className="mt-3 space-y-1">
              {result.failed.slice(0, FAULTS_SHOWN).map(({ line, message }) => (
                <li key={line} className="tabular text-soft">
                  {t('csv_line', { line, message })}
                </li>
              ))}
            </ul>
          </>
        ) : null}
      </Dialog>
    </>
  );
}

const FAULTS_SHOWN = 200;

function RowDialog({ row, onClose }: { row: TrainingRow | null; onClose: () => void }) {
  const client = useQueryClient();
  const form = useForm({
    initial: { question: row?.question ?? '', answer: row?.answer ?? '' },
    save: (values) =>
      row ? call('training_rows.update', { id: row.id, ...values }) : call('training_rows.create', values),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: ['training'] });
      onClose();
    },
  });
  return (
    <FormDialog title={t(row ? 'row_edit' : 'row_new')} form={form} onClose={onClose}>
      <TextArea
        label={t('question')}
        required
        autoFocus
        maxLength={TRAINING_QUESTION_MAX}
        {...form.text('question')}
      />
      <TextArea
        label={t('answer')}
        required
        rows={6}
        maxLength={TRAINING_ANSWER_MAX}
        {...form.text('answer')}
      />
    </FormDialog>
  );
}
