import type { Permission } from '@foyer/protocol/values/sign-in/permissions';
import type { LinkProps } from '@tanstack/react-router';
import type { CommandId } from './commands.ts';
import { t } from './t.ts';

/** Where a new record and the stored ones share a route. */
const NEW = { id: 'new' } as const;

/** Every page of the desk with its own address, for the palette. It offers an agent those that they may use. */
export const PLACES = [
  { to: '/inbox', word: 'inbox', command: 'go_inbox' },
  { to: '/visitors', word: 'visitors', command: 'go_visitors' },
  { to: '/visitors/here', word: 'here' },
  { to: '/visitors/segments', word: 'segments' },
  { to: '/visitors/segments/new', word: 'new_segment', needs: 'shared' },
  { to: '/knowledge', word: 'knowledge', command: 'go_knowledge' },
  { to: '/reports', word: 'reports', command: 'go_reports', needs: 'reports' },
  { to: '/settings', word: 'settings', command: 'go_settings' },
  { to: '/first-steps', word: 'first_steps' },
  { to: '/knowledge/new', word: 'new_article', needs: 'articles' },
  { to: '/knowledge/import', word: 'import' },
  { to: '/knowledge/sources', word: 'sources' },
  { to: '/knowledge/categories', word: 'categories' },
  { to: '/knowledge/help-centre', word: 'help_centre' },
  { to: '/knowledge/starters', word: 'starters' },
  { to: '/knowledge/training', word: 'training' },
  { to: '/knowledge/synonyms', word: 'synonyms' },
  { to: '/knowledge/deleted', word: 'deleted' },
  { to: '/knowledge/bot', word: 'bot' },
  { to: '/knowledge/actions', word: 'actions' },
  { to: '/knowledge/actions/new', word: 'new_action', needs: 'bot' },
  { to: '/knowledge/actions/log', word: 'action_log' },
  { to: '/knowledge/evaluation', word: 'evaluation' },
  { to: '/knowledge/gaps', word: 'gaps' },
  { to: '/settings/site', word: 'site', needs: 'site' },
  { to: '/settings/widget', word: 'widget', needs: 'site' },
  { to: '/settings/survey', word: 'survey', needs: 'site' },
  { to: '/settings/install', word: 'install', needs: 'site' },
  { to: '/settings/hours', word: 'hours', needs: 'site' },
  { to: '/settings/routing', word: 'routing', needs: 'site' },
  { to: '/settings/agents', word: 'agents', needs: 'admin' },
  { to: '/settings/fields', word: 'fields', needs: 'workflow' },
  { to: '/settings/fields/$id', params: NEW, word: 'new_field', needs: 'workflow' },
  { to: '/settings/teams', word: 'teams', needs: 'workflow' },
  { to: '/settings/teams/new', word: 'new_team', needs: 'workflow' },
  { to: '/settings/proactive', word: 'proactive', needs: 'workflow' },
  { to: '/settings/proactive/$id', params: NEW, word: 'new_proactive', needs: 'workflow' },
  { to: '/settings/slas', word: 'slas', needs: 'workflow' },
  { to: '/settings/slas/$id', params: NEW, word: 'new_sla', needs: 'workflow' },
  { to: '/settings/rules', word: 'rules', needs: 'workflow' },
  { to: '/settings/rules/$id', params: NEW, word: 'new_rule', needs: 'workflow' },
  { to: '/settings/rules/log', word: 'rule_log' },
  { to: '/settings/roles', word: 'roles', needs: 'admin' },
  { to: '/settings/roles/new', word: 'new_role', needs: 'admin' },
  { to: '/settings/single-sign-on', word: 'single_sign_on', needs: 'admin' },
  { to: '/settings/single-sign-on/new', word: 'new_provider', needs: 'admin' },
  { to: '/settings/tokens', word: 'tokens', needs: 'admin' },
  { to: '/settings/webhooks', word: 'webhooks', needs: 'integrations' },
  { to: '/settings/mailboxes', word: 'mailboxes', needs: 'email' },
  { to: '/settings/mailboxes/new', word: 'new_mailbox', needs: 'email' },
  { to: '/settings/mail', word: 'mail', needs: 'email' },
  { to: '/settings/plan', word: 'plan', needs: 'admin' },
  { to: '/settings/data', word: 'data', needs: 'data' },
  { to: '/settings/redaction', word: 'redaction', needs: 'site' },
  { to: '/settings/import', word: 'data_import', needs: 'data' },
  { to: '/settings/macros', word: 'macros' },
  { to: '/settings/macros/new', word: 'new_macro' },
  { to: '/settings/tags', word: 'tags' },
  { to: '/settings/mail-log', word: 'mail_log' },
  { to: '/settings/blocked', word: 'blocked' },
  { to: '/settings/audit', word: 'audit', needs: 'audit' },
  { to: '/settings/account', word: 'account' },
  { to: '/settings/notifications', word: 'notifications' },
  { to: '/settings/preferences', word: 'preferences' },
] as const satisfies readonly {
  to: LinkProps['to'];
  word: string;
  params?: typeof NEW;
  needs?: Permission | 'admin';
  /** Set if it has keys. */
  command?: CommandId;
}[];

export type Place = (typeof PLACES)[number];

/** A page's name in the agent's language. */
export const placeName = ({ word }: Place): string => t(`place_${word}`);
