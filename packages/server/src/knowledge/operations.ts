import { type AnyOperation, adminsWrite, agentsRead, operation } from '../core/operation.ts';
import { resourceOperations } from '../core/resource.ts';
import { createArticle, deleteArticle, listArticles, updateArticle } from './articles/articles.ts';
import { searchKnowledge } from './search/search.ts';
import { getSynonyms, updateSynonyms } from './search/site-synonyms.ts';
import { createStarter, deleteStarter, listStarters, updateStarter } from './starters.ts';
import { importArticles } from './transfer/import.ts';

const articleOperations: AnyOperation[] = [
  ...resourceOperations({
    name: 'articles',
    record: 'article',
    who: ['token', 'agent'],
    list: {
      summary: 'List articles, newest first, or read one by id',
      records: { id: 'article' },
      tool: 'List the articles of the knowledge base, newest first, or read one in full with `id`. `q` searches titles and text to find an article to edit. To answer a question, use search_knowledge.',
      run: listArticles,
    },
    create: {
      summary: 'Create an article, as a draft unless a status is given',
      tool: 'Create an article in markdown. It is a Draft that only the team sees, unless you set the status Published: then the bot answers from it and customers can read it.',
      run: createArticle,
    },
    update: {
      summary: 'Update an article; the bot uses only Published ones',
      tool: 'Update an article’s title, category, text or status (Draft, Published, Archived). Omitted fields stay as they are; `body` replaces the whole text, so read it first with list_articles and `id`.',
      run: updateArticle,
    },
    delete: {
      summary: 'Delete an article',
      tool: 'Delete an article for good. To hide it from the bot and customers but keep it, set its status to Archived with update_article.',
      run: (ctx, { id }) => deleteArticle(ctx, id),
    },
  }),
  operation({
    ...agentsRead,
    name: 'synonyms.get',
    summary: 'List synonym groups',
    run: getSynonyms,
  }),
  operation({
    ...adminsWrite,
    name: 'synonyms.update',
    audit: 'site',
    summary: 'Update synonym groups',
    run: updateSynonyms,
  }),
  operation({
    name: 'knowledge.search',
    resource: 'articles',
    summary: 'Find the passages of published articles that best answer a question',
    who: ['token', 'agent'],
    scope: 'read',
    tool: {
      name: 'search_knowledge',
      description:
        'Search the published articles with a customer’s question in their own words. Returns the passages that answer it, best first. Use it before you write to a customer. `coverage` (0 to 1) is the share of the question that a passage covers: a low value means no answer.',
    },
    run: searchKnowledge,
  }),
  operation({
    name: 'articles.import',
    audit: 'articles',
    summary: 'Import markdown documents; safe to repeat',
    who: ['admin', 'operator'],
    scope: 'write',
    run: (ctx, { text }) => importArticles(ctx, text),
  }),
];

const starterOperations: AnyOperation[] = [
  ...resourceOperations({
    name: 'conversation_starters',
    record: 'conversation_starter',
    who: ['token', 'agent'],
    writers: ['token', 'admin'],
    audit: 'conversation_starter',
    list: {
      summary: 'List conversation starters, by position',
      tool: 'List the prompts that a visitor can start a chat with, in the order shown.',
      run: listStarters,
    },
    create: {
      summary: 'Create a conversation starter, last unless a position is given',
      tool: 'Add a button to the empty chat: `label` is its text, `prompt` is the message it sends. Every visitor of the site sees it.',
      run: createStarter,
    },
    update: {
      summary: 'Update a conversation starter',
      tool: 'Update a conversation starter’s label, prompt or position.',
      run: updateStarter,
    },
    delete: {
      summary: 'Delete a conversation starter',
      tool: 'Delete a conversation starter; visitors no longer see it.',
      run: (ctx, { id }) => deleteStarter(ctx, id),
    },
  }),
];

export const knowledgeOperations: AnyOperation[] = [...articleOperations, ...starterOperations];
