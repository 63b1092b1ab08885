import type { Category } from '@foyer/protocol';
import { ARTICLE_CATEGORY_MAX } from '@foyer/protocol/bounds';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FolderTree, GripVertical, Merge, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { base } from '../../base.ts';
import { useIsAdmin } from '../../desk/DeskContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { cx, LINE } from '../../ui/classes.ts';
import { Confirm } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { MergeDialog } from '../../ui/MergeDialog.tsx';
import { Page, Rows } from '../../ui/Page.tsx';
import { MoveButtons, movedIn, useRowOrder } from '../../ui/RowOrder.tsx';
import { Empty, ListBones } from '../../ui/States.tsx';
import { complain } from '../../ui/toast-store.ts';
import { categoriesQuery } from './categories.ts';
import { t } from './t.ts';

type Asking = { what: 'name' | 'merge' | 'delete'; category: Category | null } | null;

/** Where articles stand, in the order in which readers see it. */
export function CategoriesScreen() {
  const { data, error, refetch, isPending } = useQuery(categoriesQuery);
  const [asking, setAsking] = useState<Asking>(null);
  const isAdmin = useIsAdmin();
  const add = isAdmin ? (
    <Button
      look="primary"
      icon={<Plus aria-hidden className="size-4" />}
      onClick={() => setAsking({ what: 'name', category: null })}
    >
      {t('category_new')}
    </Button>
  ) : null;
  return (
    <Page
      place="categories"
      title={t('categories')}
      intro={isAdmin ? t('categories_intro') : t('categories_intro_fixed')}
      back={{ to: '/knowledge', label: base('nav_knowledge') }}
      actions={data?.length ? add : null}
    >
      {isPending ? (
        <ListBones rows={4} face={false} />
      ) : error && !data ? (
        <ErrorNote error={error} title={t('categories_failed')} onRetry={() => void refetch()} />
      ) : !data?.length ? (
        <Empty icon={<FolderTree />} title={t('categories_none')} action={add}>
          {t('categories_none_hint')}
        </Empty>
      ) : (
        <CategoryList categories={data} isAdmin={isAdmin} onAsk={setAsking} />
      )}
      {asking?.what === 'name' ? (
        <NameDialog category={asking.category} onClose={() => setAsking(null)} />
      ) : null}
      {asking?.what === 'merge' && asking.category ? (
        <MergeCategory category={asking.category} categories={data ?? []} onClose={() => setAsking(null)} />
      ) : null}
      {asking?.what === 'delete' && asking.category ? (
        <DeleteCategory category={asking.category} onClose={() => setAsking(null)} />
      ) : null}
    </Page>
  );
}

interface CategoryListProps {
  categories: Category[];
  isAdmin: boolean;
  onAsk: (asking: Asking) => void;
}

function CategoryList({ categories, isAdmin, onAsk }: CategoryListProps) {
  const client = useQueryClient();
  const move = useMutation({
    mutationFn: (input: { id: number; before_id: number | null }) => call('categories.move', input),
    onMutate: ({ id, before_id }) => {
      const moved = categories.find((one) => one.id === id);
      const rest = categories.filter((one) => one.id !== id);
      const at = before_id === null ? rest.length : rest.findIndex((one) => one.id === before_id);
      if (moved && at >= 0) client.setQueryData(categoriesQuery.queryKey, rest.toSpliced(at, 0, moved));
    },
    onError: (error) => complain(t('order_failed'), error),
    onSettled: () => client.invalidateQueries({ queryKey: categoriesQuery.queryKey }),
  });
  const order = useRowOrder({
    count: categories.length,
    off: !isAdmin || move.isPending,
    onMove: (from, to) => {
      const [moved, next] = movedIn(categories, from, to).slice(to, to + 2);
      if (moved) move.mutate({ id: moved.id, before_id: next?.id ?? null });
    },
    words: (from, to) =>
      t('row_moved', { name: categories[from]?.name ?? '', to: to + 1, total: categories.length }),
  });
  return (
    <>
      {order.status}
      <Rows label={t('categories')}>
        {categories.map((category, at) => (
          <li
            key={category.id}
            {...order.rowProps(at)}
            className={cx('flex items-center gap-2 py-1.5 ps-3 pe-2', order.lookOf(at))}
          >
            {isAdmin ? <GripVertical aria-hidden className="size-4 shrink-0 cursor-grab text-faint" /> : null}
            <div className="flex min-w-0 flex-1 items-center gap-x-2 max-sm:flex-col max-sm:items-stretch">
              <Link
                to="/knowledge"
                search={{ category: category.name }}
                className={cx(LINE, 'min-w-0 flex-1 py-1 font-medium hover:underline')}
              >
                <bdi>{category.name}</bdi>
              </Link>
              <span className="tabular shrink-0 text-faint text-xs">
                {t('published_of', { published: category.published_count, count: category.article_count })}
              </span>
            </div>
            {isAdmin ? (
              <>
                <MoveButtons
                  at={at}
                  count={categories.length}
                  up={t('move_up', { name: category.name })}
                  down={t('move_down', { name: category.name })}
                  busy={move.isPending}
                  onMove={order.move}
                />
                <Menu
                  label={t('more_named', { name: category.name })}
                  items={[
                    {
                      label: t('rename'),
                      icon: <Pencil aria-hidden className="size-4" />,
                      onSelect: () => onAsk({ what: 'name', category }),
                    },
                    categories.length > 1 && {
                      label: t('merge_other'),
                      icon: <Merge aria-hidden className="size-4" />,
                      onSelect: () => onAsk({ what: 'merge', category }),
                    },
                    {
                      label: t('delete'),
                      danger: true,
                      icon: <Trash2 aria-hidden className="size-4" />,
                      onSelect: () => onAsk({ what: 'delete', category }),
                    },
                  ]}
                />
              </>
            ) : null}
          </li>
        ))}
      </Rows>
    </>
  );
}

/** After a change of a category its articles say something else too. */
function useChanged(onClose: () => void) {
  const client = useQueryClient();
  return async (): Promise<void> => {
    void client.invalidateQueries({ queryKey: ['articles'] });
    await client.invalidateQueries({ queryKey: categoriesQuery.queryKey });
    onClose();
  };
}

function NameDialog({ category, onClose }: { category: Category | null; onClose: () => void }) {
  const [name, setName] = useState(category?.name ?? '');
  const changed = useChanged(onClose);
  const save = useMutation({
    mutationFn: () =>
      category ? call('categories.update', { id: category.id, name }) : call('categories.create', { name }),
    onSuccess: changed,
  });
  const fields = save.error instanceof ApiError ? save.error : undefined;
  return (
    <FormDialog
      title={t(category ? 'category_rename' : 'category_new')}
      save={save}
      fields={['name']}
      onClose={onClose}
    >
      <TextField
        label={t('name')}
        required
        autoFocus
        maxLength={ARTICLE_CATEGORY_MAX}
        hint={category ? t('category_rename_hint') : undefined}
        value={name}
        error={fields?.issue('name')}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}

interface MergeCategoryProps {
  category: Category;
  categories: readonly Category[];
  onClose: () => void;
}

function MergeCategory({ category, categories, onClose }: MergeCategoryProps) {
  const others = categories.filter(({ id }) => id !== category.id);
  const [into, setInto] = useState(others[0]?.id ?? 0);
  const changed = useChanged(onClose);
  const merge = useMutation({
    mutationFn: () => call('categories.merge', { id: category.id, into_id: into }),
    onSuccess: changed,
  });
  return (
    <MergeDialog
      title={t('merge_named', { name: category.name })}
      action={t('merge')}
      failure={t('merge_failed')}
      label={t('merge_into')}
      hint={t('merge_hint', { count: category.article_count, name: category.name })}
      others={others}
      into={into}
      onInto={setInto}
      save={merge}
      onClose={onClose}
    />
  );
}

function DeleteCategory({ category, onClose }: { category: Category; onClose: () => void }) {
  const changed = useChanged(onClose);
  const remove = useMutation({
    mutationFn: () => call('categories.delete', { id: category.id }),
    onSuccess: changed,
  });
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('category_delete_question', { name: category.name })}
      action={t('category_delete')}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    >
      {t('category_delete_hint', { count: category.article_count })}
    </Confirm>
  );
}
