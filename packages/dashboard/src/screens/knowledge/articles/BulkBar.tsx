import type { ArticleSelection, InputOf } from '@foyer/protocol';
import { ARTICLE_CATEGORY_MAX, DELETED_ARTICLES_KEPT_DAYS } from '@foyer/protocol/values/bounds';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Archive, FileCheck, FolderInput, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Confirm } from '../../../ui/dialogs/Dialog.tsx';
import { TextField } from '../../../ui/forms/Field.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { useCategories } from '../categories.ts';
import type { ArticleFilter } from '../knowledge-queries.ts';
import { t } from '../t.ts';
import { useSayDeleted } from './put-back.ts';

interface BulkBarProps {
  filter: ArticleFilter;
  /** The articles that the list shows so far. */
  shown: readonly number[];
  hasMore: boolean;
  chosen: ReadonlySet<number>;
  onChoose: (chosen: ReadonlySet<number>) => void;
}

type Change =
  | { action: 'set_status'; status: 'Published' | 'Archived' }
  | { action: 'set_category'; category: string | null }
  | { action: 'delete' };

interface Done {
  changed: number;
  failed: { id: number; title: string; message: string }[];
  /** What can be restored. */
  deleted: number[];
}

/** Changes one batch after another, until nothing of the selection is left. */
async function changeAll(selection: ArticleSelection, change: Change): Promise<Done> {
  const done: Done = { changed: 0, failed: [], deleted: [] };
  for (;;) {
    const input: InputOf<'articles.bulk'> = { ...change, selection };
    const { changed, left, failed, deleted = [] } = await call('articles.bulk', input);
    done.changed += changed;
    done.failed.push(...failed);
    done.deleted.push(...deleted);
    if (left === 0 || changed === 0) return done;
  }
}

/** The articles to change: the selected ones, or all that match the filters. */
function useSelection({ filter, shown, hasMore, chosen }: BulkBarProps) {
  const [all, setAll] = useState(false);
  const everyShown = shown.every((id) => chosen.has(id));
  const isAll = all && everyShown;
  const total = useQuery({
    queryKey: ['articles', 'count', filter],
    queryFn: ({ signal }) => call('articles.count', filter, signal),
    enabled: everyShown && hasMore,
  }).data?.count;
  const selection: ArticleSelection = isAll ? { filter } : { ids: [...chosen] };
  return { selection, count: isAll ? (total ?? chosen.size) : chosen.size, everyShown, isAll, total, setAll };
}

/** Changes the selected articles, then reports what was changed and what wasn't. */
function useBulkChange(selection: ArticleSelection, onDone: () => void) {
  const client = useQueryClient();
  const sayDeleted = useSayDeleted();
  return useMutation({
    mutationFn: (change: Change) => changeAll(selection, change),
    onSuccess: ({ changed, failed, deleted }, change) => {
      if (change.action === 'delete') sayDeleted(t('bulk_deleted', { count: changed }), deleted);
      else toast.success(t('bulk_changed', { count: changed }));
      const [first] = failed;
      if (first)
        toast.error(
          t('bulk_stayed', { count: failed.length }),
          new Error(t(failed.length > 1 ? 'bulk_stayed_many' : 'bulk_stayed_one', first)),
        );
      onDone();
    },
    onError: (error) => toast.error(t('bulk_failed'), error),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['articles'] });
      void client.invalidateQueries({ queryKey: ['categories'] });
    },
  });
}

/** The actions for the selected articles, or for all that match the list's filters. */
export function BulkBar(props: BulkBarProps) {
  const { shown, hasMore, onChoose } = props;
  const { selection, count, everyShown, isAll, total, setAll } = useSelection(props);
  const [asking, setAsking] = useState<'delete' | 'move' | null>(null);
  const close = (): void => {
    setAll(false);
    setAsking(null);
    onChoose(new Set());
  };
  const run = useBulkChange(selection, close);
  /** Without the error of an earlier dialog. */
  const ask = (what: 'delete' | 'move'): void => {
    run.reset();
    setAsking(what);
  };
  return (
    <section
      aria-label={t('selected')}
      className="flex basis-full flex-wrap items-center gap-2 rounded-lg border border-accent-line bg-accent-ground px-3 py-2"
    >
      <IconButton label={t('select_none')} onClick={close}>
        <X aria-hidden className="size-4" />
      </IconButton>
      <p role="status" className="tabular me-auto font-medium">
        {t('selected_count', { count })}
      </p>
      {everyShown && hasMore && !isAll ? (
        <Button small disabled={total === undefined} onClick={() => setAll(true)}>
          {t('select_all', { number: total ?? '…' })}
        </Button>
      ) : everyShown ? null : (
        <Button small onClick={() => onChoose(new Set(shown))}>
          {t('select_shown')}
        </Button>
      )}
      <ChangeButtons busy={run.isPending} onChange={run.mutate} onAsk={ask} />
      <Confirm
        open={asking === 'delete'}
        onClose={() => setAsking(null)}
        title={t('bulk_delete_question', { count })}
        action={t('bulk_delete', { count })}
        busy={run.isPending}
        error={run.error}
        onConfirm={() => run.mutate({ action: 'delete' })}
      >
        {t('bulk_delete_hint', { days: DELETED_ARTICLES_KEPT_DAYS })}
      </Confirm>
      {asking === 'move' ? (
        <MoveDialog
          title={t('bulk_move', { count })}
          onClose={() => setAsking(null)}
          onMove={(category) => run.mutateAsync({ action: 'set_category', category })}
        />
      ) : null}
    </section>
  );
}

interface ChangeButtonsProps {
  busy: boolean;
  onChange: (change: Change) => void;
  onAsk: (what: 'delete' | 'move') => void;
}

function ChangeButtons({ busy, onChange, onAsk }: ChangeButtonsProps) {
  return (
    <>
      <Button
        small
        icon={<FileCheck aria-hidden className="size-4" />}
        busy={busy}
        onClick={() => onChange({ action: 'set_status', status: 'Published' })}
      >
        {t('publish')}
      </Button>
      <Button
        small
        icon={<Archive aria-hidden className="size-4" />}
        busy={busy}
        onClick={() => onChange({ action: 'set_status', status: 'Archived' })}
      >
        {t('archive')}
      </Button>
      <Button
        small
        icon={<FolderInput aria-hidden className="size-4" />}
        busy={busy}
        onClick={() => onAsk('move')}
      >
        {t('move')}
      </Button>
      <Button
        small
        look="danger-quiet"
        icon={<Trash2 aria-hidden className="size-4" />}
        busy={busy}
        onClick={() => onAsk('delete')}
      >
        {t('delete')}
      </Button>
    </>
  );
}

interface MoveDialogProps {
  title: string;
  onClose: () => void;
  onMove: (category: string | null) => Promise<unknown>;
}

function MoveDialog({ title, onClose, onMove }: MoveDialogProps) {
  const categories = useCategories();
  const form = useForm({
    initial: { category: '' },
    save: ({ category }) => onMove(category.trim() || null),
  });
  return (
    <FormDialog
      title={title}
      action={t('move')}
      failure={t('bulk_move_failed')}
      form={form}
      onClose={onClose}
    >
      <TextField
        label={t('category')}
        hint={t('bulk_move_hint')}
        maxLength={ARTICLE_CATEGORY_MAX}
        autoFocus
        list="move-categories"
        value={form.values.category}
        onChange={({ target }) => form.set({ category: target.value })}
      />
      <datalist id="move-categories">
        {categories.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </FormDialog>
  );
}
