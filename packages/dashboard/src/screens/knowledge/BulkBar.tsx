import type { ArticleSelection, InputOf } from '@foyer/protocol';
import { ARTICLE_CATEGORY_MAX, DELETED_ARTICLES_KEPT_DAYS } from '@foyer/protocol/bounds';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Archive, FileCheck, FolderInput, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import type { ArticleFilter } from '../../queries.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { complain, say } from '../../ui/toast-store.ts';
import { useCategories } from './categories.ts';
import { useSayDeleted } from './put-back.ts';
import { t } from './t.ts';

interface BulkBarProps {
  filter: ArticleFilter;
  /** Those that the list shows so far. */
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
  /** What can be put back. */
  deleted: number[];
}

/** Changes one batch after the other, until nothing of the selection is left. */
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

/** What is done with the articles that are selected, or with all that the list’s filters match. */
export function BulkBar({ filter, shown, hasMore, chosen, onChoose }: BulkBarProps) {
  const client = useQueryClient();
  const sayDeleted = useSayDeleted();
  const [all, setAll] = useState(false);
  const [asking, setAsking] = useState<'delete' | 'move' | null>(null);
  const everyShown = shown.every((id) => chosen.has(id));
  const total = useQuery({
    queryKey: ['articles', 'count', filter],
    queryFn: ({ signal }) => call('articles.count', filter, signal),
    enabled: everyShown && hasMore,
  });
  const isAll = all && everyShown;
  const number = isAll ? (total.data?.count ?? chosen.size) : chosen.size;
  const close = (): void => {
    setAll(false);
    setAsking(null);
    onChoose(new Set());
  };
  const run = useMutation({
    mutationFn: (change: Change) => changeAll(isAll ? { filter } : { ids: [...chosen] }, change),
    onSuccess: ({ changed, failed, deleted }, change) => {
      if (change.action === 'delete') sayDeleted(t('bulk_deleted', { count: changed }), deleted);
      else say(t('bulk_changed', { count: changed }));
      const [first] = failed;
      if (first)
        complain(
          t('bulk_stayed', { count: failed.length }),
          new Error(t(failed.length > 1 ? 'bulk_stayed_many' : 'bulk_stayed_one', first)),
        );
      close();
    },
    onError: (error) => complain(t('bulk_failed'), error),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['articles'] });
      void client.invalidateQueries({ queryKey: ['categories'] });
    },
  });
  /** Without what went wrong before, which was another question's. */
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
        {t('selected_count', { count: number })}
      </p>
      {everyShown && hasMore && !isAll ? (
        <Button small disabled={!total.data} onClick={() => setAll(true)}>
          {t('select_all', { number: total.data?.count ?? '…' })}
        </Button>
      ) : everyShown ? null : (
        <Button small onClick={() => onChoose(new Set(shown))}>
          {t('select_shown')}
        </Button>
      )}
      <Button
        small
        icon={<FileCheck aria-hidden className="size-4" />}
        busy={run.isPending}
        onClick={() => run.mutate({ action: 'set_status', status: 'Published' })}
      >
        {t('publish')}
      </Button>
      <Button
        small
        icon={<Archive aria-hidden className="size-4" />}
        busy={run.isPending}
        onClick={() => run.mutate({ action: 'set_status', status: 'Archived' })}
      >
        {t('archive')}
      </Button>
      <Button
        small
        icon={<FolderInput aria-hidden className="size-4" />}
        busy={run.isPending}
        onClick={() => ask('move')}
      >
        {t('move')}
      </Button>
      <Button
        small
        look="danger-quiet"
        icon={<Trash2 aria-hidden className="size-4" />}
        busy={run.isPending}
        onClick={() => ask('delete')}
      >
        {t('delete')}
      </Button>
      <Confirm
        open={asking === 'delete'}
        onClose={() => setAsking(null)}
        title={t('bulk_delete_question', { count: number })}
        action={t('bulk_delete', { count: number })}
        busy={run.isPending}
        error={run.error}
        onConfirm={() => run.mutate({ action: 'delete' })}
      >
        {t('bulk_delete_hint', { days: DELETED_ARTICLES_KEPT_DAYS })}
      </Confirm>
      {asking === 'move' ? (
        <MoveDialog
          title={t('bulk_move', { count: number })}
          busy={run.isPending}
          error={run.error}
          onClose={() => setAsking(null)}
          onMove={(category) => run.mutate({ action: 'set_category', category })}
        />
      ) : null}
    </section>
  );
}

interface MoveDialogProps {
  title: string;
  busy: boolean;
  error: Error | null;
  onClose: () => void;
  onMove: (category: string | null) => void;
}

function MoveDialog({ title, busy, error, onClose, onMove }: MoveDialogProps) {
  const [category, setCategory] = useState('');
  const categories = useCategories();
  return (
    <FormDialog
      title={title}
      action={t('move')}
      failure={t('bulk_move_failed')}
      save={{ isPending: busy, error, mutate: () => onMove(category.trim() || null) }}
      fields={[]}
      onClose={onClose}
    >
      <TextField
        label={t('category')}
        hint={t('bulk_move_hint')}
        maxLength={ARTICLE_CATEGORY_MAX}
        autoFocus
        list="move-categories"
        value={category}
        onChange={(event) => setCategory(event.target.value)}
      />
      <datalist id="move-categories">
        {categories.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </FormDialog>
  );
}
