import type { Category } from '@foyer/protocol';
import { ARTICLE_CATEGORY_MAX } from '@foyer/protocol/values/bounds';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FolderTree, GripVertical, Merge, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import { setOptimistically } from '../../call-queries.ts';
import { useMay } from '../../desk/DeskContext.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import { MergeDialog } from '../../forms/MergeDialog.tsx';
import { useForm } from '../../forms/use-form.ts';
import { tCommon } from '../../t-common.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmAction } from '../../ui/ConfirmAction.tsx';
import { cx, LINE } from '../../ui/classes.ts';
import { TextField } from '../../ui/forms/Field.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Page, Rows } from '../../ui/Page.tsx';
import { MoveButtons, movedIn, useRowOrder } from '../../ui/rows/RowOrder.tsx';
import { Empty } from '../../ui/States.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { Waiting } from '../../ui/Waiting.tsx';
import { categoriesQuery } from './categories.ts';
import { t } from './t.ts';

type Asking = { what: 'name' | 'merge' | 'delete'; category: Category | null } | null;

/** The categories in the order that readers see. */
export function CategoriesScreen() {
  const { data, error, refetch } = useQuery(categoriesQuery);
  const [asking, setAsking] = useState<Asking>(null);
  const isAdmin = useMay('knowledge');
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
      back={{ to: '/knowledge', label: tCommon('nav_knowledge') }}
      actions={data?.length ? add : null}
    >
      {!data ? (
        <Waiting error={error} retry={refetch} failed={t('categories_failed')} rows={4} />
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
  const move = useMove();
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
            <CategoryWords category={category} />
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
                <CategoryMenu category={category} canMerge={categories.length > 1} onAsk={onAsk} />
              </>
            ) : null}
          </li>
        ))}
      </Rows>
    </>
  );
}

/** Moves a category before another, first in the list and then on the server. */
function useMove() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: { id: number; before_id: number | null }) => call('categories.move', input),
    onMutate: ({ id, before_id }) =>
      setOptimistically<Category[]>(client, categoriesQuery.queryKey, (categories) => {
        const moved = categories.find((one) => one.id === id);
        const rest = categories.filter((one) => one.id !== id);
        const at = before_id === null ? rest.length : rest.findIndex((one) => one.id === before_id);
        return moved && at >= 0 ? rest.toSpliced(at, 0, moved) : categories;
      }),
    onError: (error) => toast.error(t('order_failed'), error),
    onSettled: () => client.invalidateQueries({ queryKey: categoriesQuery.queryKey }),
  });
}

function CategoryWords({ category }: { category: Category }) {
  return (
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
  );
}

interface CategoryMenuProps {
  category: Category;
  canMerge: boolean;
  onAsk: (asking: Asking) => void;
}

function CategoryMenu({ category, canMerge, onAsk }: CategoryMenuProps) {
  return (
    <Menu
      label={t('more_named', { name: category.name })}
      items={[
        {
          label: t('rename'),
          icon: <Pencil aria-hidden className="size-4" />,
          onSelect: () => onAsk({ what: 'name', category }),
        },
        canMerge && {
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
  );
}

/** Changing a category also changes its articles. */
function useChanged(onClose: () => void) {
  const client = useQueryClient();
  return async (): Promise<void> => {
    void client.invalidateQueries({ queryKey: ['articles'] });
    await client.invalidateQueries({ queryKey: categoriesQuery.queryKey });
    onClose();
  };
}

function NameDialog({ category, onClose }: { category: Category | null; onClose: () => void }) {
  const form = useForm({
    initial: { name: category?.name ?? '' },
    save: (values) =>
      category
        ? call('categories.update', { id: category.id, ...values })
        : call('categories.create', values),
    onSaved: useChanged(onClose),
  });
  return (
    <FormDialog title={t(category ? 'category_rename' : 'category_new')} form={form} onClose={onClose}>
      <TextField
        label={t('name')}
        required
        autoFocus
        maxLength={ARTICLE_CATEGORY_MAX}
        hint={category ? t('category_rename_hint') : undefined}
        {...form.text('name')}
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
  const form = useForm({
    initial: { into: others[0]?.id ?? 0 },
    save: ({ into }) => call('categories.merge', { id: category.id, into_id: into }),
    onSaved: useChanged(onClose),
  });
  return (
    <MergeDialog
      title={t('merge_named', { name: category.name })}
      action={t('merge')}
      failure={t('merge_failed')}
      label={t('merge_into')}
      hint={t('merge_hint', { count: category.article_count, name: category.name })}
      others={others}
      form={form}
      onClose={onClose}
    />
  );
}

function DeleteCategory({ category, onClose }: { category: Category; onClose: () => void }) {
  const changed = useChanged(onClose);
  return (
    <ConfirmAction
      open
      onClose={onClose}
      title={t('category_delete_question', { name: category.name })}
      action={t('category_delete')}
      run={() => call('categories.delete', { id: category.id })}
      onDone={changed}
    >
      {t('category_delete_hint', { count: category.article_count })}
    </ConfirmAction>
  );
}
