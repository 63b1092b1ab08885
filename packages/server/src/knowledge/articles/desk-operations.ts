import {
  type AnyOperation,
  adminsRead,
  adminsWrite,
  agentsRead,
  agentsWrite,
  operation,
} from '../../core/operation.ts';
import { resourceOperations } from '../../core/resource.ts';
import { exportArticles } from '../transfer/export.ts';
import { previewImport } from '../transfer/import.ts';
import { countArticles } from './articles.ts';
import { changeArticles } from './bulk.ts';
import {
  createCategory,
  deleteCategory,
  listCategories,
  mergeCategories,
  moveCategory,
  renameCategory,
} from './categories.ts';
import { listDeleted, restoreDeleted } from './deleted-articles.ts';
import { discardDraft, findDraft, openArticle, restoreVersion, saveArticle, saveDraft } from './drafts.ts';
import { getVersion, listVersions } from './history.ts';

const ofArticle = { records: { article_id: 'article' } } as const;

const editingOperations: AnyOperation[] = [
  operation({
    ...agentsRead,
    name: 'articles.open',
    summary: 'An article to be edited, with what is not saved yet',
    records: { id: 'article' },
    run: (ctx, { id }) => openArticle(ctx, id),
  }),
  operation({
    ...agentsWrite,
    name: 'articles.save',
    summary: 'Writes what was edited, unless somebody else has saved meanwhile',
    records: { id: 'article' },
    run: saveArticle,
  }),
  operation({
    ...agentsRead,
    name: 'articles.count',
    summary: 'How many articles match',
    run: countArticles,
  }),
  operation({
    ...agentsWrite,
    name: 'articles.bulk',
    summary: 'Publishes, archives, moves or deletes many articles',
    run: changeArticles,
  }),
  operation({
    ...agentsRead,
    ...ofArticle,
    name: 'article_drafts.get',
    summary: 'What the agent has written of an article and not saved',
    run: findDraft,
  }),
  operation({
    ...agentsWrite,
    ...ofArticle,
    name: 'article_drafts.save',
    summary: 'Keeps what is written, unseen by others',
    run: saveDraft,
  }),
  operation({
    ...agentsWrite,
    ...ofArticle,
    name: 'article_drafts.discard',
    summary: 'Gives up what was written and not saved',
    run: discardDraft,
  }),
  operation({
    ...agentsRead,
    ...ofArticle,
    name: 'article_versions.list',
    summary: 'What an article has been, newest first',
    run: listVersions,
  }),
  operation({
    ...agentsRead,
    ...ofArticle,
    name: 'article_versions.get',
    summary: 'A version of an article with its text',
    run: getVersion,
  }),
  operation({
    ...agentsWrite,
    ...ofArticle,
    name: 'article_versions.restore',
    summary: 'Makes a version the article’s text again',
    run: restoreVersion,
  }),
  operation({
    ...agentsRead,
    name: 'deleted_articles.list',
    summary: 'Deleted articles that can be had back',
    run: listDeleted,
  }),
  operation({
    ...agentsWrite,
    name: 'deleted_articles.restore',
    summary: 'Puts deleted articles back, with their history and addresses',
    run: restoreDeleted,
  }),
  operation({
    ...adminsRead,
    name: 'articles.preview_import',
    summary: 'What an import would do, with nothing changed',
    run: (ctx, { text }) => previewImport(ctx, text),
  }),
  operation({
    who: ['admin', 'operator'],
    scope: 'read',
    name: 'articles.export',
    audit: 'articles',
    summary: 'All articles as text that an import reads back',
    run: exportArticles,
  }),
];

const categoryOperations: AnyOperation[] = [
  ...resourceOperations({
    name: 'categories',
    record: 'category',
    who: ['agent'],
    writers: ['admin'],
    audit: 'category',
    list: { summary: 'Categories in their order', run: listCategories },
    create: { summary: 'Adds a category', run: createCategory },
    update: { summary: 'Renames a category', run: renameCategory },
    delete: {
      summary: 'Takes a category away; its articles stay',
      run: (ctx, { id }) => deleteCategory(ctx, id),
    },
  }),
  operation({
    ...adminsWrite,
    name: 'categories.move',
    audit: 'category',
    summary: 'Puts a category before another one or last',
    records: { id: 'category' },
    run: moveCategory,
  }),
  operation({
    ...adminsWrite,
    name: 'categories.merge',
    audit: 'category',
    summary: 'Moves a category’s articles into another one and takes it away',
    records: { id: 'category', into_id: 'category' },
    run: mergeCategories,
  }),
];

/** What the dashboard does with articles and categories beyond the REST resource. */
export const articleDeskOperations: AnyOperation[] = [...editingOperations, ...categoryOperations];
