/** Which data of a table leaves Foyer: with the site's archive, and with one person's export. */
export interface SiteTable {
  name: string;
  /**
   * Names from before migration 0068, by today's columns: old archives have them, and a person's export always
   * does.
   */
  formerly?: { name?: string; columns?: Readonly<Record<string, string>> };
  /** Why no archive contains it. */
  leftOut?: string;
  /** Columns that no archive contains: secrets, and what is meaningless elsewhere. */
  without?: readonly string[];
  /** Columns that refer to later rows. An import sets them at the end. */
  later?: readonly string[];
  /** Rows per archive entry: fewer if rows may be large. */
  batch?: number;
  /** Also part of a person's export, found `by` this column, or by its `thread`: a ticket or chat. `without`: secrets and derived columns. */
  person?: { by: string; without?: readonly string[] };
}

/** Every table of a site. Archived tables are in the order of an import: referenced rows first. */
export const SITE_TABLES: readonly SiteTable[] = [
  { name: 'pictures', batch: 5 },
  { name: 'roles' },
  {
    name: 'agents',
    without: [
      'user_id',
      'presence',
      'at_desk_at',
      'last_routed_at',
      'last_ticket_routed_at',
      'test_mails_on',
      'test_mails',
    ],
  },
  { name: 'identity_providers', leftOut: 'how people sign in here, with a secret' },
  { name: 'provisioned_people', leftOut: 'whom an identity provider has named' },
  { name: 'provisioned_groups', leftOut: 'whom an identity provider has named' },
  { name: 'provisioned_members', leftOut: 'whom an identity provider has named' },
  { name: 'auth_sessions', leftOut: 'who is signed in, which ends with the move' },
  { name: 'api_tokens', without: ['token_hash', 'last_used_at', 'last_used_address', 'expiry_notice_at'] },
  { name: 'tags' },
  { name: 'categories' },
  { name: 'articles', batch: 50 },
  { name: 'slug_redirects', formerly: { name: 'former_slugs' } },
  { name: 'article_versions', batch: 50 },
  { name: 'article_drafts', batch: 50 },
  { name: 'article_ratings' },
  { name: 'article_images', batch: 2 },
  { name: 'deleted_articles', batch: 50 },
  { name: 'deleted_article_versions', batch: 50 },
  { name: 'training_rows' },
  { name: 'knowledge_sources', without: ['lease_token', 'lease_until'] },
  { name: 'knowledge_documents', batch: 20 },
  { name: 'conversation_starters' },
  { name: 'fields' },
  { name: 'teams', without: ['lead_id'] },
  { name: 'macros', without: ['owner_id'] },
  { name: 'saved_views', without: ['owner_id', 'version'] },
  { name: 'agent_skills' },
  { name: 'sla_policies' },
  { name: 'team_members', leftOut: 'agents of an archive have no access elsewhere' },
  { name: 'segments' },
  { name: 'proactive_messages' },
  { name: 'rules' },
  { name: 'handoff_rules' },
  { name: 'blocked_senders', later: ['ticket_id'] },
  { name: 'actions', without: ['headers_cipher'] },
  {
    name: 'webhook_subscriptions',
    without: ['secret_cipher', 'previous_secret_cipher', 'previous_secret_until', 'disabled_notice_due_at'],
  },
  {
    name: 'visitors',
    formerly: {
      columns: {
        merged_into_id: 'folded_into_id',
        verified_fields: 'vouched',
        pre_chat_completed_at: 'introduced_at',
      },
    },
    later: ['merged_into_id'],
    person: { by: 'id', without: ['search', 'segments_due_at', 'last_seen_hour'] },
  },
  {
    name: 'visitor_devices',
    leftOut: 'keys of browsers for this installation',
    formerly: { columns: { reported_attributes: 'told', pre_chat_completed_at: 'introduced_at' } },
    person: { by: 'visitor_id', without: ['token_hash'] },
  },
  { name: 'visitor_events', person: { by: 'visitor_id' } },
  {
    name: 'visitor_pages',
    leftOut: "pages of browsers, whose keys don't move",
    person: { by: 'visitor_id', without: ['node', 'alive_at'] },
  },
  { name: 'visitor_notes', person: { by: 'visitor_id' } },
  { name: 'visitor_consents', person: { by: 'visitor_id' } },
  { name: 'segment_members', person: { by: 'visitor_id' } },
  { name: 'proactive_receipts', person: { by: 'visitor_id' } },
  {
    name: 'conversations',
    without: ['device_id', 'closes_at', 'closing_agent_id'],
    later: ['ticket_id', 'previous_id'],
    person: { by: 'visitor_id' },
  },
  { name: 'messages', person: { by: 'conversation_id' } },
  { name: 'notes', person: { by: 'conversation_id' } },
  { name: 'routing_decisions', person: { by: 'conversation_id' } },
  { name: 'handoffs', person: { by: 'conversation_id' } },
  { name: 'feedback', person: { by: 'conversation_id' } },
  { name: 'conversation_tags', person: { by: 'conversation_id' } },
  { name: 'conversation_fields', person: { by: 'conversation_id' } },
  // Due times are computed again by the policies.
  { name: 'chat_slas', leftOut: 'computed of the chats' },
  {
    name: 'action_runs',
    leftOut: 'questions of the bot in progress here',
    person: { by: 'conversation_id' },
  },
  { name: 'action_calls', leftOut: 'calls from here', person: { by: 'conversation_id' } },
  { name: 'unread_replies', leftOut: 'pending emails of here', person: { by: 'conversation_id' } },
  { name: 'transcript_mails', leftOut: 'a limit of one day', person: { by: 'conversation_id' } },
  {
    name: 'tickets',
    // Due times are computed again by the policies.
    without: ['mailbox_id', 'sla', 'sla_due_at', 'sla_event_at'],
    later: ['follow_up_of_id', 'merged_into_id'],
    person: {
      by: 'requester_id',
      without: ['assignee_key', 'priority_rank', 'snoozed', 'sla', 'sla_due_at', 'sla_event_at'],
    },
  },
  { name: 'ticket_replies', batch: 200, person: { by: 'ticket_id' } },
  {
    name: 'received_mails',
    leftOut: 'the log of this installation',
    person: { by: 'thread', without: ['raw', 'content_hash'] },
  },
  { name: 'ticket_mails', without: ['mailbox_id', 'received_id'], batch: 20, person: { by: 'ticket_id' } },
  { name: 'chat_mails', without: ['mailbox_id', 'received_id'], person: { by: 'conversation_id' } },
  { name: 'mail_attempts', leftOut: 'the log of this installation', person: { by: 'thread' } },
  { name: 'mentions' },
  { name: 'ticket_tags', person: { by: 'ticket_id' } },
  { name: 'ticket_fields', person: { by: 'ticket_id' } },
  {
    name: 'portal_links',
    leftOut: 'links to this installation',
    person: { by: 'ticket_id', without: ['token_hash'] },
  },
  // Each file is an entry of its own.
  {
    name: 'attachments',
    without: ['device_id', 'content'],
    batch: 1,
    person: { by: 'reply_id', without: ['content', 'upload_id'] },
  },
  { name: 'question_sets' },
  { name: 'set_questions' },
  { name: 'evaluations' },
  { name: 'evaluation_results' },
  { name: 'unanswered_questions', formerly: { name: 'gaps' } },
  { name: 'unanswered_question_terms', formerly: { name: 'gap_terms', columns: { question_id: 'gap_id' } } },
  {
    name: 'unanswered_question_messages',
    formerly: { name: 'gap_questions', columns: { question_id: 'gap_id' } },
    person: { by: 'conversation_id' },
  },
  { name: 'sample_records' },
  { name: 'usage_days' },
  { name: 'report_sites' },
  { name: 'report_contributions', formerly: { name: 'report_counted' } },
  { name: 'report_days' },
  { name: 'audit_entries' },
  { name: 'api_token_days', leftOut: "counts of tokens, which don't move" },
  { name: 'article_votes', leftOut: 'who voted; the sums are in article_ratings' },
  { name: 'bulk_change_items', leftOut: 'undo of one week' },
  { name: 'bulk_changes', leftOut: 'undo of one week' },
  { name: 'message_search_progress', leftOut: 'how far chats are indexed here' },
  { name: 'message_search_chunks', leftOut: 'rebuilt from the chats' },
  { name: 'ai_usage_days', leftOut: 'a limit of one day' },
  { name: 'drafts', leftOut: "of agents, who don't move" },
  { name: 'help_slug_redirects', leftOut: 'addresses of this installation' },
  { name: 'idempotency_keys', leftOut: "answers to tokens, which don't move" },
  { name: 'import_parts', leftOut: 'an import into this installation' },
  { name: 'import_problems', leftOut: 'an import into this installation' },
  { name: 'imports', leftOut: 'an import into this installation' },
  { name: 'knowledge_files', leftOut: 'files that wait to be read here' },
  { name: 'invitations', leftOut: 'links to this installation' },
  { name: 'mailboxes', leftOut: 'holds passwords' },
  { name: 'mailbox_sign_ins', leftOut: 'holds tokens' },
  { name: 'mail_settings', leftOut: 'holds a password' },
  { name: 'language_models', leftOut: 'holds a key' },
  { name: 'mention_queue', leftOut: "of agents, who don't move" },
  { name: 'notice_outbox', leftOut: 'notices of the last minute' },
  { name: 'security_outbox', leftOut: 'pending work of seconds' },
  { name: 'notification_choices', leftOut: "of agents, who don't move" },
  { name: 'digest_mails', leftOut: "of agents, who don't move" },
  { name: 'mail_failures', leftOut: 'of the mail server of this installation' },
  { name: 'notifications', leftOut: "of agents, who don't move" },
  { name: 'passage_vectors', leftOut: 'recomputed from the articles' },
  { name: 'portal_answers', leftOut: "of links, which don't move" },
  { name: 'push_devices', leftOut: 'keys of browsers for this installation' },
  { name: 'report_dirty_records', leftOut: 'pending work of seconds' },
  { name: 'rule_events', leftOut: 'pending work of seconds' },
  { name: 'rule_runs', leftOut: 'what rules did here' },
  { name: 'retention_runs', leftOut: 'what retention did here' },
  { name: 'segment_deltas', leftOut: 'pending work of seconds' },
  { name: 'site_archive_parts', leftOut: 'an archive itself' },
  { name: 'site_archives', leftOut: 'an archive itself' },
  { name: 'site_imports', leftOut: 'progress of an import here' },
  { name: 'widget_installs_seen', leftOut: 'where the snippet ran' },
  { name: 'ticket_words', leftOut: 'recomputed from the tickets' },
  { name: 'training_moves', leftOut: 'a change in progress here' },
  { name: 'webhook_attempts', leftOut: 'deliveries from here' },
  { name: 'webhook_deliveries', leftOut: 'deliveries from here' },
  { name: 'webhook_events', leftOut: 'deliveries from here' },
  { name: 'stream_recordings', leftOut: 'which programs listen here' },
  { name: 'webhook_hours', leftOut: 'deliveries from here' },
  { name: 'webhook_leases', leftOut: 'created with the subscription' },
  { name: 'webhook_queue', leftOut: 'deliveries from here' },
];

/** The tables of an archive. */
export const ARCHIVED: readonly SiteTable[] = SITE_TABLES.filter(({ leftOut }) => leftOut === undefined);

/** Columns of the site's own row that no archive contains: its identity, secrets, and the installation's data. */
export const SITE_WITHOUT = [
  'id',
  'plan',
  'public_key',
  'created_at',
  'identity_secret_cipher',
  'identity_secret_hint',
  'identity_secret_made_at',
  'identity_secret_previous_cipher',
  'identity_secret_previous_until',
  'saml_key_cipher',
  'saml_previous_key_cipher',
  'saml_certificate',
  'two_factor_required_at',
  'session_idle_hours',
  'session_max_days',
  'chat_mailbox_id',
  'segments_version',
  'knowledge_version',
  'unanswered_questions_checked_version',
] as const;
