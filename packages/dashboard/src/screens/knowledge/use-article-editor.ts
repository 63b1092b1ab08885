import type { ArticleDraft, OpenedArticle, OutputOf } from '@foyer/protocol';
import { ARTICLE_TITLE_MAX } from '@foyer/protocol/values/bounds';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { call } from '../../api.ts';
import { toast } from '../../ui/toasts/toast-store.ts';
import { type ArticleForm, formOf, inputOf, isSameForm, useDraft } from './articles/article-draft.ts';
import { openedArticleQuery } from './knowledge-queries.ts';
import { t } from './t.ts';

export interface ArticleEditorProps {
  /** Undefined for a new article. */
  opened?: OpenedArticle;
  draft: ArticleDraft | null;
  /**
   * The gap for which a new article is written: its questions are beside the text, and one becomes the initial
   * title.
   */
  gap?: OutputOf<'gaps.get'> | undefined;
}

/** The editor's state and actions. */
export type ArticleEditing = ReturnType<typeof useArticleEditor>;

const startOf = (opened: OpenedArticle | undefined, gap: ArticleEditorProps['gap']): ArticleForm => ({
  ...formOf(opened?.article),
  ...(gap ? { title: gap.question.slice(0, ARTICLE_TITLE_MAX) } : {}),
});

/** Reloads lists and counts of articles and categories. */
function useArticlesChanged(): () => void {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: ['articles'] });
    void client.invalidateQueries({ queryKey: ['categories'] });
  };
}

/** The text, what it is compared with, and the version that a save is based on. */
function useArticleText({ opened, draft, gap }: ArticleEditorProps) {
  const [saved, setSaved] = useState(() => startOf(opened, gap));
  const [form, setForm] = useState(() => (draft ? formOf(draft) : saved));
  const [baseVersion, setBaseVersion] = useState(draft?.base_version ?? opened?.version ?? null);
  const [slug, setSlug] = useState(opened?.article.slug ?? '');
  const shown = useRef(form);
  shown.current = form;
  const id = opened?.article.id ?? null;
  const dirty = !isSameForm(form, saved);
  const keeping = useDraft({ articleId: id, baseVersion, draft, form, dirty });
  /** Takes over the server's version. What was typed since `sent` stays; without it, everything is replaced. */
  const adopt = ({ article, version }: Pick<OpenedArticle, 'article' | 'version'>, sent?: ArticleForm) => {
    const hasMore = sent !== undefined && !isSameForm(shown.current, sent);
    setSaved(formOf(article));
    if (!hasMore) setForm(formOf(article));
    setBaseVersion(version);
    setSlug(article.slug);
    keeping.forget();
    return hasMore;
  };
  return {
    id,
    form,
    setForm,
    shown,
    saved,
    slug,
    setSlug,
    moved: opened !== undefined && slug !== opened.article.slug,
    baseVersion,
    setBaseVersion,
    dirty,
    keeping,
    adopt,
  };
}

type ArticleText = ReturnType<typeof useArticleText>;

function useSaveArticle({ id, shown, slug, moved, baseVersion, adopt }: ArticleText) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const articlesChanged = useArticlesChanged();
  /** Text typed while a new article was being saved becomes its draft, with which its own page opens. */
  const keepFor = (article_id: number, base_version: number): Promise<unknown> =>
    call('article_drafts.save', {
      article_id,
      base_version,
      revision: null,
      ...inputOf(shown.current),
    }).catch((error: unknown) => toast.error(t('draft_failed'), error));
  return useMutation({
    mutationFn: (written: ArticleForm) =>
      call('articles.save', {
        ...inputOf(written),
        ...(id === null ? {} : { id }),
        ...(baseVersion === null ? {} : { base_version: baseVersion }),
        ...(moved ? { slug } : {}),
      }),
    onSuccess: async ({ article, version }, written) => {
      if (id !== null)
        client.setQueryData(
          openedArticleQuery(id).queryKey,
          (before) => before && { ...before, article, version },
        );
      const hasMore = adopt({ article, version }, written);
      toast.success(t(article.status === 'Published' ? 'saved_published' : 'saved'));
      articlesChanged();
      if (id !== null) return;
      if (hasMore) await keepFor(article.id, version);
      await navigate({
        to: '/knowledge/$articleId',
        params: { articleId: String(article.id) },
        replace: true,
        ignoreBlocker: true,
      });
    },
    // Somebody else may have saved: then that is shown.
    onError: () =>
      id !== null && void client.invalidateQueries({ queryKey: openedArticleQuery(id).queryKey }),
  });
}

/** Discards the draft: an existing article shows the server's text again. */
function useDiscard({ id, setForm, keeping, adopt }: ArticleText, onReloaded: () => void) {
  const client = useQueryClient();
  const reload = async (articleId: number): Promise<void> => {
    adopt(await client.fetchQuery({ ...openedArticleQuery(articleId), staleTime: 0 }));
    onReloaded();
  };
  return useMutation({
    mutationFn: () => call('article_drafts.discard', { article_id: id }),
    onSuccess: () => {
      if (id !== null) return reload(id);
      setForm(formOf());
      keeping.forget();
    },
    onError: (error) => toast.error(t('discard_failed'), error),
  });
}

/** Saves what is typed as a draft for this agent only; "Save" changes the article. */
export function useArticleEditor(props: ArticleEditorProps) {
  const { opened } = props;
  const text = useArticleText(props);
  const { form, dirty, moved, baseVersion, keeping } = text;
  const save = useSaveArticle(text);
  const discard = useDiscard(text, save.reset);
  const articlesChanged = useArticlesChanged();
  const blocker = useBlocker({
    // Saves the draft before leaving the page, and only asks the agent if that fails.
    shouldBlockFn: async () => dirty && !(await keeping.flush()),
    enableBeforeUnload: () => dirty && !keeping.isKept(),
    withResolver: true,
  });
  const isLate = opened !== undefined && baseVersion !== null && opened.version !== baseVersion;
  const canSave = form.title.trim() !== '' && (dirty || moved || opened === undefined) && !isLate;
  return {
    ...text,
    ...props,
    save,
    discard,
    blocker,
    /** Somebody else has saved since this text was begun. */
    isLate,
    canSave,
    set: (change: Partial<ArticleForm>): void => text.setForm({ ...form, ...change }),
    saveNow: (): void => {
      if (canSave && !save.isPending) save.mutate(form);
    },
    overwrite: (): void => {
      if (!opened) return;
      text.setBaseVersion(opened.version);
      // The error is about to be fixed, so it isn't shown again.
      save.reset();
    },
    /** After restoring an older version. Unsaved text stays: the agent chooses, as if somebody else had saved. */
    restored: (): void => {
      toast.success(t('restored'));
      articlesChanged();
      if (!dirty) discard.mutate();
    },
  };
}
