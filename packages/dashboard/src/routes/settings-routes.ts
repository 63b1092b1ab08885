import { DELIVERY_STATUSES } from '@foyer/protocol/values/wire-names';
import { createRoute } from '@tanstack/react-router';
import { idOf, oneOf } from '../address-search.ts';
import { type AuditFilter, isSubject } from '../screens/audit/audit-filter.ts';
import {
  type DeliveryFilter,
  isSince,
  WEBHOOK_EVENTS,
} from '../screens/settings/webhooks/delivery-filter.ts';
import { desk } from './desk-routes.tsx';
import { reading, readListSearch, type Search, screen } from './screen.tsx';

const settings = createRoute({
  getParentRoute: () => desk,
  path: 'settings',
  component: screen(() => import('../screens/settings/SettingsScreen.tsx'), 'SettingsScreen'),
});
const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: screen(() => import('../screens/settings/SettingsScreen.tsx'), 'SettingsHome'),
});
const site = createRoute({
  getParentRoute: () => settings,
  path: 'site',
  component: screen(() => import('../screens/settings/SiteSettings.tsx'), 'SiteSettings'),
});
const surveyRoute = createRoute({
  getParentRoute: () => settings,
  path: 'survey',
  component: screen(() => import('../screens/settings/SurveySettings.tsx'), 'SurveySettings'),
});
const install = createRoute({
  getParentRoute: () => settings,
  path: 'install',
  component: screen(() => import('../screens/settings/install/InstallSettings.tsx'), 'InstallSettings'),
});
const widget = createRoute({
  getParentRoute: () => settings,
  path: 'widget',
  component: screen(() => import('../screens/settings/widget/WidgetSettings.tsx'), 'WidgetSettings'),
});
const hours = createRoute({
  getParentRoute: () => settings,
  path: 'hours',
  component: screen(() => import('../screens/settings/hours/OfficeHoursSettings.tsx'), 'OfficeHoursSettings'),
});
const routing = createRoute({
  getParentRoute: () => settings,
  path: 'routing',
  component: screen(() => import('../screens/settings/RoutingSettings.tsx'), 'RoutingSettings'),
});
const team = createRoute({
  getParentRoute: () => settings,
  path: 'team',
  component: screen(() => import('../screens/settings/team/TeamSettings.tsx'), 'TeamSettings'),
});
const tokens = createRoute({
  getParentRoute: () => settings,
  path: 'tokens',
  component: screen(() => import('../screens/settings/tokens/TokenSettings.tsx'), 'TokenSettings'),
});
const webhooks = createRoute({
  getParentRoute: () => settings,
  path: 'webhooks',
  component: screen(() => import('../screens/settings/webhooks/WebhookSettings.tsx'), 'WebhookSettings'),
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
  component: screen(() => import('../screens/settings/webhooks/WebhookScreen.tsx'), 'WebhookScreen'),
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
  component: screen(() => import('../screens/audit/AuditScreen.tsx'), 'AuditScreen'),
});
const mail = createRoute({
  getParentRoute: () => settings,
  path: 'mail',
  component: screen(() => import('../screens/settings/mail/MailScreen.tsx'), 'MailScreen'),
});
const plan = createRoute({
  getParentRoute: () => settings,
  path: 'plan',
  component: screen(() => import('../screens/settings/plan/PlanScreen.tsx'), 'PlanScreen'),
});
const dataRoute = createRoute({
  getParentRoute: () => settings,
  path: 'data',
  component: screen(() => import('../screens/settings/upkeep/DataScreen.tsx'), 'DataScreen'),
});
const importsRoute = createRoute({
  getParentRoute: () => settings,
  path: 'import',
  component: screen(() => import('../screens/settings/imports/ImportsScreen.tsx'), 'ImportsScreen'),
});
const importRoute = createRoute({
  getParentRoute: () => settings,
  path: 'import/$importId',
  component: screen(() => import('../screens/settings/imports/DataImportScreen.tsx'), 'DataImportScreen'),
});
const macros = createRoute({
  getParentRoute: () => settings,
  path: 'macros',
  validateSearch: reading(readListSearch),
  component: screen(() => import('../screens/settings/macros/MacroSettings.tsx'), 'MacroSettings'),
});
const macroNew = createRoute({
  getParentRoute: () => settings,
  path: 'macros/new',
  validateSearch: reading((search: Search): { like?: number } => {
    const like = idOf(search.like);
    return like ? { like } : {};
  }),
  component: screen(() => import('../screens/settings/macros/MacroScreen.tsx'), 'NewMacroScreen'),
});
const macroOne = createRoute({
  getParentRoute: () => settings,
  path: 'macros/$macroId',
  component: screen(() => import('../screens/settings/macros/MacroScreen.tsx'), 'MacroScreen'),
});
const tags = createRoute({
  getParentRoute: () => settings,
  path: 'tags',
  validateSearch: reading(readListSearch),
  component: screen(() => import('../screens/settings/tags/TagSettings.tsx'), 'TagSettings'),
});
const account = createRoute({
  getParentRoute: () => settings,
  path: 'account',
  component: screen(() => import('../screens/settings/account/AccountSettings.tsx'), 'AccountSettings'),
});
const notificationRoute = createRoute({
  getParentRoute: () => settings,
  path: 'notifications',
  component: screen(
    () => import('../screens/notifications/NotificationSettings.tsx'),
    'NotificationSettings',
  ),
});
const appearance = createRoute({
  getParentRoute: () => settings,
  path: 'preferences',
  component: screen(() => import('../screens/settings/PreferenceSettings.tsx'), 'PreferenceSettings'),
});

/** All settings, under the page that lists them. */
export const settingsRoutes = settings.addChildren([
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
]);
