/** How a table of a site stands in its archive. */
export interface ArchivedTable {
  name: string;
  /** Columns that stay behind: secrets, and what holds only here. */
  without?: readonly string[];
  /** Columns that point at rows which come later: they are filled in at the end. */
  later?: readonly string[];
  /** Rows an entry: fewer where each may be large. */
  batch?: number;
  /** New numbers are given to the rows: the site has some of its own already. */
  renumbered?: true;
}

/** In the order in which an import can put them back: what is pointed at comes first. */
export const ARCHIVED: readonly ArchivedTable[] = [
  { name: 'pictures', batch: 5 },
  {
    name: 'agents',
    without: ['user_id', 'presence', 'at_desk_at', 'last_routed_at', 'test_mails_on', 'test_mails'],
  },
  { name: 'api_tokens', without: ['token_hash', 'last_used_at'] },
  { name: 'tags' },
  { name: 'categories' },
  { name: 'articles', batch: 50 },
  { name: 'former_slugs' },
  { name: 'article_versions', batch: 50 },
  { name: 'article_drafts', batch: 50 },
  { name: 'article_ratings' },
  { name: 'article_images', batch: 2 },
  { name: 'deleted_articles', batch: 50 },
  { name: 'deleted_article_versions', batch: 50 },
  { name: 'training_rows' },
  { name: 'conversation_starters' },
  { name: 'macros' },
  { name: 'saved_views' },
  { name: 'segments' },
  { name: 'handoff_rules' },
  {
    name: 'webhook_subscriptions',
    without: ['secret_cipher', 'previous_secret_cipher', 'previous_secret_until', 'untold_since'],
  },
  { name: 'visitors', later: ['folded_into_id'] },
  { name: 'visitor_events' },
  { name: 'visitor_notes' },
  { name: 'segment_members' },
  { name: 'conversations', without: ['device_id'], later: ['ticket_id', 'previous_id'] },
  { name: 'messages' },
  { name: 'notes' },
  { name: 'handoffs' },
  { name: 'feedback' },
  { name: 'conversation_tags' },
  { name: 'tickets', later: ['follow_up_of_id', 'merged_into_id'] },
  { name: 'ticket_replies', batch: 200 },
  { name: 'mentions' },
  { name: 'ticket_tags' },
  // A file is an entry of its own.
  { name: 'attachments', without: ['device_id', 'content'], batch: 1 },
  { name: 'question_sets' },
  { name: 'set_questions' },
  { name: 'evaluations' },
  { name: 'evaluation_results' },
  { name: 'gaps' },
  { name: 'gap_terms' },
  { name: 'gap_questions' },
  { name: 'sample_records' },
  { name: 'usage_days' },
  { name: 'report_sites' },
  { name: 'report_counted' },
  { name: 'report_days' },
  { name: 'audit_entries', renumbered: true },
];

/** What of the site's own row stays behind: its identity, its secrets, and what belongs to the installation. */
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
  'two_factor_required_at',
  'segments_version',
  'knowledge_version',
] as const;

/** Tables of a site that no archive has, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  api_token_days: 'counts of tokens that end with the move',
  article_votes: 'who voted; the sums are in article_ratings',
  bulk_change_items: 'what can be taken back here for a week',
  bulk_changes: 'what can be taken back here for a week',
  chat_word_sites: 'how far the chats are read here',
  chat_words: 'made anew from the chats',
  copilot_days: 'a limit of one day',
  drafts: 'what was not sent by agents, who are people of before',
  former_help_slugs: 'addresses of this installation',
  idempotency_keys: 'answers of one day to tokens that end with the move',
  import_parts: 'a file that is brought in here',
  import_problems: 'of a file that is brought in here',
  imports: 'a file that is brought in here',
  invitations: 'links that open this installation',
  mail_settings: 'holds a password',
  mention_queue: 'work of agents, who are people of before',
  notification_choices: 'of agents, who are people of before',
  notification_mails: 'of agents, who are people of before',
  notifications: 'of agents, who are people of before',
  passage_vectors: 'made anew from the articles',
  portal_answers: 'belongs to links that end with the move',
  portal_links: 'links that open this installation',
  push_devices: 'keys of browsers to this installation',
  report_marks: 'work that is done within seconds',
  retention_runs: 'what the clock did here',
  segment_deltas: 'work that is done within seconds',
  site_archive_parts: 'an archive itself',
  site_archives: 'an archive itself',
  site_imports: 'how far an import has come',
  snippet_sightings: 'where the snippet of this site has run',
  ticket_words: 'made anew from the tickets',
  training_moves: 'a move that is under way here',
  transcript_mails: 'a limit of one day',
  visitor_devices: 'keys of browsers to this installation',
  visitor_pages: 'pages of browsers whose keys end with the move',
  webhook_attempts: 'the log of deliveries from here',
  webhook_deliveries: 'the log of deliveries from here',
  webhook_events: 'the log of deliveries from here',
  webhook_hours: 'the log of deliveries from here',
  webhook_lanes: 'made anew with the subscription',
  webhook_queue: 'the log of deliveries from here',
};
