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
      summary: 'Articles of the knowledge base, newest first, or one by its id',
      records: { id: 'article' },
      tool: 'Articles of the knowledge base, newest first, or with `id` one of them in full. `q` looks in titles and text, for finding an article to edit. To answer a question, use search_knowledge.',
      run: listArticles,
    },
    create: {
      summary: 'Write an article; a draft unless a status is given',
      tool: 'Write an article in markdown. It is a Draft that nobody outside sees unless you give the status Published: then the bot answers from it and customers can read it.',
      run: createArticle,
    },
    update: {
      summary: 'Change an article; only Published ones feed the bot',
      tool: 'Change an article’s title, category, text or status (Draft, Published, Archived). What you don’t name stays as it is; `body` replaces the whole text, so read it first with list_articles and `id`.',
      run: updateArticle,
    },
    delete: {
      summary: 'Delete an article',
      tool: 'Delete an article for good. To take it from the bot and from customers but keep it, set its status to Archived with update_article.',
      run: (ctx, { id }) => deleteArticle(ctx, id),
    },
  }),
  operation({
    ...agentsRead,
    name: 'synonyms.get',
    summary: 'Words that mean the same to the site’s customers',
    run: getSynonyms,
  }),
  operation({
    ...adminsWrite,
    name: 'synonyms.update',
    audit: 'site',
    summary: 'Say which words mean the same to the site’s customers',
    run: updateSynonyms,
  }),
  operation({
    name: 'knowledge.search',
    summary: 'The passages of the published articles that meet a question best',
    who: ['token', 'agent'],
    scope: 'read',
    tool: {
      name: 'search_knowledge',
      description:
        'Search the published articles with a customer’s question in their own words, and get the passages that answer it best, best first. Use it before you write to a customer. `coverage` (0 to 1) is the share of the question that a passage meets: what is low is no answer.',
    },
    run: searchKnowledge,
  }),
  operation({
    name: 'articles.import',
    audit: 'articles',
    summary: 'Import a blob of markdown documents; again changes nothing',
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
      summary: 'Prompts that a visitor can begin a chat with, by position',
      tool: 'The prompts that a visitor can begin a chat with, in the order that they are shown.',
      run: listStarters,
    },
    create: {
      summary: 'Add a conversation starter, behind the last unless a position is given',
      tool: 'Add a prompt to the buttons above an empty chat: `label` stands on the button, `prompt` is what the visitor then says. Every visitor of the site sees it.',
      run: createStarter,
    },
    update: {
      summary: 'Change a conversation starter',
      tool: 'Change a conversation starter’s label, prompt or position.',
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
