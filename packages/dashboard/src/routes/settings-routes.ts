import type { RuleOutcome } from '@foyer/protocol';
import { RULE_OUTCOMES } from '@foyer/protocol/values/rules/rule-triggers';
import { DELIVERY_STATUSES } from '@foyer/protocol/values/wire-names';
import { createRoute, redirect } from '@tanstack/react-router';
import { given, idOf, oneOf, textOf } from '../address-search.ts';
import { type AuditFilter, isSubject } from '../screens/audit/audit-filter.ts';
import { readBlockFilter } from '../screens/blocked/block-filter.ts';
import { readMailLogFilter } from '../screens/mail-log/mail-log-filter.ts';
import {
  type DeliveryFilter,
  isSince,
  WEBHOOK_EVENTS,
} from '../screens/settings/webhooks/delivery-filter.ts';
import { desk } from './desk-routes.tsx';
import { pagesOf, reading, readListSearch, type Search, screen } from './screen.tsx';

const settings = createRoute({
  getParentRoute: () => desk,
  path: 'settings',
  component: screen(() => import('../screens/settings/SettingsScreen.tsx'), 'SettingsScreen'),
});
const page = pagesOf(() => settings);

/** The name that the list of agents had. */
const formerTeam = createRoute({
  getParentRoute: () => settings,
  path: 'team',
  beforeLoad: () => {
    throw redirect({ to: '/settings/agents' });
  },
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
const mailLog = createRoute({
  getParentRoute: () => settings,
  path: 'mail-log',
  validateSearch: reading(readMailLogFilter),
  component: screen(() => import('../screens/mail-log/MailLogScreen.tsx'), 'MailLogScreen'),
});
const blocked = createRoute({
  getParentRoute: () => settings,
  path: 'blocked',
  validateSearch: reading(readBlockFilter),
  component: screen(() => import('../screens/blocked/BlockedScreen.tsx'), 'BlockedScreen'),
});
const tags = createRoute({
  getParentRoute: () => settings,
  path: 'tags',
  validateSearch: reading(readListSearch),
  component: screen(() => import('../screens/settings/tags/TagSettings.tsx'), 'TagSettings'),
});
const readRuleSearch = reading((search: Search): { template?: string; outcome?: RuleOutcome } =>
  given<{ template: string; outcome: RuleOutcome }>({
    template: textOf(search.template),
    outcome: oneOf(search.outcome, RULE_OUTCOMES),
  }),
);
const ruleLog = createRoute({
  getParentRoute: () => settings,
  path: 'rules/log',
  validateSearch: readRuleSearch,
  component: screen(() => import('../screens/settings/rules/RuleLogScreen.tsx'), 'RuleLogScreen'),
});
const rule = createRoute({
  getParentRoute: () => settings,
  path: 'rules/$id',
  validateSearch: readRuleSearch,
  component: screen(() => import('../screens/settings/rules/RuleScreen.tsx'), 'RuleScreen'),
});

/** All settings, under the page that lists them. */
export const settingsRoutes = settings.addChildren([
  page('/', () => import('../screens/settings/SettingsScreen.tsx'), 'SettingsHome'),
  macros,
  macroNew,
  page('macros/$macroId', () => import('../screens/settings/macros/MacroScreen.tsx'), 'MacroScreen'),
  tags,
  mailLog,
  blocked,
  page('site', () => import('../screens/settings/SiteSettings.tsx'), 'SiteSettings'),
  page('widget', () => import('../screens/settings/widget/WidgetSettings.tsx'), 'WidgetSettings'),
  page('survey', () => import('../screens/settings/SurveySettings.tsx'), 'SurveySettings'),
  page('install', () => import('../screens/settings/install/InstallSettings.tsx'), 'InstallSettings'),
  page('hours', () => import('../screens/settings/hours/OfficeHoursSettings.tsx'), 'OfficeHoursSettings'),
  page('routing', () => import('../screens/settings/RoutingSettings.tsx'), 'RoutingSettings'),
  page('agents', () => import('../screens/settings/agents/AgentSettings.tsx'), 'AgentSettings'),
  formerTeam,
  page('fields', () => import('../screens/settings/fields/FieldsSettings.tsx'), 'FieldsSettings'),
  page('fields/$id', () => import('../screens/settings/fields/FieldsSettings.tsx'), 'FieldScreen'),
  page('teams', () => import('../screens/settings/teams/TeamsSettings.tsx'), 'TeamsSettings'),
  page('proactive', () => import('../screens/settings/proactive/ProactiveSettings.tsx'), 'ProactiveSettings'),
  page('proactive/$id', () => import('../screens/settings/proactive/ProactiveScreen.tsx'), 'ProactiveScreen'),
  page('slas', () => import('../screens/settings/slas/SlaSettings.tsx'), 'SlaSettings'),
  page('slas/$id', () => import('../screens/settings/slas/SlaScreen.tsx'), 'SlaScreen'),
  page('rules', () => import('../screens/settings/rules/RulesSettings.tsx'), 'RulesSettings'),
  ruleLog,
  rule,
  page('teams/new', () => import('../screens/settings/teams/TeamScreen.tsx'), 'NewTeamScreen'),
  page('teams/$teamId', () => import('../screens/settings/teams/TeamScreen.tsx'), 'TeamScreen'),
  page('roles', () => import('../screens/settings/roles/RolesSettings.tsx'), 'RolesSettings'),
  page('roles/new', () => import('../screens/settings/roles/RoleScreen.tsx'), 'NewRoleScreen'),
  page('roles/$roleId', () => import('../screens/settings/roles/RoleScreen.tsx'), 'RoleScreen'),
  page(
    'single-sign-on',
    () => import('../screens/settings/providers/ProviderSettings.tsx'),
    'ProviderSettings',
  ),
  page(
    'single-sign-on/new',
    () => import('../screens/settings/providers/ProviderScreen.tsx'),
    'NewProviderScreen',
  ),
  page(
    'single-sign-on/$providerId',
    () => import('../screens/settings/providers/ProviderScreen.tsx'),
    'ProviderScreen',
  ),
  page('tokens', () => import('../screens/settings/tokens/TokenSettings.tsx'), 'TokenSettings'),
  page('webhooks', () => import('../screens/settings/webhooks/WebhookSettings.tsx'), 'WebhookSettings'),
  webhook,
  page('mailboxes', () => import('../screens/settings/mailboxes/MailboxSettings.tsx'), 'MailboxSettings'),
  page('mailboxes/new', () => import('../screens/settings/mailboxes/MailboxScreen.tsx'), 'NewMailboxScreen'),
  page('mailboxes/sign-in', () => import('../screens/settings/mailboxes/MailboxSignIn.tsx'), 'MailboxSignIn'),
  page(
    'mailboxes/$mailboxId',
    () => import('../screens/settings/mailboxes/MailboxScreen.tsx'),
    'MailboxScreen',
  ),
  page('mail', () => import('../screens/settings/mail/MailScreen.tsx'), 'MailScreen'),
  page('plan', () => import('../screens/settings/plan/PlanScreen.tsx'), 'PlanScreen'),
  page('data', () => import('../screens/settings/upkeep/DataScreen.tsx'), 'DataScreen'),
  page('redaction', () => import('../screens/settings/redaction/RedactionSettings.tsx'), 'RedactionSettings'),
  page('import', () => import('../screens/settings/imports/ImportsScreen.tsx'), 'ImportsScreen'),
  page(
    'import/$importId',
    () => import('../screens/settings/imports/DataImportScreen.tsx'),
    'DataImportScreen',
  ),
  audit,
  page('account', () => import('../screens/settings/account/AccountSettings.tsx'), 'AccountSettings'),
  page(
    'notifications',
    () => import('../screens/notifications/NotificationSettings.tsx'),
    'NotificationSettings',
  ),
  page('preferences', () => import('../screens/settings/PreferenceSettings.tsx'), 'PreferenceSettings'),
]);
