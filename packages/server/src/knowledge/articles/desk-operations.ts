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
    summary: 'Read an article for editing, with its unsaved draft',
    records: { id: 'article' },
    run: (ctx, { id }) => openArticle(ctx, id),
  }),
  operation({
    ...agentsWrite,
    name: 'articles.save',
    summary: 'Save an article, unless somebody else has saved it in the meantime',
    records: { id: 'article' },
    run: saveArticle,
  }),
  operation({
    ...agentsRead,
    name: 'articles.count',
    summary: 'Count matching articles',
    run: countArticles,
  }),
  operation({
    ...agentsWrite,
    name: 'articles.bulk',
    summary: 'Publish, archive, move or delete many articles',
    run: changeArticles,
  }),
  operation({
    ...agentsRead,
    ...ofArticle,
    name: 'article_drafts.get',
    summary: 'Read the agent’s draft of an article',
    run: findDraft,
  }),
  operation({
    ...agentsWrite,
    ...ofArticle,
    name: 'article_drafts.save',
    summary: 'Store the agent’s draft of an article',
    run: saveDraft,
  }),
  operation({
    ...agentsWrite,
    ...ofArticle,
    name: 'article_drafts.discard',
    summary: 'Discard the agent’s draft of an article',
    run: discardDraft,
  }),
  operation({
    ...agentsRead,
    ...ofArticle,
    name: 'article_versions.list',
    summary: 'List an article’s versions, newest first',
    run: listVersions,
  }),
  operation({
    ...agentsRead,
    ...ofArticle,
    name: 'article_versions.get',
    summary: 'Read a version of an article',
    run: getVersion,
  }),
  operation({
    ...agentsWrite,
    ...ofArticle,
    name: 'article_versions.restore',
    summary: 'Restore a version of an article',
    run: restoreVersion,
  }),
  operation({
    ...agentsRead,
    name: 'deleted_articles.list',
    summary: 'List deleted articles that can be restored',
    run: listDeleted,
  }),
  operation({
    ...agentsWrite,
    name: 'deleted_articles.restore',
    summary: 'Restore deleted articles with their history and addresses',
    run: restoreDeleted,
  }),
  operation({
    ...adminsRead,
    name: 'articles.preview_import',
    summary: 'Preview an import',
    run: (ctx, { text }) => previewImport(ctx, text),
  }),
  operation({
    who: ['admin', 'operator'],
    scope: 'read',
    name: 'articles.export',
    audit: 'articles',
    summary: 'Export all articles in the import format',
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
    list: { summary: 'List categories in order', run: listCategories },
    create: { summary: 'Create a category', run: createCategory },
    update: { summary: 'Rename a category', run: renameCategory },
    delete: {
      summary: 'Delete a category; its articles stay',
      run: (ctx, { id }) => deleteCategory(ctx, id),
    },
  }),
  operation({
    ...adminsWrite,
    name: 'categories.move',
    audit: 'category',
    summary: 'Move a category before another one, or to the end',
    records: { id: 'category' },
    run: moveCategory,
  }),
  operation({
    ...adminsWrite,
    name: 'categories.merge',
    audit: 'category',
    summary: 'Merge a category into another one',
    records: { id: 'category', into_id: 'category' },
    run: mergeCategories,
  }),
];

/** The desk's operations on articles and categories beyond the REST resource. */
export const articleDeskOperations: AnyOperation[] = [...editingOperations, ...categoryOperations];
