import type { InputOf } from '@foyer/protocol';
import { PAGE_LIMIT_MAX } from '@foyer/protocol/values/bounds';
import { queryOptions } from '@tanstack/react-query';
import { callPage } from '../../api.ts';
import { callQuery, pagesQuery } from '../../call-queries.ts';

export type ArticleFilter = Pick<InputOf<'articles.list'>, 'q' | 'status' | 'category'>;

/** The articles that match a filter, paged. */
export const articlesQuery = (filter: ArticleFilter) =>
  pagesQuery(['articles', 'list', filter], 'articles.list', () => filter);

/** Under the key of articles, so that it is refreshed with them. */
export const deletedArticlesQuery = pagesQuery(['articles', 'deleted'], 'deleted_articles.list', () => ({}));

/** An article with the agent's draft, its ratings and its other authors. */
export const openedArticleQuery = (id: number) =>
  callQuery(['articles', 'opened', id], 'articles.open', { id });

export const startersQuery = queryOptions({
  queryKey: ['starters'],
  queryFn: ({ signal }) =>
    callPage('conversation_starters.list', { limit: PAGE_LIMIT_MAX, order: 'asc' }, signal),
});

export const synonymsQuery = callQuery(['synonyms'], 'synonyms.get', {});
