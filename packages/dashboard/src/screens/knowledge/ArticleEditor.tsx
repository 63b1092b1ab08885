import type { ArticleDraft, ArticleStatus, OpenedArticle, OutputOf } from '@foyer/protocol';
import { ARTICLE_CATEGORY_MAX, ARTICLE_SLUG_MAX, ARTICLE_TITLE_MAX } from '@foyer/protocol/bounds';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { ExternalLink, History, Trash2 } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { base } from '../../base.ts';
import { openedArticleQuery } from '../../queries.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { LeaveQuestion } from '../../ui/LeaveGuard.tsx';
import { Page } from '../../ui/Page.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { Ago } from '../../ui/Time.tsx';
import { complain, say } from '../../ui/toast-store.ts';
import { GapQuestions } from '../bot/GapQuestions.tsx';
import { ArticleNotices, DraftWords } from './ArticleNotices.tsx';
import { ArticlePreview } from './ArticlePreview.tsx';
import { type ArticleForm, formOf, inputOf, isSameForm, useDraft } from './article-draft.ts';
import { ARTICLE_STATUS } from './article-words.ts';
import { useCategories } from './categories.ts';
import { DeleteArticle } from './DeleteArticle.tsx';
import { HistoryPanel } from './HistoryPanel.tsx';
import { MarkdownEditor } from './MarkdownEditor.tsx';
import { t } from './t.ts';

interface ArticleEditorProps {
  /** Undefined for a new one. */
  opened?: OpenedArticle;
  draft: ArticleDraft | null;
  /** What a new one is to answer: its questions stand beside the text, and one of them is its first title. */
  gap?: OutputOf<'gaps.get'> | undefined;
}

const startOf = (opened: OpenedArticle | undefined, gap: ArticleEditorProps['gap']): ArticleForm => ({
  ...formOf(opened?.article),
  ...(gap ? { title: gap.question.slice(0, ARTICLE_TITLE_MAX) } : {}),
});

/** What is written is kept as it is typed, for this agent alone, and becomes the article with “Save”. */
export function ArticleEditor({ opened, draft, gap }: ArticleEditorProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const categories = useCategories();
  const categoryList = useId();
  const [saved, setSaved] = useState(() => startOf(opened, gap));
  const [form, setForm] = useState(() => (draft ? formOf(draft) : saved));
  const [baseVersion, setBaseVersion] = useState(draft?.base_version ?? opened?.version ?? null);
  const shown = useRef(form);
  shown.current = form;
  const [slug, setSlug] = useState(opened?.article.slug ?? '');
  const [view, setView] = useState<'write' | 'preview'>('write');
  const [open, setOpen] = useState<'history' | 'delete' | null>(null);
  const dirty = !isSameForm(form, saved);
  const moved = opened !== undefined && slug !== opened.article.slug;
  const id = opened?.article.id ?? null;
  const keeping = useDraft({ articleId: id, baseVersion, draft, form, dirty });

  /** What was typed on while a new article was being saved is a draft of it, which its own page begins with. */
  const keepFor = (article_id: number, base_version: number): Promise<unknown> =>
    call('article_drafts.save', {
      article_id,
      base_version,
      revision: null,
      ...inputOf(shown.current),
    }).catch((error: unknown) => complain(t('draft_failed'), error));

  const save = useMutation({
    mutationFn: (written: ArticleForm) =>
      call('articles.save', {
        ...inputOf(written),
        ...(id === null ? {} : { id }),
        ...(baseVersion === null ? {} : { base_version: baseVersion }),
        ...(moved ? { slug } : {}),
      }),
    onSuccess: async ({ article, version }, written) => {
      const hasMore = !isSameForm(shown.current, written);
      if (id !== null)
        client.setQueryData(
          openedArticleQuery(id).queryKey,
          (before) => before && { ...before, article, version },
        );
      setSaved(formOf(article));
      // What was typed while it was being saved stays.
      if (!hasMore) setForm(formOf(article));
      setBaseVersion(version);
      setSlug(article.slug);
      keeping.forget();
      say(t(article.status === 'Published' ? 'saved_published' : 'saved'));
      void client.invalidateQueries({ queryKey: ['articles'] });
      void client.invalidateQueries({ queryKey: ['categories'] });
      if (id !== null) return;
      if (hasMore) await keepFor(article.id, version);
      await navigate({
        to: '/knowledge/$articleId',
        params: { articleId: String(article.id) },
        replace: true,
        ignoreBlocker: true,
      });
    },
    // Perhaps somebody else has saved: then that is shown.
    onError: () =>
      id !== null && void client.invalidateQueries({ queryKey: openedArticleQuery(id).queryKey }),
  });
  const reload = async (): Promise<void> => {
    if (id === null) return;
    const fresh = await client.fetchQuery({ ...openedArticleQuery(id), staleTime: 0 });
    setSaved(formOf(fresh.article));
    setForm(formOf(fresh.article));
    setBaseVersion(fresh.version);
    setSlug(fresh.article.slug);
    keeping.forget();
    save.reset();
  };
  const discard = useMutation({
    mutationFn: () => call('article_drafts.discard', { article_id: id }),
    onSuccess: () => {
      if (id !== null) return reload();
      setForm(formOf());
      keeping.forget();
    },
    onError: (error) => complain(t('give_up_failed'), error),
  });
  /** What is written and not saved stays: whether it counts is asked, as when somebody else has saved. */
  const restored = (): void => {
    say(t('restored'));
    void client.invalidateQueries({ queryKey: ['articles'] });
    void client.invalidateQueries({ queryKey: ['categories'] });
    if (!dirty) discard.mutate();
  };
  const blocker = useBlocker({
    // What is written is kept before one leaves; only where that fails is it asked.
    shouldBlockFn: async () => dirty && !(await keeping.flush()),
    enableBeforeUnload: () => dirty && !keeping.isKept(),
    withResolver: true,
  });
  const isLate = opened !== undefined && baseVersion !== null && opened.version !== baseVersion;
  const fields = save.error instanceof ApiError ? save.error : undefined;
  const set = (change: Partial<ArticleForm>): void => setForm({ ...form, ...change });
  const canSave = form.title.trim() !== '' && (dirty || moved || opened === undefined) && !isLate;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (canSave) save.mutate(form);
  };
  const press = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    if (canSave && !save.isPending) save.mutate(form);
  };
  return (
    <Page
      wide
      place={`article ${id ?? 'new'}`}
      title={opened ? saved.title : t('article_new')}
      back={{ to: '/knowledge', label: t('all_articles') }}
      actions={
        <>
          {opened ? (
            <>
              {saved.status === 'Published' ? (
                <a href={opened.url} target="_blank" rel="noreferrer" className={buttonLook()}>
                  <ExternalLink aria-hidden className="size-4" />
                  {t('view')}
                </a>
              ) : null}
              <Button icon={<History aria-hidden className="size-4" />} onClick={() => setOpen('history')}>
                {t('history')}
              </Button>
              <Button
                look="danger-quiet"
                icon={<Trash2 aria-hidden className="size-4" />}
                onClick={() => setOpen('delete')}
              >
                {t('delete')}
              </Button>
            </>
          ) : null}
          <Button
            look="primary"
            type="submit"
            form="article"
            title={`${base('key_ctrl')} S`}
            busy={save.isPending}
            disabled={!canSave}
          >
            {save.isPending ? t('saving') : form.status === 'Published' ? t('save_published') : base('save')}
          </Button>
        </>
      }
    >
      <form id="article" onSubmit={submit} onKeyDown={press} className="space-y-4">
        <ArticleNotices
          opened={opened}
          form={form}
          isLate={isLate}
          isDraft={draft !== null && dirty}
          busy={discard.isPending}
          onDiscard={() => discard.mutate()}
          onOverwrite={() => {
            if (!opened) return;
            setBaseVersion(opened.version);
            // What could not be saved is about to be: nobody is told once more that it was not.
            save.reset();
          }}
        />
        {save.error && !isLate && !fields?.isOnlyOf(['title', 'category', 'slug', 'body']) ? (
          <ErrorNote error={save.error} title={t('save_failed')} />
        ) : null}
        {gap ? <GapQuestions gap={gap} /> : null}
        <TextField
          label={t('title')}
          required
          maxLength={ARTICLE_TITLE_MAX}
          autoFocus={!opened}
          value={form.title}
          error={fields?.issue('title')}
          onChange={(event) => set({ title: event.target.value })}
        />
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          <SelectField
            label={t('status')}
            hint={t(`means_${form.status}`)}
            value={form.status}
            onChange={(event) => set({ status: event.target.value as ArticleStatus })}
          >
            {Object.values(ARTICLE_STATUS).map((status) => (
              <option key={status} value={status}>
                {t(`status_${status}`)}
              </option>
            ))}
          </SelectField>
          <TextField
            label={t('category')}
            hint={t('category_hint')}
            maxLength={ARTICLE_CATEGORY_MAX}
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
          {opened ? (
            <TextField
              label={t('address')}
              hint={t(moved ? 'address_moved' : 'address_hint')}
              maxLength={ARTICLE_SLUG_MAX}
              value={slug}
              error={fields?.issue('slug')}
              onChange={(event) => setSlug(event.target.value.toLowerCase().replace(/[\s/?#]+/g, '-'))}
            />
          ) : null}
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <DraftWords state={keeping.state} dirty={dirty} />
          <div className="xl:hidden">
            <Segments
              label={t('show')}
              value={view}
              options={[
                { value: 'write', label: t('write') },
                { value: 'preview', label: t('preview') },
              ]}
              onChange={setView}
            />
          </div>
        </div>
        <div className="grid gap-4 xl:grid-cols-2">
          <div className={view === 'write' ? 'min-w-0' : 'min-w-0 max-xl:hidden'}>
            <MarkdownEditor
              value={form.body}
              error={fields?.issue('body')}
              onChange={(body) => set({ body })}
            />
          </div>
          <div
            className={view === 'preview' ? 'flex min-w-0 flex-col' : 'flex min-w-0 flex-col max-xl:hidden'}
          >
            <p aria-hidden className="mb-2 h-8 py-1.5 font-medium max-xl:hidden">
              {t('preview')}
            </p>
            <ArticlePreview body={form.body} />
          </div>
        </div>
        {opened ? (
          <p className="text-faint text-xs">
            {t.rich('changed_when', { when: <Ago words utc={opened.article.updated_utc} /> })}
            {' · '}
            {opened.ratings.helpful + opened.ratings.unhelpful > 0
              ? t('ratings', opened.ratings)
              : t('ratings_none')}
          </p>
        ) : null}
      </form>
      {opened ? (
        <>
          <HistoryPanel
            articleId={opened.article.id}
            version={opened.version}
            open={open === 'history'}
            onClose={() => setOpen(null)}
            onRestored={restored}
          />
          <DeleteArticle article={opened.article} open={open === 'delete'} onClose={() => setOpen(null)} />
        </>
      ) : null}
      <LeaveQuestion blocker={blocker}>
        {form.title ? t('leave_hint', { title: form.title }) : t('leave_hint_untitled')}
      </LeaveQuestion>
    </Page>
  );
}
