import type { ArticleStatus } from '@foyer/protocol';
import { ARTICLE_CATEGORY_MAX, ARTICLE_SLUG_MAX, ARTICLE_TITLE_MAX } from '@foyer/protocol/values/bounds';
import { useId } from 'react';
import { ApiError } from '../../api.ts';
import { SelectField, TextField } from '../../ui/forms/Field.tsx';
import { ARTICLE_STATUS } from './articles/article-words.ts';
import { useCategories } from './categories.ts';
import { t } from './t.ts';
import type { ArticleEditing } from './use-article-editor.ts';

/** The paths of an article's input whose errors its fields show. */
export const ARTICLE_FIELDS = ['title', 'category', 'slug', 'body'];

/** The last save's error in a field. */
export const issueIn = ({ save }: ArticleEditing, field: string): string | undefined =>
  save.error instanceof ApiError ? save.error.issue(field) : undefined;

/** Title, status, category and address of an article. */
export function ArticleFields({ editing }: { editing: ArticleEditing }) {
  const { opened, form, set, slug, setSlug, moved } = editing;
  const categories = useCategories();
  const listId = useId();
  return (
    <>
      <TextField
        label={t('title')}
        required
        maxLength={ARTICLE_TITLE_MAX}
        autoFocus={!opened}
        value={form.title}
        error={issueIn(editing, 'title')}
        onChange={(event) => set({ title: event.target.value })}
      />
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <SelectField
          label={t('status')}
          hint={t(`means_${form.status}`)}
          value={form.status}
          onChange={(event) => set({ status: event.target.value as ArticleStatus })}
          options={Object.values(ARTICLE_STATUS).map((status) => ({
            value: status,
            label: t(`status_${status}`),
          }))}
        />
        <TextField
          label={t('category')}
          hint={t('category_hint')}
          maxLength={ARTICLE_CATEGORY_MAX}
          list={listId}
          value={form.category}
          error={issueIn(editing, 'category')}
          onChange={(event) => set({ category: event.target.value })}
        />
        <datalist id={listId}>
          {categories.map((category) => (
            <option key={category} value={category} />
          ))}
        </datalist>
        {opened ? (
          <TextField
            label={t('address')}
            hint={t(moved ? 'address_moved' : 'address_hint')}
            maxLength={ARTICLE_SLUG_MAX}
            value={slug}
            error={issueIn(editing, 'slug')}
            onChange={(event) => setSlug(event.target.value.toLowerCase().replace(/[\s/?#]+/g, '-'))}
          />
        ) : null}
      </div>
    </>
  );
}
