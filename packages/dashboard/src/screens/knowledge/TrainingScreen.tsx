import type { TrainingMove, TrainingRow } from '@foyer/protocol';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowRightLeft, FileUp, GraduationCap, Pencil, Plus, Trash2 } from 'lucide-react';
import { type ChangeEvent, useId, useState } from 'react';
import { ApiError, call, callPage } from '../../api.ts';
import { useIsAdmin } from '../../desk/DeskContext.tsx';
import { Button, buttonLook, IconButton } from '../../ui/Button.tsx';
import { Confirm, Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextArea } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Page } from '../../ui/Page.tsx';
import { PagedList } from '../../ui/PagedList.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { Badge, Callout, Empty } from '../../ui/States.tsx';
import { count } from '../../words.ts';

const route = getRouteApi('/desk/knowledge/training');
const MOVE_KEY = ['training', 'move'];
const POLL_MS = 500;

/** Questions with answers from before there were articles. */
export function TrainingScreen() {
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const isAdmin = useIsAdmin();
  const [editing, setEditing] = useState<TrainingRow | 'new' | null>(null);
  const [deleting, setDeleting] = useState<TrainingRow | null>(null);
  const client = useQueryClient();
  const list = useInfiniteQuery({
    queryKey: ['training', 'list', q ?? ''],
    queryFn: ({ pageParam, signal }) =>
      callPage(
        'training_rows.list',
        { ...(q ? { q } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });
  const rows = list.data?.pages.flatMap((page) => page.items) ?? [];
  const remove = useMutation({
    mutationFn: (id: number) => call('training_rows.delete', { id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['training'] });
      setDeleting(null);
    },
  });
  return (
    <Page
      place={`training ${q ?? ''}`}
      title="Training rows"
      intro="Questions with their answers, which the bot uses like articles until you move them there."
      back={{ to: '/knowledge', label: 'Knowledge' }}
      actions={
        <>
          {isAdmin ? <CsvImport /> : null}
          <Button icon={<Plus aria-hidden className="size-4" />} onClick={() => setEditing('new')}>
            New row
          </Button>
        </>
      }
      tools={
        <SearchField
          label="Search in training rows"
          value={q ?? ''}
          onChange={(asked) => void navigate({ search: asked ? { q: asked } : {}, replace: true })}
        />
      }
    >
      <MoveAll isAdmin={isAdmin} hasRows={rows.some(({ moved_utc }) => moved_utc === null)} />
      <PagedList
        list={list}
        count={rows.length}
        label="Training rows"
        failed="The rows could not be loaded."
        empty={
          <Empty icon={<GraduationCap />} title={q ? 'Nothing found' : 'No training rows'}>
            {q
              ? 'No row fits what you look for.'
              : 'Bring those of another system as a CSV file with the columns question and answer.'}
          </Empty>
        }
      >
        {rows.map((row) => (
          <li key={row.id} className="flex items-start gap-2 py-2 ps-4 pe-2">
            <div className="min-w-0 flex-1 py-1">
              <p className="wrap-anywhere font-medium">
                <bdi>{row.question}</bdi>
              </p>
              <p className="wrap-anywhere line-clamp-2 text-soft">
                <bdi>{row.answer}</bdi>
              </p>
            </div>
            {row.moved_utc === null ? (
              <IconButton label={`Edit “${row.question}”`} onClick={() => setEditing(row)}>
                <Pencil aria-hidden className="size-4" />
              </IconButton>
            ) : row.article_id === null ? (
              <Badge>Moved, then deleted</Badge>
            ) : (
              <Link
                to="/knowledge/$articleId"
                params={{ articleId: String(row.article_id) }}
                className={buttonLook('quiet', true)}
              >
                Article
              </Link>
            )}
            <IconButton label={`Delete “${row.question}”`} onClick={() => setDeleting(row)}>
              <Trash2 aria-hidden className="size-4" />
            </IconButton>
          </li>
        ))}
      </PagedList>
      {editing ? (
        <RowDialog row={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      ) : null}
      <Confirm
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title="Delete this row?"
        action="Delete row"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => deleting && remove.mutate(deleting.id)}
      >
        {deleting?.moved_utc
          ? 'The article that was made of it stays.'
          : 'The bot no longer answers from it. It can’t be brought back.'}
      </Confirm>
    </Page>
  );
}

/** The one-click move, and how far it is. */
function MoveAll({ isAdmin, hasRows }: { isAdmin: boolean; hasRows: boolean }) {
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
  // What was listed as a row is an article once it is over.
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
      {start.error ? (
        <ErrorNote error={start.error} title="The move did not begin." className="mb-4" />
      ) : null}
      {hasRows && isAdmin ? (
        <div className="mb-4">
          <Callout icon={<ArrowRightLeft aria-hidden />}>
            <div className="flex flex-wrap items-center justify-between gap-2">
              <p className="min-w-0 flex-1 basis-60">
                Make a published article of each row that is not one yet. You can press this again at any
                time: no row becomes two.
              </p>
              <Button look="primary" small busy={start.isPending} onClick={() => start.mutate()}>
                Move all to articles
              </Button>
            </div>
          </Callout>
        </div>
      ) : null}
    </>
  );
}

function Progress({ move }: { move: TrainingMove }) {
  const label = `${move.moved.toLocaleString()} of ${count(move.total, 'row')} moved`;
  return (
    <div role="status" className="mb-4 rounded-lg border bg-sunken p-3">
      <p className="tabular mb-2 font-medium">{label}</p>
      <progress
        aria-label={label}
        value={move.moved}
        max={Math.max(1, move.total)}
        className="block h-2 w-full accent-accent"
      />
      <p className="mt-2 text-soft">You can leave this page; it goes on by itself.</p>
    </div>
  );
}

function CsvImport() {
  const client = useQueryClient();
  const fileId = useId();
  const run = useMutation({
    mutationFn: async (file: File) => call('training_rows.import', { text: await file.text() }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['training'] }),
  });
  const result = run.data;
  return (
    <>
      <label htmlFor={fileId} className={buttonLook()}>
        <FileUp aria-hidden className="size-4" />
        {run.isPending ? 'Importing…' : 'Import CSV'}
        <input
          id={fileId}
          type="file"
          accept=".csv,text/csv"
          className="sr-only"
          onChange={(event: ChangeEvent<HTMLInputElement>) => {
            const file = event.target.files?.[0];
            if (file) run.mutate(file);
            event.target.value = '';
          }}
        />
      </label>
      <Dialog
        open={run.isSuccess || run.isError}
        onClose={() => run.reset()}
        title="CSV import"
        foot={<Button onClick={() => run.reset()}>Close</Button>}
      >
        {run.error ? <ErrorNote error={run.error} title="Nothing was imported." /> : null}
        {result ? (
          <>
            <p className="font-medium">
              {result.created.toLocaleString()} created, {result.updated.toLocaleString()} updated,{' '}
              {result.unchanged.toLocaleString()} unchanged, {result.failed.length.toLocaleString()} not
              imported.
            </p>
            <ul className="mt-3 space-y-1">
              {result.failed.slice(0, FAULTS_SHOWN).map(({ line, message }) => (
                <li key={line} className="tabular text-soft">
                  Line {line}: {message}
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
  const [question, setQuestion] = useState(row?.question ?? '');
  const [answer, setAnswer] = useState(row?.answer ?? '');
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      row
        ? call('training_rows.update', { id: row.id, question, answer })
        : call('training_rows.create', { question, answer }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['training'] });
      onClose();
    },
  });
  const fields = save.error instanceof ApiError ? save.error : undefined;
  return (
    <FormDialog
      title={row ? 'Edit the row' : 'New row'}
      save={save}
      fields={['question', 'answer']}
      onClose={onClose}
    >
      <TextArea
        label="Question"
        required
        autoFocus
        maxLength={1000}
        value={question}
        error={fields?.issue('question')}
        onChange={(event) => setQuestion(event.target.value)}
      />
      <TextArea
        label="Answer"
        required
        rows={6}
        maxLength={20_000}
        value={answer}
        error={fields?.issue('answer')}
        onChange={(event) => setAnswer(event.target.value)}
      />
    </FormDialog>
  );
}
