import { type AnyOperation, adminsWrite, agentsRead, agentsWrite, operation } from '../../core/operation.ts';
import { renderArticle } from '../articles/html.ts';
import { keepImage } from '../articles/images.ts';
import { getHelpArticle, getHelpHome, listHelpArticles, searchHelp } from './help.ts';
import { rateAsVisitor } from './ratings.ts';
import { getHelpSettings, helpPath, updateHelpSettings } from './settings.ts';

const visitor = { who: ['visitor'], scope: 'read' } as const;

/** Published articles for visitors in the widget, and the team's settings of the help centre. */
export const helpOperations: AnyOperation[] = [
  operation({
    ...visitor,
    name: 'help.home',
    summary: 'List categories with their first articles',
    run: (ctx) => getHelpHome(ctx),
  }),
  operation({
    ...visitor,
    name: 'help.articles',
    summary: 'List the articles of a category',
    run: listHelpArticles,
  }),
  operation({
    ...visitor,
    name: 'help.search',
    summary: 'Search published articles, best first',
    run: searchHelp,
  }),
  operation({
    ...visitor,
    name: 'help.article',
    summary: 'Read a published article',
    async run(ctx, input) {
      const { body, ...article } = await getHelpArticle(ctx, input);
      const path = await helpPath(ctx);
      return {
        ...article,
        html: String(renderArticle(body).html),
        path: `${path}/articles/${encodeURIComponent(article.slug)}`,
      };
    },
  }),
  operation({
    who: ['visitor'],
    scope: 'write',
    name: 'help.rate',
    summary: 'Vote on whether an article helped',
    run: rateAsVisitor,
  }),
  operation({
    ...agentsRead,
    name: 'help_centre.get',
    summary: 'Read the help centre’s settings',
    run: (ctx) => getHelpSettings(ctx),
  }),
  operation({
    ...adminsWrite,
    name: 'help_centre.update',
    audit: 'site',
    summary: 'Update the help centre’s settings',
    run: updateHelpSettings,
  }),
  operation({
    ...agentsRead,
    name: 'articles.render',
    summary: 'Preview a text as readers will see it',
    run: async (_ctx, { body }) => ({ html: String(renderArticle(body).html) }),
  }),
  operation({
    ...agentsWrite,
    name: 'article_images.create',
    summary: 'Upload a picture for articles',
    run: (ctx, { content }) => keepImage(ctx, Buffer.from(content, 'base64')),
  }),
];
