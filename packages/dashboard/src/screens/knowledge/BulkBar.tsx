import type { ArticleSelection, InputOf } from '@foyer/protocol';
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
import { count } from '../../words.ts';
import { useCategories } from './categories.ts';
import { KEPT_DAYS, useSayDeleted } from './put-back.ts';

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
      if (change.action === 'delete') sayDeleted(`${count(changed, 'article')} deleted.`, deleted);
      else say(`${count(changed, 'article')} changed.`);
      const [first] = failed;
      if (first)
        complain(
          `${count(failed.length, 'article')} stayed`,
          new Error(`“${first.title}”${failed.length > 1 ? ' and others' : ''}: ${first.message}`),
        );
      close();
    },
    onError: (error) => complain('Not everything was changed', error),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['articles'] });
      void client.invalidateQueries({ queryKey: ['categories'] });
    },
  });
  return (
    <section
      aria-label="Selected articles"
      className="flex basis-full flex-wrap items-center gap-2 rounded-lg border border-accent-line bg-accent-ground px-3 py-2"
    >
      <IconButton label="Select none" onClick={close}>
        <X aria-hidden className="size-4" />
      </IconButton>
      <p role="status" className="tabular me-auto font-medium">
        {count(number, 'article')} selected
      </p>
      {everyShown && hasMore && !isAll ? (
        <Button small disabled={!total.data} onClick={() => setAll(true)}>
          Select all {total.data?.count.toLocaleString() ?? ''} that match
        </Button>
      ) : everyShown ? null : (
        <Button small onClick={() => onChoose(new Set(shown))}>
          Select all shown
        </Button>
      )}
      <Button
        small
        icon={<FileCheck aria-hidden className="size-4" />}
        busy={run.isPending}
        onClick={() => run.mutate({ action: 'set_status', status: 'Published' })}
      >
        Publish
      </Button>
      <Button
        small
        icon={<Archive aria-hidden className="size-4" />}
        busy={run.isPending}
        onClick={() => run.mutate({ action: 'set_status', status: 'Archived' })}
      >
        Archive
      </Button>
      <Button
        small
        icon={<FolderInput aria-hidden className="size-4" />}
        busy={run.isPending}
        onClick={() => setAsking('move')}
      >
        Move
      </Button>
      <Button
        small
        look="danger-quiet"
        icon={<Trash2 aria-hidden className="size-4" />}
        busy={run.isPending}
        onClick={() => setAsking('delete')}
      >
        Delete
      </Button>
      <Confirm
        open={asking === 'delete'}
        onClose={() => setAsking(null)}
        title={`Delete ${count(number, 'article')}?`}
        action={`Delete ${count(number, 'article')}`}
        busy={run.isPending}
        error={run.error}
        onConfirm={() => run.mutate({ action: 'delete' })}
      >
        Readers no longer find them, and the bot no longer answers from them. For {KEPT_DAYS} days you can
        have them back, with their history, under Recently deleted.
      </Confirm>
      {asking === 'move' ? (
        <MoveDialog
          title={`Move ${count(number, 'article')}`}
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
      action="Move"
      failure="They were not moved."
      save={{ isPending: busy, error, mutate: () => onMove(category.trim() || null) }}
      fields={[]}
      onClose={onClose}
    >
      <TextField
        label="Category"
        hint="A new name makes a new category; none leaves them without one."
        maxLength={100}
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
