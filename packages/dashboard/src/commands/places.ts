import type { LinkProps } from '@tanstack/react-router';
import type { CommandId } from './commands.ts';
import { t } from './t.ts';

/** Every page of the desk with its own address, for the palette. Agents aren't offered the admins' settings. */
export const PLACES = [
  { to: '/inbox', word: 'inbox', command: 'go_inbox' },
  { to: '/visitors', word: 'visitors', command: 'go_visitors' },
  { to: '/visitors/here', word: 'here' },
  { to: '/visitors/segments', word: 'segments' },
  { to: '/visitors/segments/new', word: 'new_segment' },
  { to: '/knowledge', word: 'knowledge', command: 'go_knowledge' },
  { to: '/reports', word: 'reports', command: 'go_reports' },
  { to: '/settings', word: 'settings', command: 'go_settings' },
  { to: '/first-steps', word: 'first_steps' },
  { to: '/knowledge/new', word: 'new_article' },
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
  { to: '/knowledge/actions/new', word: 'new_action', isForAdmins: true },
  { to: '/knowledge/actions/log', word: 'action_log' },
  { to: '/knowledge/evaluation', word: 'evaluation' },
  { to: '/knowledge/gaps', word: 'gaps' },
  { to: '/settings/site', word: 'site', isForAdmins: true },
  { to: '/settings/widget', word: 'widget', isForAdmins: true },
  { to: '/settings/survey', word: 'survey', isForAdmins: true },
  { to: '/settings/install', word: 'install', isForAdmins: true },
  { to: '/settings/hours', word: 'hours', isForAdmins: true },
  { to: '/settings/routing', word: 'routing', isForAdmins: true },
  { to: '/settings/team', word: 'team', isForAdmins: true },
  { to: '/settings/fields', word: 'fields', isForAdmins: true },
  { to: '/settings/teams', word: 'teams', isForAdmins: true },
  { to: '/settings/teams/new', word: 'new_team', isForAdmins: true },
  { to: '/settings/single-sign-on', word: 'single_sign_on', isForAdmins: true },
  { to: '/settings/single-sign-on/new', word: 'new_provider', isForAdmins: true },
  { to: '/settings/tokens', word: 'tokens', isForAdmins: true },
  { to: '/settings/webhooks', word: 'webhooks', isForAdmins: true },
  { to: '/settings/mailboxes', word: 'mailboxes', isForAdmins: true },
  { to: '/settings/mailboxes/new', word: 'new_mailbox', isForAdmins: true },
  { to: '/settings/mail', word: 'mail', isForAdmins: true },
  { to: '/settings/plan', word: 'plan', isForAdmins: true },
  { to: '/settings/data', word: 'data', isForAdmins: true },
  { to: '/settings/redaction', word: 'redaction', isForAdmins: true },
  { to: '/settings/import', word: 'data_import', isForAdmins: true },
  { to: '/settings/macros', word: 'macros' },
  { to: '/settings/macros/new', word: 'new_macro' },
  { to: '/settings/tags', word: 'tags' },
  { to: '/settings/mail-log', word: 'mail_log' },
  { to: '/settings/blocked', word: 'blocked' },
  { to: '/settings/audit', word: 'audit', isForAdmins: true },
  { to: '/settings/account', word: 'account' },
  { to: '/settings/notifications', word: 'notifications' },
  { to: '/settings/preferences', word: 'preferences' },
] as const satisfies readonly {
  to: LinkProps['to'];
  word: string;
  isForAdmins?: true;
  /** Set if it has keys. */
  command?: CommandId;
}[];

export type Place = (typeof PLACES)[number];

/** A page's name in the agent's language. */
export const placeName = ({ word }: Place): string => t(`place_${word}`);
