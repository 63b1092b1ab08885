import { type AnyOperation, operation } from '../operation.ts';
import { getHelpArticle, getHelpHome, listHelpArticles, searchHelp } from './help.ts';

const visitor = { who: ['visitor'], scope: 'read' } as const;

/** What a visitor may read of the published articles, in the widget. */
export const helpOperations: AnyOperation[] = [
  operation({
    ...visitor,
    name: 'help.home',
    summary: 'The categories with their first articles',
    run: (ctx) => getHelpHome(ctx),
  }),
  operation({
    ...visitor,
    name: 'help.articles',
    summary: 'The articles of a category, page by page',
    run: listHelpArticles,
  }),
  operation({
    ...visitor,
    name: 'help.search',
    summary: 'Articles that meet what was typed, best first',
    run: searchHelp,
  }),
  operation({
    ...visitor,
    name: 'help.article',
    summary: 'One published article',
    run: getHelpArticle,
  }),
];
