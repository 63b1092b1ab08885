import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../src/registry.ts';
import { startTestApp, type TestApp, type TestSite } from './app.ts';
import { isRecordKind, makeRecord, type RecordKind } from './examples.ts';
import { inputFields, namesRecord } from './input-fields.ts';
import { inputOf } from './rest-calls.ts';

// An operation's `records` switch on the tests that nobody reaches another site's record. They are optional in the
// type, so this finds the input that names a record and doesn't say so.

/** Fields that examples omit, by operation and name: what they refer to. They are tested below. */
const OPTIONAL: Readonly<Record<string, RecordKind>> = {
  'categories.move before_id': 'category',
  'evaluation_results.list compare_id': 'evaluation',
  'mailboxes.create assignee_id': 'agent',
  'mailboxes.update assignee_id': 'agent',
  'mailboxes.create team_id': 'team',
  'mailboxes.update team_id': 'team',
  'set_questions.create article_id': 'article',
  'set_questions.create session_id': 'session',
  'set_questions.update article_id': 'article',
  'tickets.create assignee_id': 'agent',
  'tickets.create team_id': 'team',
  'tickets.create session_id': 'session',
  'tickets.update assignee_id': 'agent',
  'tickets.update team_id': 'team',
  'sessions.transfer team_id': 'team',
};

/** Other fields that such a field needs: any other question has no article. */
const BESIDE: Readonly<Record<string, object>> = {
  'set_questions.create article_id': { expects: 'article' },
  'set_questions.update article_id': { expects: 'article' },
};

/** Other fields that `records` doesn't have, by reason. */
const UNDECLARED: Readonly<Record<string, readonly string[]>> = {
  'A filter: an id that the site does not have finds nothing.': [
    'audit.list agent_id',
    'audit.export agent_id',
    'inbox.search assignee_id',
    'inbox.search team_id',
    'inbox.search requester_key',
    'inbox.filtered assignee_id',
    'inbox.filtered team_id',
    'inbox.filtered requester_key',
    'inbox.tickets assignee_id',
    'inbox.tickets team_id',
    'sessions.list assignee_id',
    'sessions.list team_id',
    'conversations.list assignee_id',
    'conversations.list team_id',
    'conversations.list key',
    'conversations.list visitor_id',
    'bulk_changes.count of.list.assignee_id',
    'bulk_changes.count of.list.team_id',
    'bulk_changes.start of.list.assignee_id',
    'bulk_changes.start of.list.team_id',
    'bulk_changes.count of.search.assignee_id',
    'bulk_changes.count of.search.team_id',
    'bulk_changes.count of.search.requester_key',
    'bulk_changes.start of.search.assignee_id',
    'bulk_changes.start of.search.team_id',
    'bulk_changes.start of.search.requester_key',
    'exports.get assignee_id',
    'exports.get team_id',
    'inbox.export of.list.assignee_id',
    'inbox.export of.list.team_id',
    'inbox.export of.search.assignee_id',
    'inbox.export of.search.team_id',
    'inbox.export of.search.requester_key',
    'reports.volume team_id',
    'reports.responses team_id',
    'reports.hours team_id',
    'reports.bot team_id',
    'reports.satisfaction team_id',
    'reports.comments team_id',
    'reports.conversations team_id',
    'reports.agents team_id',
    'reports.tags team_id',
    'reports.slas team_id',
    'reports.get team_id',
    'reports.export team_id',
    'tickets.list assignee_id',
    'tickets.list team_id',
    'tickets.list requester_key',
    'inbox_views.create list.assignee_id',
    'inbox_views.create list.team_id',
    'inbox_views.create tickets.filter.assignee_id',
    'inbox_views.create tickets.filter.team_id',
    'inbox_views.create tickets.filter.requester_key',
    'inbox_views.update list.assignee_id',
    'inbox_views.update list.team_id',
    'inbox_views.update tickets.filter.assignee_id',
    'inbox_views.update tickets.filter.team_id',
    'inbox_views.update tickets.filter.requester_key',
    'saved_views.create filter.assignee_id',
    'saved_views.create filter.team_id',
    'saved_views.create filter.requester_key',
    'saved_views.update filter.assignee_id',
    'saved_views.update filter.team_id',
    'saved_views.update filter.requester_key',
    'received_mails.list mailbox_id',
    'received_mails.list ticket_id',
    'teams.list member_id',
    'sent_mails.list mailbox_id',
    'sent_mails.list ticket_id',
    'rule_runs.list rule_id',
    'rule_runs.list ticket_id',
    'rule_runs.list session_id',
  ],
  'The call creates a visitor with this key if there is none, or takes over what an old key had.': [
    'visitors.upsert key',
    'visitors.upsert previous_key',
    'track.create key',
    'conversations.create key',
    'tickets.create requester.key',
  ],
  'Without it the answer counts all the same: a message may be deleted meanwhile.': [
    'chat.send proactive_id',
  ],
  'It is a secret, and names nothing.': ['language_model.set key'],
  'The key of a custom field of this very site; one that it does not have is refused.': [
    'site.update pre_chat.key',
  ],
  'The id in another system.': ['tickets.create external_id', 'tickets.update external_id'],
  'Part of a list or an action, which an example has no single place for.': [
    'articles.bulk selection.ids',
    'received_mails.decide_all ids',
    'deleted_articles.restore ids',
    'tickets.merge ids',
    'tickets_bulk.change ids',
    'tickets_bulk.change assignee_id',
    'tickets_bulk.change team_id',
    'tickets_bulk.change macro_id',
    'sla_policies.create conditions.team_id',
    'sla_policies.update conditions.team_id',
    'proactive_messages.create sender_id',
    'proactive_messages.create segment_ids',
    'proactive_messages.update sender_id',
    'proactive_messages.update segment_ids',
    'teams.create member_ids',
    'teams.create lead_id',
    'teams.update member_ids',
    'teams.update lead_id',
    'agents.set_skills tag_ids',
    'handoff_rules.create segment_ids',
    'handoff_rules.update segment_ids',
    'bulk_changes.start change.assignee_id',
    'bulk_changes.start change.team_id',
    'bulk_changes.start change.macro_id',
    'inbox_views.create team_id',
    'inbox_views.update team_id',
    'saved_views.create team_id',
    'saved_views.update team_id',
    'macros.create team_id',
    'macros.update team_id',
    'macros.create actions.assignee_id',
    'macros.create actions.team_id',
    'macros.create actions.webhook_id',
    'macros.update actions.assignee_id',
    'macros.update actions.team_id',
    'macros.update actions.webhook_id',
    'rules.create actions.assignee_id',
    'rules.create actions.team_id',
    'rules.create actions.webhook_id',
    'rules.update actions.assignee_id',
    'rules.update actions.team_id',
    'rules.update actions.webhook_id',
    'sessions.note mentions.id',
    'conversation_notes.create mentions.id',
    'sessions.transfer note.mentions.id',
    'tickets.reply mentions.id',
    'drafts.save mentions.id',
  ],
  'It is looked up within the ticket that is declared.': [
    'tickets.retry_mail reply_id',
    'tickets.mail_html mail_id',
    'tickets.undo_reply reply_id',
    'tickets.split reply_id',
    'redactions.create reply_id',
    'redactions.create attachment_id',
  ],
  'It is optional, and looked up within the site.': [
    'tickets.create mailbox_id',
    'site.update chat_mailbox_id',
    'received_mails.list id',
    'sent_mails.list id',
    'conversations.update agent_id',
    'conversations.update assignee_id',
    'conversations.update team_id',
    'conversations.create visitor_id',
  ],
  'It is looked up within the action that is declared.': ['actions.test step_id'],
  'It is the key of the field itself.': ['fields.create key'],
  'It names a step of the action itself.': ['actions.create steps.id', 'actions.update steps.id'],
  'It goes instead of the ticket_id that is declared, with a message within it.': [
    'redactions.create session_id',
    'redactions.create message_id',
  ],
  'It goes instead of the session_id that is declared.': [
    'drafts.get ticket_id',
    'drafts.save ticket_id',
    'spam.set ticket_id',
  ],
  'It only selects among the notifications of the agent who calls.': [
    'notifications.see session_id',
    'notifications.see ticket_id',
    'notifications.see ids',
  ],
};

const listed = [...Object.keys(OPTIONAL), ...Object.values(UNDECLARED).flat()];

const undeclared = operations.flatMap(({ name, records = {} }) =>
  inputFields(name).flatMap((field) =>
    namesRecord(field) && !(field.path in records) ? [`${name} ${field.path}`] : [],
  ),
);

describe('the records that an input names', () => {
  it('are declared by the operation, or listed here', () => {
    expect(undeclared.filter((field) => !listed.includes(field))).toEqual([]);
  });

  it('are listed here only while they are not declared', () => {
    expect(listed.filter((field) => !undeclared.includes(field))).toEqual([]);
  });

  it('are fields of the input, and of a kind that tests can create', () => {
    const faults = operations.flatMap(({ name, records = {} }) => {
      const paths = inputFields(name).map(({ path }) => path);
      return Object.entries(records).flatMap(([field, kind]) =>
        paths.includes(field) && isRecordKind(kind) ? [] : [`${name} ${field}: ${kind}`],
      );
    });
    expect(faults).toEqual([]);
  });
});

describe('an optional field', () => {
  let app: TestApp;
  let own: TestSite;
  let other: TestSite;
  let cookie: string;

  beforeAll(async () => {
    app = await startTestApp();
    [own, other] = await Promise.all([app.makeSite(), app.makeSite()]);
    cookie = await app.signIn(own.admin.email);
  });
  afterAll(() => app.close());

  it.each(Object.entries(OPTIONAL))('refuses another site’s record: %s', async (where, kind) => {
    const [name, field = ''] = where.split(' ');
    const operation = operations.find((one) => one.name === name);
    if (!operation) throw new Error(`there is no operation ${name}`);
    const input = await inputOf(app, operation, own);
    const foreign = { ...input, ...BESIDE[where], [field]: await makeRecord[kind](app, other) };
    const { status, body } = await app.desk(cookie, operation.name, foreign);
    expect([status, body.error?.code]).toEqual([404, 'not_found']);
  });
});
