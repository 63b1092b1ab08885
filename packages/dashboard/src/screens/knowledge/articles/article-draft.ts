import type { Article, ArticleDraft, ArticleStatus } from '@foyer/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, call } from '../../../api.ts';
import { meQuery } from '../../../queries.ts';

/** What an agent writes. */
export interface ArticleForm {
  title: string;
  category: string;
  status: ArticleStatus;
  body: string;
}

/** The editor's fields, filled from an article or a draft; empty for a new article. */
export const formOf = (
  source?: Pick<Article | ArticleDraft, 'title' | 'category' | 'status' | 'body'>,
): ArticleForm => ({
  title: source?.title ?? '',
  category: source?.category ?? '',
  status: source?.status ?? 'Draft',
  body: source?.body ?? '',
});

/** Whether two texts agree in every field. */
export const isSameForm = (one: ArticleForm, other: ArticleForm): boolean =>
  one.title === other.title &&
  one.category === other.category &&
  one.status === other.status &&
  one.body === other.body;

/** What a form sends. */
export const inputOf = (form: ArticleForm) => ({ ...form, category: form.category.trim() || null });

/** `elsewhere`: another window of the same agent has written since; this one keeps its text and stops saving. */
export type DraftState = 'idle' | 'waiting' | 'saving' | 'saved' | 'failed' | 'elsewhere';

const PAUSE_MS = 1_200;
const RETRY_MS = 5_000;

interface Options {
  articleId: number | null;
  baseVersion: number | null;
  draft: ArticleDraft | null;
  form: ArticleForm;
  /** False: nothing to save. */
  dirty: boolean;
}

/**
 * Saves the text as a draft on the server shortly after the last keystroke, one save at a time.
 * @returns the state, and a function that saves immediately and returns whether that worked
 */
export function useDraft({ articleId, baseVersion, draft, form, dirty }: Options) {
  const client = useQueryClient();
  const [state, setState] = useState<DraftState>(draft ? 'saved' : 'idle');
  const revision = useRef(draft?.revision ?? null);
  const kept = useRef(draft ? formOf(draft) : null);
  const latest = useRef({ form, dirty, baseVersion });
  latest.current = { form, dirty, baseVersion };
  const running = useRef<Promise<boolean> | null>(null);

  const isKept = (): boolean =>
    !latest.current.dirty || (kept.current !== null && isSameForm(kept.current, latest.current.form));

  const save = useCallback(async (): Promise<boolean> => {
    const { form: written, baseVersion: base_version } = latest.current;
    setState('saving');
    try {
      const saved = await call('article_drafts.save', {
        article_id: articleId,
        revision: revision.current,
        base_version,
        ...inputOf(written),
      });
      revision.current = saved.revision;
      kept.current = written;
      setState('saved');
      return true;
    } catch (error) {
      // No query or mutation reports the ended session here, so this does.
      if (error instanceof ApiError && error.code === 'unauthorized')
        client.fetchQuery({ ...meQuery, staleTime: 0 }).catch(() => undefined);
      setState(error instanceof ApiError && error.code === 'conflict' ? 'elsewhere' : 'failed');
      return false;
    }
  }, [articleId, client]);

  const flush = async (): Promise<boolean> => {
    await running.current;
    if (isKept()) return true;
    running.current = save().finally(() => {
      running.current = null;
    });
    return running.current;
  };
  const flushing = useRef(flush);
  flushing.current = flush;

  useEffect(() => {
    if (!dirty || state === 'elsewhere' || (kept.current && isSameForm(kept.current, form))) return;
    const timer = setTimeout(() => void flushing.current(), state === 'failed' ? RETRY_MS : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [form, dirty, state]);

  /** After a save or discard there is no draft left. */
  const forget = (): void => {
    revision.current = null;
    kept.current = null;
    setState('idle');
  };
  return { state: isKept() || state !== 'saved' ? state : ('waiting' as const), flush, isKept, forget };
}
