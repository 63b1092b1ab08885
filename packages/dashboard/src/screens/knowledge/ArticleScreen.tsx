import type { Article, ArticleStatus } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useBlocker, useNavigate } from '@tanstack/react-router';
import { FileX, Trash2 } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { Markdown } from '../../markdown/Markdown.tsx';
import { articleQuery } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { SelectField, TextArea, TextField } from '../../ui/Field.tsx';
import { Page } from '../../ui/Page.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { Bone, Empty } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { say } from '../../ui/toast-store.ts';
import { ARTICLE_STATUS, STATUS_MEANS } from './article-words.ts';
import { useCategories } from './categories.ts';

const route = getRouteApi('/desk/knowledge/$articleId');

/** ARTICLE_TITLE_MAX of the protocol. */
const TITLE_MAX = 300;

export function NewArticleScreen() {
  return <Editor />;
}

export function ArticleScreen() {
  const id = Number(route.useParams().articleId);
  const valid = Number.isSafeInteger(id) && id > 0;
  const { data, error, refetch } = useQuery({ ...articleQuery(id), enabled: valid });
  if (data) return <Editor key={data.id} article={data} />;
  if (!valid || (error instanceof ApiError && error.code === 'not_found')) {
    return (
      <div className="flex-1 bg-surface">
        <Empty icon={<FileX />} title="There is no such article">
          It may have been deleted, or the link is incomplete.
        </Empty>
      </div>
    );
  }
  return (
    <Page place={`article ${id}`} title="Article">
      {error ? (
        <ErrorNote error={error} title="The article could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <Bone className="late pulse-soft h-80" />
      )}
    </Page>
  );
}

interface Form {
  title: string;
  category: string;
  status: ArticleStatus;
  body: string;
}

const formOf = (article?: Article): Form => ({
  title: article?.title ?? '',
  category: article?.category ?? '',
  status: article?.status ?? 'Draft',
  body: article?.body ?? '',
});

function useSave(form: Form, article: Article | undefined, onSaved: (saved: Article) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => {
      const input = { ...form, category: form.category.trim() || null };
      return article ? call('articles.update', { id: article.id, ...input }) : call('articles.create', input);
    },
    onSuccess: (saved) => {
      client.setQueryData(articleQuery(saved.id).queryKey, saved);
      void client.invalidateQueries({ queryKey: ['articles'] });
      say(saved.status === 'Published' ? 'Saved. The bot answers from it now.' : 'Saved.');
      onSaved(saved);
    },
  });
}

function Editor({ article }: { article?: Article }) {
  const [form, setForm] = useState(() => formOf(article));
  const [view, setView] = useState<'write' | 'preview'>('write');
  const [deleting, setDeleting] = useState(false);
  const [saved, setSaved] = useState(() => formOf(article));
  const navigate = useNavigate();
  const categories = useCategories();
  const categoryList = useId();
  const dirty = JSON.stringify(form) !== JSON.stringify(saved);
  const save = useSave(form, article, (made) => {
    setSaved(form);
    if (!article) {
      void navigate({
        to: '/knowledge/$articleId',
        params: { articleId: String(made.id) },
        ignoreBlocker: true,
      });
    }
  });
  const blocker = useBlocker({
    shouldBlockFn: () => dirty,
    enableBeforeUnload: () => dirty,
    withResolver: true,
  });
  const fields = save.error instanceof ApiError ? save.error : undefined;
  const set = (change: Partial<Form>): void => setForm({ ...form, ...change });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Page
      wide
      place={`article ${article?.id ?? 'new'}`}
      title={article ? article.title : 'New article'}
      back={{ to: '/knowledge', label: 'All articles' }}
      actions={
        <>
          {article ? (
            <Button
              look="danger-quiet"
              icon={<Trash2 aria-hidden className="size-4" />}
              onClick={() => setDeleting(true)}
            >
              Delete
            </Button>
          ) : null}
          <Button
            look="primary"
            type="submit"
            form="article"
            busy={save.isPending}
            disabled={form.title.trim() === '' || (article !== undefined && !dirty)}
          >
            {save.isPending ? 'Saving…' : 'Save'}
          </Button>
        </>
      }
    >
      <form id="article" onSubmit={submit} className="grid gap-6 lg:grid-cols-[1fr_16rem]">
        <div className="min-w-0 space-y-4">
          {save.error && !(fields && fields.issues.length > 0) ? (
            <ErrorNote error={save.error} title="The article was not saved. What you wrote is still here." />
          ) : null}
          <TextField
            label="Title"
            required
            maxLength={TITLE_MAX}
            autoFocus={!article}
            value={form.title}
            error={fields?.issue('title')}
            onChange={(event) => set({ title: event.target.value })}
          />
          <div>
            <div className="mb-2 flex items-center justify-between gap-4">
              <span className="font-medium">Text</span>
              <Segments
                label="Show"
                value={view}
                options={[
                  { value: 'write', label: 'Write' },
                  { value: 'preview', label: 'Preview' },
                ]}
                onChange={setView}
              />
            </div>
            {view === 'write' ? (
              <TextArea
                bare
                label="Text"
                rows={22}
                spellCheck
                placeholder="Markdown: # headings, **bold**, lists, links"
                className="min-h-96 resize-y font-mono text-[13px] leading-5"
                value={form.body}
                error={fields?.issue('body')}
                onChange={(event) => set({ body: event.target.value })}
              />
            ) : (
              <div className="min-h-96 rounded-lg border p-5 text-base">
                {form.body.trim() ? (
                  <Markdown text={form.body} />
                ) : (
                  <p className="text-faint">Nothing written yet.</p>
                )}
              </div>
            )}
          </div>
        </div>
        <div className="space-y-4">
          <SelectField
            label="Status"
            hint={STATUS_MEANS[form.status]}
            value={form.status}
            onChange={(event) => set({ status: event.target.value as ArticleStatus })}
          >
            {Object.values(ARTICLE_STATUS).map((status) => (
              <option key={status}>{status}</option>
            ))}
          </SelectField>
          <TextField
            label="Category"
            hint="To find and group articles. May stay empty."
            maxLength={100}
            list={categoryList}
            value={form.category}
            error={fields?.issue('category')}
            onChange={(event) => set({ category: event.target.value })}
          />
          <datalist id={categoryList}>
            {categories.map((category) => (
              <option key={category} value={category} />
            ))}
          </datalist>
          {article ? (
            <p className="text-faint text-xs">
              Last changed <Ago words utc={article.updated_utc} />
              {dirty ? ' · not saved yet' : ''}
            </p>
          ) : null}
        </div>
      </form>
      {article ? (
        <DeleteArticle article={article} open={deleting} onClose={() => setDeleting(false)} />
      ) : null}
      <Confirm
        open={blocker.status === 'blocked'}
        onClose={() => blocker.reset?.()}
        title="Leave without saving?"
        action="Leave"
        keep="Stay here"
        onConfirm={() => blocker.proceed?.()}
      >
        What you changed in “{form.title || 'this article'}” is not saved and would be lost.
      </Confirm>
    </Page>
  );
}

function DeleteArticle({ article, open, onClose }: { article: Article; open: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call('articles.delete', { id: article.id }),
    onSuccess: async () => {
      await navigate({ to: '/knowledge', ignoreBlocker: true });
      client.removeQueries({ queryKey: articleQuery(article.id).queryKey });
      void client.invalidateQueries({ queryKey: ['articles'] });
      say('The article was deleted.');
    },
  });
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={`Delete “${article.title}”?`}
      action="Delete article"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    >
      Its text goes for good, and the bot no longer answers from it. To keep the text, set its status to
      Archived instead.
    </Confirm>
  );
}
