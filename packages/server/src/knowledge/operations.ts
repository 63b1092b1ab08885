import { type AnyOperation, operation } from '../operation.ts';
import { createArticle, deleteArticle, listArticles, updateArticle } from './articles.ts';
import { importArticles } from './import.ts';
import { createStarter, deleteStarter, listStarters, updateStarter } from './starters.ts';

const articleOperations: AnyOperation[] = [
  operation({
    name: 'articles.list',
    summary: 'Articles of the knowledge base, newest first, or one by its id',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: 'articles', method: 'GET' },
    records: { id: 'article' },
    run: listArticles,
  }),
  operation({
    name: 'articles.create',
    summary: 'Write an article; a draft unless a status is given',
    who: ['token', 'agent'],
    scope: 'write',
    rest: { resource: 'articles', method: 'POST', creates: true },
    run: createArticle,
  }),
  operation({
    name: 'articles.update',
    summary: 'Change an article; only Published ones feed the bot',
    who: ['token', 'agent'],
    scope: 'write',
    rest: { resource: 'articles', method: 'PATCH', query: ['id'] },
    records: { id: 'article' },
    run: updateArticle,
  }),
  operation({
    name: 'articles.delete',
    summary: 'Delete an article',
    who: ['token', 'agent'],
    scope: 'write',
    rest: { resource: 'articles', method: 'DELETE' },
    records: { id: 'article' },
    run: (ctx, { id }) => deleteArticle(ctx, id),
  }),
  operation({
    name: 'articles.import',
    summary: 'Import a blob of markdown documents; again changes nothing',
    who: ['admin', 'operator'],
    scope: 'write',
    run: (ctx, { text }) => importArticles(ctx, text),
  }),
];

const starterOperations: AnyOperation[] = [
  operation({
    name: 'conversation_starters.list',
    summary: 'Prompts that a visitor can begin a chat with, by position',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: 'conversation_starters', method: 'GET' },
    run: listStarters,
  }),
  operation({
    name: 'conversation_starters.create',
    summary: 'Add a conversation starter, behind the last unless a position is given',
    who: ['token', 'admin'],
    scope: 'write',
    rest: { resource: 'conversation_starters', method: 'POST', creates: true },
    run: createStarter,
  }),
  operation({
    name: 'conversation_starters.update',
    summary: 'Change a conversation starter',
    who: ['token', 'admin'],
    scope: 'write',
    rest: { resource: 'conversation_starters', method: 'PATCH', query: ['id'] },
    records: { id: 'conversation_starter' },
    run: updateStarter,
  }),
  operation({
    name: 'conversation_starters.delete',
    summary: 'Delete a conversation starter',
    who: ['token', 'admin'],
    scope: 'write',
    rest: { resource: 'conversation_starters', method: 'DELETE' },
    records: { id: 'conversation_starter' },
    run: (ctx, { id }) => deleteStarter(ctx, id),
  }),
];

export const knowledgeOperations: AnyOperation[] = [...articleOperations, ...starterOperations];
