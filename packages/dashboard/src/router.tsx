import type { ArticleStatus, GapState } from '@foyer/protocol';
import { ARTICLE_CATEGORY_MAX } from '@foyer/protocol/bounds';
import { ARTICLE_STATUSES, DELIVERY_STATUSES, GAP_STATES, OUTCOMES } from '@foyer/protocol/wire-names';
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { idOf, oneOf, textOf } from './address-search.ts';
import { ApiError } from './api.ts';
import { CrashScreen } from './desk/CrashScreen.tsx';
import { NotFound } from './desk/NotFound.tsx';
import { speakTo, useLanguage, wordsAreThere } from './language.ts';
import { meQuery } from './queries.ts';
import { type AuditFilter, isSubject } from './screens/audit/audit-filter.ts';
import type { ResultFilter } from './screens/bot/bot-queries.ts';
import { readInboxSearch } from './screens/inbox/inbox-search.ts';
import { readReportSearch } from './screens/reports/report-search.ts';
import type { ListSearch } from './screens/settings/ListOrder.tsx';
import { type DeliveryFilter, isSince, WEBHOOK_EVENTS } from './screens/settings/webhooks/delivery-filter.ts';
import { keyOfPath, pathOfKey } from './screens/visitors/visitor-path.ts';
import { readVisitorSearch } from './screens/visitors/visitor-search.ts';
import { Bone } from './ui/States.tsx';

/** A screen, loaded with its words when it is opened, and rendered again when another language is spoken. */
function screen<K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) {
  return lazyRouteComponent(async () => {
    const Part: ComponentType = (await load())[name];
    await wordsAreThere();
    const Screen = () => {
      useLanguage();
      return <Part />;
    };
    return { Screen };
  }, 'Screen');
}

interface Context {
  client: QueryClient;
}

type Search = Record<string, unknown>;
const RESULT_FILTERS: readonly ResultFilter[] = [...OUTCOMES, 'changed'];

/** What makes no sense in an address counts as not there: beside what was read, the router would hand it on as it is. */
const reading =
  <T extends object>(read: (search: Search) => T) =>
  (search: Search): T => ({
    ...Object.fromEntries(Object.keys(search).map((key) => [key, undefined])),
    ...read(search),
  });

/** Where to go after signing in: only ever a page of the desk itself. */
export const safeNext = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\/app\/(?!sign-in|setup|invitation)/.test(value) ? value : undefined;

const root = createRootRouteWithContext<Context>()({
  errorComponent: (props) => (
    <main className="h-full">
      <CrashScreen {...props} />
    </main>
  ),
  notFoundComponent: () => (
    <main className="h-full">
      <NotFound />
    </main>
  ),
});

const setup = createRoute({
  getParentRoute: () => root,
  path: 'setup',
  component: screen(() => import('./screens/welcome/SetupScreen.tsx'), 'SetupScreen'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: 'invitation',
  component: screen(() => import('./screens/welcome/InvitationScreen.tsx'), 'InvitationScreen'),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  validateSearch: reading((search: Search): { next?: string } => {
    const next = safeNext(search.next);
    return next ? { next } : {};
  }),
  component: screen(() => import('./screens/welcome/SignInScreen.tsx'), 'SignInScreen'),
});

const desk = createRoute({
  getParentRoute: () => root,
  id: 'desk',
  beforeLoad: async ({ context }) => {
    try {
      const me = await context.client.ensureQueryData(meQuery);
      await speakTo(me);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'unauthorized') throw error;
      const next = safeNext(location.pathname + location.search);
      throw redirect({ to: '/sign-in', search: next ? { next } : {} });
    }
  },
  component: screen(() => import('./desk/Shell.tsx'), 'Shell'),
});

const home = createRoute({
  getParentRoute: () => desk,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/inbox' });
  },
});

const inbox = createRoute({
  getParentRoute: () => desk,
  path: 'inbox',
  validateSearch: reading(readInboxSearch),
  component: screen(() => import('./screens/inbox/InboxScreen.tsx'), 'InboxScreen'),
});
const inboxEmpty = createRoute({
  getParentRoute: () => inbox,
  path: '/',
  component: screen(() => import('./screens/first-steps/FirstStepsScreen.tsx'), 'InboxStart'),
});
const ticketRoute = createRoute({
  getParentRoute: () => inbox,
  path: 'tickets/$ticketId',
  component: screen(() => import('./screens/inbox/TicketScreen.tsx'), 'TicketScreen'),
});
const conversation = createRoute({
  getParentRoute: () => inbox,
  path: '$sessionId',
  component: screen(() => import('./screens/inbox/ConversationScreen.tsx'), 'ConversationScreen'),
});

const firstSteps = createRoute({
  getParentRoute: () => desk,
  path: 'first-steps',
  component: screen(() => import('./screens/first-steps/FirstStepsScreen.tsx'), 'FirstStepsScreen'),
});

const visitors = createRoute({
  getParentRoute: () => desk,
  path: 'visitors',
  validateSearch: reading(readVisitorSearch),
  component: screen(() => import('./screens/visitors/VisitorsScreen.tsx'), 'VisitorsScreen'),
});
const visitorsHere = createRoute({
  getParentRoute: () => desk,
  path: 'visitors/here',
  component: screen(() => import('./screens/visitors/HereScreen.tsx'), 'HereScreen'),
});
const segments = createRoute({
  getParentRoute: () => desk,
  path: 'visitors/segments',
  component: screen(() => import('./screens/visitors/segments/SegmentsScreen.tsx'), 'SegmentsScreen'),
});
const segmentNew = createRoute({
  getParentRoute: () => desk,
  path: 'visitors/segments/new',
  component: screen(() => import('./screens/visitors/segments/SegmentScreen.tsx'), 'NewSegmentScreen'),
});
const segmentRoute = createRoute({
  getParentRoute: () => desk,
  path: 'visitors/segments/$segmentId',
  component: screen(() => import('./screens/visitors/segments/SegmentScreen.tsx'), 'SegmentScreen'),
});
const visitor = createRoute({
  getParentRoute: () => desk,
  path: 'visitors/$key',
  params: {
    parse: ({ key }) => ({ key: keyOfPath(key) }),
    stringify: ({ key }) => ({ key: pathOfKey(key) }),
  },
  component: screen(() => import('./screens/visitors/VisitorScreen.tsx'), 'VisitorScreen'),
});

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
  component: screen(() => import('./screens/knowledge/KnowledgeScreen.tsx'), 'KnowledgeScreen'),
});
const articleNew = createRoute({
  getParentRoute: () => desk,
  path: 'knowledge/new',
  validateSearch: reading((search: Search): { gap?: number } => {
    const gap = idOf(search.gap);
    return gap ? { gap } : {};
  }),
  component: screen(() => import('./screens/knowledge/ArticleScreen.tsx'), 'NewArticleScreen'),
});
const articleImport = createRoute({
  getParentRoute: () => desk,
  path: 'knowledge/import',
  component: screen(() => import('./screens/knowledge/ImportScreen.tsx'), 'ImportScreen'),
});
const starters = createRoute({
  getParentRoute: () => desk,
  path: 'knowledge/starters',
  component: screen(() => import('./screens/knowledge/StartersScreen.tsx'), 'StartersScreen'),
});
const categories = createRoute({
  getParentRoute: () => desk,
  path: 'knowledge/categories',
  component: screen(() => import('./screens/knowledge/CategoriesScreen.tsx'), 'CategoriesScreen'),
});
const helpCentre = createRoute({
  getParentRoute: () => desk,
  path: 'knowledge/help-centre',
  component: screen(() => import('./screens/knowledge/HelpCentreScreen.tsx'), 'HelpCentreScreen'),
});
const readListSearch = (search: Search): ListSearch => {
  const q = textOf(search.q);
  return q ? { q } : {};
};
const training = createRoute({
  getParentRoute: () => desk,
  path: 'knowledge/training',
  validateSearch: reading(readListSearch),
  component: screen(() => import('./screens/knowledge/TrainingScreen.tsx'), 'TrainingScreen'),
});
const synonyms = createRoute({
  getParentRoute: () => desk,
  path: 'knowledge/synonyms',
  component: screen(() => import('./screens/knowledge/SynonymsScreen.tsx'), 'SynonymsScreen'),
});
const deletedArticles = createRoute({
  getParentRoute: () => desk,
  path: 'knowledge/deleted',
  component: screen(() => import('./screens/knowledge/DeletedScreen.tsx'), 'DeletedScreen'),
});
const bot = createRoute({
  getParentRoute: () => desk,
  path: 'knowledge/bot',
  component: screen(() => import('./screens/bot/BotScreen.tsx'), 'BotScreen'),
});
const evaluation = createRoute({
  getParentRoute: () => desk,
  path: 'knowledge/evaluation',
  component: screen(() => import('./screens/bot/EvaluationScreen.tsx'), 'EvaluationScreen'),
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
  component: screen(() => import('./screens/bot/QuestionSetScreen.tsx'), 'QuestionSetScreen'),
});
const gaps = createRoute({
  getParentRoute: () => desk,
  path: 'knowledge/gaps',
  validateSearch: reading((search: Search): { state?: GapState } => {
    const state = oneOf(search.state, GAP_STATES);
    return state ? { state } : {};
  }),
  component: screen(() => import('./screens/bot/GapsScreen.tsx'), 'GapsScreen'),
});
const article = createRoute({
  getParentRoute: () => desk,
  path: 'knowledge/$articleId',
  component: screen(() => import('./screens/knowledge/ArticleScreen.tsx'), 'ArticleScreen'),
});

const reports = createRoute({
  getParentRoute: () => desk,
  path: 'reports',
  validateSearch: reading(readReportSearch),
  component: screen(() => import('./screens/reports/ReportsScreen.tsx'), 'ReportsScreen'),
});

const settings = createRoute({
  getParentRoute: () => desk,
  path: 'settings',
  component: screen(() => import('./screens/settings/SettingsScreen.tsx'), 'SettingsScreen'),
});
const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: screen(() => import('./screens/settings/SettingsScreen.tsx'), 'SettingsHome'),
});
const site = createRoute({
  getParentRoute: () => settings,
  path: 'site',
  component: screen(() => import('./screens/settings/SiteSettings.tsx'), 'SiteSettings'),
});
const surveyRoute = createRoute({
  getParentRoute: () => settings,
  path: 'survey',
  component: screen(() => import('./screens/settings/SurveySettings.tsx'), 'SurveySettings'),
});
const install = createRoute({
  getParentRoute: () => settings,
  path: 'install',
  component: screen(() => import('./screens/settings/install/InstallSettings.tsx'), 'InstallSettings'),
});
const widget = createRoute({
  getParentRoute: () => settings,
  path: 'widget',
  component: screen(() => import('./screens/settings/widget/WidgetSettings.tsx'), 'WidgetSettings'),
});
const hours = createRoute({
  getParentRoute: () => settings,
  path: 'hours',
  component: screen(() => import('./screens/settings/hours/OfficeHoursSettings.tsx'), 'OfficeHoursSettings'),
});
const routing = createRoute({
  getParentRoute: () => settings,
  path: 'routing',
  component: screen(() => import('./screens/settings/RoutingSettings.tsx'), 'RoutingSettings'),
});
const team = createRoute({
  getParentRoute: () => settings,
  path: 'team',
  component: screen(() => import('./screens/settings/team/TeamSettings.tsx'), 'TeamSettings'),
});
const tokens = createRoute({
  getParentRoute: () => settings,
  path: 'tokens',
  component: screen(() => import('./screens/settings/tokens/TokenSettings.tsx'), 'TokenSettings'),
});
const webhooks = createRoute({
  getParentRoute: () => settings,
  path: 'webhooks',
  component: screen(() => import('./screens/settings/webhooks/WebhookSettings.tsx'), 'WebhookSettings'),
});
const webhook = createRoute({
  getParentRoute: () => settings,
  path: 'webhooks/$subscriptionId',
  validateSearch: reading((search: Search): DeliveryFilter => {
    const status = oneOf(search.status, DELIVERY_STATUSES);
    const event = oneOf(search.event, WEBHOOK_EVENTS);
    return {
      ...(status ? { status } : {}),
      ...(event ? { event } : {}),
      ...(isSince(search.since) ? { since: search.since } : {}),
    };
  }),
  component: screen(() => import('./screens/settings/webhooks/WebhookScreen.tsx'), 'WebhookScreen'),
});
const audit = createRoute({
  getParentRoute: () => settings,
  path: 'audit',
  validateSearch: reading((search: Search): AuditFilter => {
    const agent = idOf(search.agent);
    return {
      ...(agent ? { agent } : {}),
      ...(isSubject(search.subject) ? { subject: search.subject } : {}),
      ...(isSince(search.since) ? { since: search.since } : {}),
    };
  }),
  component: screen(() => import('./screens/audit/AuditScreen.tsx'), 'AuditScreen'),
});
const mail = createRoute({
  getParentRoute: () => settings,
  path: 'mail',
  component: screen(() => import('./screens/settings/mail/MailScreen.tsx'), 'MailScreen'),
});
const plan = createRoute({
  getParentRoute: () => settings,
  path: 'plan',
  component: screen(() => import('./screens/settings/plan/PlanScreen.tsx'), 'PlanScreen'),
});
const dataRoute = createRoute({
  getParentRoute: () => settings,
  path: 'data',
  component: screen(() => import('./screens/settings/upkeep/DataScreen.tsx'), 'DataScreen'),
});
const importsRoute = createRoute({
  getParentRoute: () => settings,
  path: 'import',
  component: screen(() => import('./screens/settings/imports/ImportsScreen.tsx'), 'ImportsScreen'),
});
const importRoute = createRoute({
  getParentRoute: () => settings,
  path: 'import/$importId',
  component: screen(() => import('./screens/settings/imports/DataImportScreen.tsx'), 'DataImportScreen'),
});
const macros = createRoute({
  getParentRoute: () => settings,
  path: 'macros',
  validateSearch: reading(readListSearch),
  component: screen(() => import('./screens/settings/macros/MacroSettings.tsx'), 'MacroSettings'),
});
const macroNew = createRoute({
  getParentRoute: () => settings,
  path: 'macros/new',
  validateSearch: reading((search: Search): { like?: number } => {
    const like = idOf(search.like);
    return like ? { like } : {};
  }),
  component: screen(() => import('./screens/settings/macros/MacroScreen.tsx'), 'NewMacroScreen'),
});
const macroOne = createRoute({
  getParentRoute: () => settings,
  path: 'macros/$macroId',
  component: screen(() => import('./screens/settings/macros/MacroScreen.tsx'), 'MacroScreen'),
});
const tags = createRoute({
  getParentRoute: () => settings,
  path: 'tags',
  validateSearch: reading(readListSearch),
  component: screen(() => import('./screens/settings/tags/TagSettings.tsx'), 'TagSettings'),
});
const account = createRoute({
  getParentRoute: () => settings,
  path: 'account',
  component: screen(() => import('./screens/settings/account/AccountSettings.tsx'), 'AccountSettings'),
});
const notificationRoute = createRoute({
  getParentRoute: () => settings,
  path: 'notifications',
  component: screen(() => import('./screens/notifications/NotificationSettings.tsx'), 'NotificationSettings'),
});
const appearance = createRoute({
  getParentRoute: () => settings,
  path: 'preferences',
  component: screen(() => import('./screens/settings/PreferenceSettings.tsx'), 'PreferenceSettings'),
});

const tree = root.addChildren([
  setup,
  invitation,
  signIn,
  desk.addChildren([
    home,
    inbox.addChildren([inboxEmpty, ticketRoute, conversation]),
    firstSteps,
    visitors,
    visitorsHere,
    segments,
    segmentNew,
    segmentRoute,
    visitor,
    knowledge,
    articleNew,
    articleImport,
    starters,
    categories,
    helpCentre,
    training,
    synonyms,
    deletedArticles,
    bot,
    evaluation,
    questionSet,
    gaps,
    article,
    reports,
    settings.addChildren([
      settingsHome,
      macros,
      macroNew,
      macroOne,
      tags,
      site,
      widget,
      surveyRoute,
      install,
      hours,
      routing,
      team,
      tokens,
      webhooks,
      webhook,
      mail,
      plan,
      dataRoute,
      importsRoute,
      importRoute,
      audit,
      account,
      notificationRoute,
      appearance,
    ]),
  ]),
]);

/** The desk's pages and what is in their addresses. */
export const createDeskRouter = (client: QueryClient) =>
  createRouter({
    routeTree: tree,
    basepath: '/app',
    context: { client },
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    defaultPendingMinMs: 0,
    defaultErrorComponent: CrashScreen,
    defaultNotFoundComponent: NotFound,
    defaultPendingComponent: () => <Bone className="late m-6 h-6 w-40" />,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDeskRouter>;
  }
}
