import type { ArticleStatus, GapState } from '@foyer/protocol';
import { ARTICLE_CATEGORY_MAX } from '@foyer/protocol/values/bounds';
import {
  ACTION_CALL_STATUSES,
  ARTICLE_STATUSES,
  GAP_STATES,
  OUTCOMES,
} from '@foyer/protocol/values/wire-names';
import { createRoute } from '@tanstack/react-router';
import { idOf, oneOf, textOf } from '../address-search.ts';
import type { CallFilter } from '../screens/actions/action-queries.ts';
import type { ResultFilter } from '../screens/bot/bot-queries.ts';
import { desk } from './desk-routes.tsx';
import { pagesOf, reading, readListSearch, type Search, screen } from './screen.tsx';

const RESULT_FILTERS: readonly ResultFilter[] = [...OUTCOMES, 'changed'];

const page = pagesOf(() => desk);

interface KnowledgeSearch {
  q?: string;
  status?: ArticleStatus;
  category?: string;
}
const knowledge = createRoute({
  getParentRoute: () => desk,
  path: 'knowledge',
  validateSearch: reading((search: Search): KnowledgeSearch => {
    const q = textOf(search.q);
    const status = oneOf(search.status, ARTICLE_STATUSES);
    const category = textOf(search.category, ARTICLE_CATEGORY_MAX);
    return { ...(q ? { q } : {}), ...(status ? { status } : {}), ...(category ? { category } : {}) };
  }),
  component: screen(() => import('../screens/knowledge/KnowledgeScreen.tsx'), 'KnowledgeScreen'),
});
const articleNew = createRoute({
  getParentRoute: () => desk,
  path: 'knowledge/new',
  validateSearch: reading((search: Search): { gap?: number } => {
    const gap = idOf(search.gap);
    return gap ? { gap } : {};
  }),
  component: screen(() => import('../screens/knowledge/articles/ArticleScreen.tsx'), 'NewArticleScreen'),
});
const training = createRoute({
  getParentRoute: () => desk,
  path: 'knowledge/training',
  validateSearch: reading(readListSearch),
  component: screen(() => import('../screens/knowledge/TrainingScreen.tsx'), 'TrainingScreen'),
});
interface QuestionSetSearch {
  view?: 'results' | 'questions';
  run?: number;
  compare?: number | 'none';
  only?: ResultFilter;
}
const questionSet = createRoute({
  getParentRoute: () => desk,
  path: 'knowledge/evaluation/$setId',
  validateSearch: reading((search: Search): QuestionSetSearch => {
    const view = oneOf(search.view, ['results', 'questions']);
    const run = idOf(search.run);
    const compare = search.compare === 'none' ? 'none' : idOf(search.compare);
    const only = oneOf(search.only, RESULT_FILTERS);
    return {
      ...(view ? { view } : {}),
      ...(run ? { run } : {}),
      ...(compare ? { compare } : {}),
      ...(only ? { only } : {}),
    };
  }),
  component: screen(() => import('../screens/bot/QuestionSetScreen.tsx'), 'QuestionSetScreen'),
});
const gaps = createRoute({
  getParentRoute: () => desk,
  path: 'knowledge/gaps',
  validateSearch: reading((search: Search): { state?: GapState } => {
    const state = oneOf(search.state, GAP_STATES);
    return state ? { state } : {};
  }),
  component: screen(() => import('../screens/bot/GapsScreen.tsx'), 'GapsScreen'),
});

const actionLog = createRoute({
  getParentRoute: () => desk,
  path: 'knowledge/actions/log',
  validateSearch: reading((search: Search): CallFilter => {
    const action = idOf(search.action);
    const status = oneOf(search.status, ACTION_CALL_STATUSES);
    return { ...(action ? { action } : {}), ...(status ? { status } : {}) };
  }),
  component: screen(() => import('../screens/actions/CallLogScreen.tsx'), 'CallLogScreen'),
});

/** Articles and what belongs to them, and the bot. */
export const knowledgeRoutes = [
  knowledge,
  articleNew,
  page('knowledge/import', () => import('../screens/knowledge/ImportScreen.tsx'), 'ImportScreen'),
  page(
    'knowledge/starters',
    () => import('../screens/knowledge/starters/StartersScreen.tsx'),
    'StartersScreen',
  ),
  page('knowledge/categories', () => import('../screens/knowledge/CategoriesScreen.tsx'), 'CategoriesScreen'),
  page(
    'knowledge/help-centre',
    () => import('../screens/knowledge/HelpCentreScreen.tsx'),
    'HelpCentreScreen',
  ),
  training,
  page('knowledge/sources', () => import('../screens/knowledge/sources/SourcesScreen.tsx'), 'SourcesScreen'),
  page(
    'knowledge/sources/$sourceId',
    () => import('../screens/knowledge/sources/SourceScreen.tsx'),
    'SourceScreen',
  ),
  page(
    'knowledge/documents/$documentId',
    () => import('../screens/knowledge/sources/DocumentScreen.tsx'),
    'DocumentScreen',
  ),
  page('knowledge/synonyms', () => import('../screens/knowledge/SynonymsScreen.tsx'), 'SynonymsScreen'),
  page('knowledge/deleted', () => import('../screens/knowledge/articles/DeletedScreen.tsx'), 'DeletedScreen'),
  page('knowledge/bot', () => import('../screens/bot/BotScreen.tsx'), 'BotScreen'),
  page('knowledge/evaluation', () => import('../screens/bot/EvaluationScreen.tsx'), 'EvaluationScreen'),
  questionSet,
  gaps,
  page('knowledge/actions', () => import('../screens/actions/ActionsScreen.tsx'), 'ActionsScreen'),
  actionLog,
  page('knowledge/actions/new', () => import('../screens/actions/ActionScreen.tsx'), 'NewActionScreen'),
  page('knowledge/actions/$actionId', () => import('../screens/actions/ActionScreen.tsx'), 'ActionScreen'),
  page(
    'knowledge/$articleId',
    () => import('../screens/knowledge/articles/ArticleScreen.tsx'),
    'ArticleScreen',
  ),
] as const;
