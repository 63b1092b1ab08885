/** A visitor's data in a table. */
export interface PersonalTable {
  /** Text columns without user-written text: states, kinds, hashes, names of the team. */
  plain?: readonly string[];
  /** Columns that stay when the visitor is erased: messages, by then anonymous. */
  kept?: readonly string[];
}

/**
 * Every table with data of a visitor: those that refer to a visitor by foreign keys, and those that copy messages or
 * attributes. A test compares it with the schema, so a new table can't be forgotten.
 */
export const PERSONAL: Readonly<Record<string, PersonalTable>> = {
  visitors: { plain: ['verified_fields'] },
  visitor_devices: { plain: ['language', 'token_hash'] },
  visitor_events: {},
  visitor_pages: { plain: ['node', 'guest_token'] },
  visitor_notes: {},
  visitor_consents: { plain: ['language'] },
  proactive_receipts: { plain: ['language'] },
  segment_members: {},
  conversations: {
    plain: ['session_id', 'status', 'last_sender', 'said_sender', 'language', 'spam_reason'],
    kept: ['last_text', 'said_text', 'about'],
  },
  messages: { plain: ['sender', 'sources', 'event', 'choices'], kept: ['text'] },
  notes: { kept: ['text'] },
  routing_decisions: { plain: ['kind', 'reasons'] },
  handoffs: { plain: ['reason'], kept: ['summary'] },
  feedback: { kept: ['comment'] },
  conversation_tags: {},
  chat_slas: { plain: ['sla'] },
  conversation_fields: {},
  transcript_mails: {},
  unread_replies: {},
  chat_mails: { plain: ['state', 'authentication'] },
  action_runs: { plain: ['begun_by', 'step'] },
  action_calls: { plain: ['action_name', 'begun_by', 'key', 'method', 'error'] },
  message_search_chunks: { kept: ['words'] },
  unanswered_question_messages: { kept: ['question'] },
  unanswered_questions: { kept: ['question', 'terms'] },
  unanswered_question_terms: { kept: ['term'] },
  set_questions: { plain: ['expects'], kept: ['question', 'question_key'] },
  tickets: {
    plain: ['status', 'priority', 'spam_reason', 'sla'],
    kept: ['subject', 'description', 'external_id'],
  },
  ticket_replies: { plain: ['type', 'author_type', 'mail_state', 'signature', 'undo'], kept: ['body'] },
  received_mails: {
    plain: ['route', 'remote_address', 'state', 'reason', 'suspended_for', 'authentication', 'content_hash'],
  },
  ticket_mails: { plain: ['authentication'] },
  mail_attempts: { plain: ['outcome'] },
  blocked_senders: { plain: ['kind'] },
  ticket_tags: {},
  ticket_fields: {},
  ticket_words: { kept: ['words'] },
  portal_links: { plain: ['token_hash'] },
  portal_answers: { plain: ['answer_hash'] },
  attachments: { plain: ['content_type', 'content_id'] },
  drafts: { plain: ['kind', 'mentions'] },
  mentions: { plain: ['name'] },
  mention_queue: {},
  rule_runs: { plain: ['event', 'because', 'outcome', 'message', 'failure'] },
  notifications: { plain: ['kind'] },
  webhook_events: { plain: ['id', 'event'], kept: ['body'] },
  webhook_attempts: { plain: ['error', 'signature', 'signature_previous', 'standard_signature'] },
  import_problems: { plain: ['issues'] },
  audit_entries: { plain: ['actor_kind', 'subject', 'action', 'label', 'address'] },
};

/** Every other table, by the reason why it has no visitor data to be erased. */
const IMPERSONAL_BY_REASON: Readonly<Record<string, readonly string[]>> = {
  'the site and what its team has set up': [
    ...[
      'installation',
      'sites',
      'widget_installs_seen',
      'pictures',
      'tags',
      'macros',
      'saved_views',
      'fields',
      'rules',
      'rule_events',
      'roles',
      'teams',
      'sla_policies',
      'proactive_messages',
      'team_members',
      'segments',
      'segment_deltas',
    ],
    ...[
      'conversation_starters',
      'handoff_rules',
      'identity_providers',
      'actions',
      'webhook_subscriptions',
      'webhook_leases',
      'mail_settings',
      'mailboxes',
      'mailbox_sign_ins',
    ],
    'language_models',
    'mail_failures',
    ...['retention_runs', 'sample_records', 'foyer_migrations', 'setup_links', 'limit_counts'],
    ...['job_workers', 'notice_outbox', 'notice_outbox_epochs', 'security_outbox'],
  ],
  'agents and what is theirs': [
    ...[
      'agents',
      'agent_skills',
      'auth_accounts',
      'auth_passkeys',
      'auth_sessions',
      'auth_two_factors',
      'auth_used_codes',
      'auth_users',
    ],
    ...['auth_verifications', 'invitations', 'ai_usage_days', 'notification_choices', 'digest_mails'],
    ...['push_devices', 'provisioned_people', 'provisioned_groups', 'provisioned_members'],
  ],
  'programs that call the API': ['api_tokens', 'api_token_days', 'usage_days'],
  'sealed answers of one day': ['idempotency_keys'],
  'published knowledge and its history': [
    ...[
      'articles',
      'article_drafts',
      'article_images',
      'article_ratings',
      'article_versions',
      'article_votes',
    ],
    ...[
      'categories',
      'deleted_articles',
      'deleted_article_versions',
      'slug_redirects',
      'stream_recordings',
      'help_slug_redirects',
    ],
    ...['passage_vectors', 'training_rows', 'training_moves'],
    ...['knowledge_sources', 'knowledge_documents', 'knowledge_files'],
  ],
  'questions of the team’s own': ['question_sets', 'evaluations', 'evaluation_results'],
  'numbers, and how far a clock has come': [
    ...[
      'message_search_progress',
      'report_contributions',
      'report_days',
      'report_dirty_records',
      'report_sites',
      'webhook_hours',
    ],
  ],
  'which records an agent has changed, for a week': ['bulk_changes', 'bulk_change_items'],
  'links between an event and who gets it': ['webhook_deliveries', 'webhook_queue'],
  'a file that an admin has brought in or takes away, for days': [
    ...['imports', 'import_parts', 'site_archives', 'site_archive_parts', 'site_imports'],
  ],
};

export const IMPERSONAL: readonly string[] = Object.values(IMPERSONAL_BY_REASON).flat();
