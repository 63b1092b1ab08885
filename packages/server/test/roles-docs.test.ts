import type { OperationName } from '@foyer/protocol';
import { describe, expect, it } from 'vitest';
import type { Actor } from '../src/core/actor.ts';
import { findOperation, mayRun } from '../src/registry.ts';
import { readPage, sectionOf } from './doc-pages.ts';

/** The operations of each row of the table. */
const OPERATIONS: Record<string, OperationName[]> = {
  'Answer, assign, transfer, tag, snooze and close chats': [
    'sessions.accept',
    'sessions.reply',
    'sessions.transfer',
    'sessions.set_tags',
    'sessions.snooze',
    'sessions.close',
  ],
  'Create, answer, merge, solve and snooze tickets': [
    'tickets.create',
    'tickets.reply',
    'tickets.merge',
    'tickets.update',
    'ticket_snoozes.set',
  ],
  'Delete tickets': ['tickets.delete'],
  'Notes and mentions': ['sessions.note', 'visitor_notes.create'],
  'Write macros and saved views': [
    'macros.create',
    'macros.delete',
    'saved_views.create',
    'saved_views.delete',
  ],
  'Create and rename tags': ['tags.create', 'tags.update'],
  'Merge and delete tags': ['tags.merge', 'tags.delete'],
  'Write, publish, archive and delete articles': ['articles.save', 'articles.bulk', 'articles.delete'],
  'Import and export articles; change categories, synonyms and the help centre': [
    'articles.import',
    'articles.export',
    'categories.update',
    'synonyms.update',
    'help_centre.update',
  ],
  'Change conversation starters': ['conversation_starters.create', 'conversation_starters.update'],
  'See gaps, write question sets and run evaluations': [
    'gaps.list',
    'question_sets.create',
    'evaluations.start',
  ],
  'Change the bot, its handoff rules and its actions': [
    'bot.update',
    'handoff_rules.update',
    'actions.update',
    'actions.test',
  ],
  'See, edit, merge and block visitors': [
    'visitors.list',
    'visitors.update',
    'visitors.merge',
    'visitors.block',
  ],
  'Erase visitors and export their data': ['visitors.erase', 'visitors.export', 'visitor_data.export'],
  'Export chats and tickets': ['inbox.export'],
  'Create and change segments': ['segments.create', 'segments.update'],
  'Delete segments': ['segments.delete'],
  'See reports and export them': ['reports.volume', 'reports.agents', 'reports.export'],
  'Change the site, widget, survey, office hours and routing': ['site.update'],
  'Invite and remove teammates, change roles and capacity': [
    'agents.invite',
    'agents.remove',
    'agents.set_role',
    'agents.set_chat_limit',
    'agents.set_ticket_limit',
    'agents.set_skills',
  ],
  'Create, change and delete fields': ['fields.create', 'fields.update', 'fields.delete'],
  'Create, change and delete custom roles': ['roles.create', 'roles.update', 'roles.delete'],
  'Create, change and delete teams': ['teams.create', 'teams.update', 'teams.delete'],
  'Create, change and delete SLA policies': [
    'sla_policies.create',
    'sla_policies.update',
    'sla_policies.delete',
  ],
  'Create, change and delete proactive messages': [
    'proactive_messages.create',
    'proactive_messages.update',
    'proactive_messages.delete',
  ],
  'Create and revoke API tokens': ['api_tokens.create', 'api_tokens.revoke', 'browser_tokens.create'],
  'Create and change webhooks, retry deliveries': [
    'webhook_subscriptions.create',
    'webhook_subscriptions.update',
    'webhook_deliveries.resend',
  ],
  'See webhooks and their delivery log': ['webhook_subscriptions.list', 'webhook_deliveries.list'],
  'Set up email': ['mail.set', 'mail.test'],
  'See the mail log, accept suspended email, block senders': [
    'received_mails.list',
    'received_mails.count',
    'received_mails.decide',
    'received_mails.decide_all',
    'sent_mails.list',
    'blocked_senders.list',
    'blocked_senders.create',
    'blocked_senders.delete',
  ],
  'Block email addresses, IP addresses, countries and phrases': [
    'blocks.list',
    'blocks.create',
    'blocks.update',
    'blocks.delete',
  ],
  'Download emails as they were received': ['received_mails.source'],
  'Set up mailboxes': [
    'mailboxes.create',
    'mailboxes.update',
    'mailboxes.delete',
    'mailboxes.test',
    'mailboxes.begin_sign_in',
    'mailboxes.finish_sign_in',
  ],
  'Set up, test and switch the language model': [
    'language_model.set',
    'language_model.test',
    'language_model.switch',
  ],
  'Change the plan': ['site.set_plan'],
  'Set retention, create and import archives, import CSV files': [
    'retention.set',
    'site_archives.create',
    'imports.create',
  ],
  'Read the audit log': ['audit.list', 'audit.export'],
};

const agentOf = (role: 'agent' | 'admin') => ({ kind: 'agent', agentId: 1, name: 'Ada', role }) as Actor;

const may = (role: 'agent' | 'admin', name: OperationName): string => {
  const operation = findOperation(name);
  if (!operation) throw new Error(`${name} is no operation`);
  return mayRun(operation, agentOf(role)) ? 'yes' : 'no';
};

describe('docs/owners.md', () => {
  const { text } = sectionOf(readPage('owners.md'), 'Who may do what');
  const rows = [...text.matchAll(/^\| ([A-Z].*?) \| (yes|no) \| (yes|no) \|$/gm)];

  it('has a row for each of these groups of operations, and no other', () => {
    expect(rows.map(([, label]) => label)).toEqual(Object.keys(OPERATIONS));
  });

  it.each(rows.map(([, label = '', agent = '', admin = '']) => ({ label, agent, admin })))(
    'says who may do this: $label',
    ({ label, agent, admin }) => {
      for (const name of OPERATIONS[label] ?? []) {
        expect(may('agent', name), name).toBe(agent);
        expect(may('admin', name), name).toBe(admin);
      }
    },
  );
});
