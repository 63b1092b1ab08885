import type {
  Attributes,
  EventProperties,
  HandoffReason,
  Language,
  MessageEvent,
  OfficeHours,
  PreChatField,
  RetentionKind,
  Sender,
  SessionStatus,
  Source,
  Survey,
  UploadKind,
} from '@foyer/protocol';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { ArticleTables } from './article-tables.ts';
import type { BotTables } from './bot-tables.ts';
import type { ChatWordTables } from './chat-word-tables.ts';
import type { DeskTables } from './desk-tables.ts';
import type { NotificationTables } from './notification-tables.ts';
import type { PortalTables } from './portal-tables.ts';
import type { ReportTables } from './report-tables.ts';
import type { SegmentTables } from './segment-tables.ts';
import type { TicketTables } from './ticket-tables.ts';
import type { WritingTables } from './writing-tables.ts';

type Timestamp = ColumnType<Date, Date | undefined, Date>;
type OptionalTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;
type Default<T> = ColumnType<T, T | undefined, T>;

/**
 * The events stored with messages. `not_known` marks a bot's message that says it has no answer: summaries and reports
 * go by it. It never reaches the wire, where such a message is an ordinary one.
 */
export type StoredEvent = MessageEvent | 'not_known';

/** The records that sample data can contain. */
export type SampleKind = 'article' | 'category' | 'starter' | 'visitor' | 'chat' | 'ticket' | 'macro' | 'tag';

interface Sites {
  id: Generated<number>;
  name: string;
  plan: Default<'free' | 'starter' | 'growth'>;
  public_key: string;
  color: Default<string>;
  position: Default<'left' | 'right'>;
  theme: Default<'light' | 'dark' | 'auto'>;
  launcher_text: Default<string>;
  logo: Default<string | null>;
  language: Default<Language>;
  languages: Default<Language[]>;
  greeting: string;
  pre_chat: JSONColumnType<PreChatField[], string | undefined, string>;
  survey: JSONColumnType<Survey, string | undefined, string>;
  allowed_origins: Default<string[]>;
  email_offer_after_s: Default<number>;
  sound: Default<boolean>;
  typing_preview: Default<boolean>;
  routing: Default<'manual' | 'round_robin'>;
  return_chats_after_s: Default<number>;
  consent: Default<boolean>;
  office_hours: ColumnType<OfficeHours | null, string | null | undefined, string | null>;
  knowledge_version: Default<number>;
  identity_secret_cipher: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  identity_secret_hint: ColumnType<string | null, never, string | null>;
  identity_secret_made_at: OptionalTimestamp;
  identity_secret_previous_cipher: ColumnType<Buffer | null, never, Buffer | null>;
  identity_secret_previous_until: OptionalTimestamp;
  segments_version: Default<string | null>;
  bot_name: Default<string>;
  bot_off_at: OptionalTimestamp;
  gaps_checked_version: Default<number>;
  keep_chats_days: Default<number | null>;
  keep_tickets_days: Default<number | null>;
  keep_anonymous_visitors_days: Default<number | null>;
  keep_known_visitors_days: Default<number | null>;
  keep_events_days: Default<number | null>;
  keep_pages_days: Default<number | null>;
  keep_files_days: Default<number | null>;
  keep_webhook_log_days: Default<number>;
  keep_audit_log_days: Default<number | null>;
  synonyms: ColumnType<string[][], string | undefined, string>;
  bot_tone: Default<string>;
  bot_rules: Default<string>;
  model_answers_per_chat: Default<number>;
  model_answers_per_day: Default<number>;
  upload_max_bytes: Default<number>;
  upload_max_files: Default<number>;
  upload_kinds: Default<UploadKind[]>;
  help_slug: Default<string | null>;
  help_title: Default<string>;
  help_intro: Default<string>;
  help_enabled: Default<boolean>;
  help_indexed: Default<boolean>;
  two_factor_required_at: OptionalTimestamp;
  created_at: Timestamp;
}

interface AuthUsers {
  id: string;
  name: string;
  email: string;
  email_verified: Default<boolean>;
  two_factor_enabled: Default<boolean>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

interface AuthAccounts {
  id: string;
  account_id: string;
  provider_id: string;
  user_id: string;
  password: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

interface AuthSessions {
  id: string;
  user_id: string;
  token: string;
  expires_at: Date;
  ip_address: string | null;
  user_agent: string | null;
  created_at: Timestamp;
  last_used_at: Timestamp;
}

interface AuthTwoFactors {
  id: string;
  user_id: string;
  secret: string;
  backup_codes: string;
  verified: Default<boolean>;
  failed_verification_count: Default<number>;
  locked_until: OptionalTimestamp;
}

interface AuthUsedCodes {
  user_id: string;
  code: string;
  used_at: Date;
}

interface Agents {
  site_id: number;
  id: Generated<number>;
  user_id: string;
  role: 'admin' | 'agent';
  name: string;
  presence: Default<'online' | 'away' | 'invisible'>;
  language: ColumnType<'en' | 'de' | null, 'en' | 'de' | null | undefined, 'en' | 'de' | null>;
  chat_limit: Default<number>;
  at_desk_at: Timestamp;
  last_routed_at: OptionalTimestamp;
  removed_at: OptionalTimestamp;
  /** The name of a picture. */
  picture: Default<string | null>;
  /** Names of pictures that were replaced, oldest first. */
  earlier_pictures: Default<string[]>;
  first_steps_put_away_at: OptionalTimestamp;
  /** The day of which `test_mails` counts. */
  test_mails_on: OptionalTimestamp;
  test_mails: Default<number>;
  created_at: Timestamp;
}

interface Pictures {
  site_id: number;
  name: string;
  content_type: string;
  content: Buffer;
  created_at: Date;
}

interface SnippetSightings {
  site_id: number;
  origin: string;
  page_url: string | null;
  seen_at: Date;
}

interface SampleRecords {
  site_id: number;
  kind: SampleKind;
  record_id: number;
  made_at: Date;
  removed_at: OptionalTimestamp;
}

interface Invitations {
  site_id: number;
  id: Generated<number>;
  email: string;
  role: 'admin' | 'agent';
  token_hash: Buffer;
  invited_by: number;
  expires_at: Date;
  accepted_at: OptionalTimestamp;
  revoked_at: OptionalTimestamp;
  created_at: Timestamp;
}

interface SetupLinks {
  token_hash: Buffer;
  used_at: OptionalTimestamp;
  created_at: Timestamp;
}

interface ApiTokens {
  site_id: number;
  id: Generated<number>;
  name: string;
  token_hash: Buffer;
  hint: string;
  can_write: boolean;
  browser_origins: ColumnType<string[] | null, string[] | undefined, string[]>;
  request_count: Default<number>;
  last_used_at: OptionalTimestamp;
  revoked_at: OptionalTimestamp;
  created_at: Timestamp;
}

interface ApiTokenDays {
  site_id: number;
  token_id: number;
  day: string;
  requests: number;
}

interface IdempotencyKeys {
  site_id: number;
  token_id: number;
  key: string;
  request_hash: Buffer;
  answer: ColumnType<Buffer | null, Buffer | null | undefined, Buffer>;
  created_at: Timestamp;
}

interface UsageDays {
  site_id: number;
  day: string;
  ai_replies: Default<number>;
  bot_tokens_input: Default<number>;
  bot_tokens_output: Default<number>;
}

interface Visitors {
  site_id: number;
  id: Generated<number>;
  key: string | null;
  email: string | null;
  name: string | null;
  attributes: JSONColumnType<Attributes, string | undefined, string>;
  vouched: Default<string[]>;
  event_count: Default<number>;
  erased_at: OptionalTimestamp;
  folded_into_id: number | null;
  segment_ids: Default<number[]>;
  segments_due_at: OptionalTimestamp;
  search: ColumnType<string, never, never>;
  first_seen_at: Timestamp;
  last_seen_at: Timestamp;
  created_at: Timestamp;
  updated_at: Timestamp;
  introduced_at: OptionalTimestamp;
  seen_hour: ColumnType<Date, never, never>;
  verified_at: OptionalTimestamp;
  blocked_at: OptionalTimestamp;
  blocked_by: number | null;
}

interface VisitorNotes {
  site_id: number;
  id: Generated<number>;
  visitor_id: number;
  client_id: string;
  agent_id: number;
  text: string;
  created_at: Timestamp;
  edited_at: OptionalTimestamp;
}

interface VisitorDevices {
  site_id: number;
  id: Generated<number>;
  visitor_id: number;
  token_hash: Buffer;
  created_at: Timestamp;
  user_agent: string | null;
  language: string | null;
  time_zone: string | null;
  seen_at: OptionalTimestamp;
  told: JSONColumnType<Attributes, string | undefined, string>;
  introduced_at: OptionalTimestamp;
}

interface VisitorPages {
  site_id: number;
  id: Generated<number>;
  visitor_id: number | null;
  device_id: number | null;
  verified: boolean;
  url: string;
  title: string | null;
  referrer: string | null;
  came_at: Date;
  opened_at: Date;
  node: string;
  alive_at: Date;
  left_at: Date | null;
  guest_key: string | null;
  guest_token: Buffer | null;
  guest_browser: unknown;
}

interface VisitorEvents {
  site_id: number;
  id: Generated<number>;
  visitor_id: number;
  name: string;
  properties: JSONColumnType<EventProperties, string | undefined, string>;
  client_id: string | null;
  occurred_at: Date;
  created_at: Timestamp;
}

interface Conversations {
  site_id: number;
  id: Generated<number>;
  session_id: string;
  visitor_id: number;
  device_id: number | null;
  verified: Default<boolean>;
  start_client_id: string;
  previous_id: number | null;
  status: Default<SessionStatus>;
  agent_id: number | null;
  last_seq: Default<number>;
  visitor_read_seq: Default<number>;
  agent_read_seq: Default<number>;
  bot_seq: Default<number>;
  bot_misses: Default<number>;
  model_answers: Default<number>;
  language: Language | null;
  page_url: string | null;
  contact_email: string | null;
  ticket_id: number | null;
  last_sender: Sender | null;
  last_text: string | null;
  last_message_at: OptionalTimestamp;
  waiting_since: OptionalTimestamp;
  started_at: Timestamp;
  ended_at: OptionalTimestamp;
  marked_unread_at: OptionalTimestamp;
}

interface Messages {
  site_id: number;
  conversation_id: number;
  seq: number;
  id: Generated<number>;
  client_id: string;
  sender: Sender;
  agent_id: number | null;
  author_name: string | null;
  text: string;
  sources: JSONColumnType<Source[] | null>;
  event: StoredEvent | null;
  created_at: Timestamp;
}

interface Notes {
  site_id: number;
  id: Generated<number>;
  conversation_id: number;
  client_id: string;
  agent_id: number;
  text: string;
  created_at: Timestamp;
}

interface TranscriptMails {
  site_id: number;
  id: Generated<number>;
  conversation_id: number;
  email: string;
  created_at: Date;
}

interface Handoffs {
  site_id: number;
  id: Generated<number>;
  conversation_id: number;
  reason: HandoffReason;
  /** Without the line that names the visitor. */
  summary: string;
  /** Who the visitor is and on which page: the last line of the summary; null once the visitor is erased. */
  visitor_line: string | null;
  agent_id: number | null;
  accepted_at: OptionalTimestamp;
  created_at: Timestamp;
}

interface FeedbackRows {
  site_id: number;
  id: Generated<number>;
  conversation_id: number;
  rating: number;
  comment: string | null;
  agent_id: number | null;
  created_at: Timestamp;
}

interface Tags {
  site_id: number;
  id: Generated<number>;
  name: string;
  color: string;
}

interface ConversationTags {
  site_id: number;
  conversation_id: number;
  tag_id: number;
}

interface ConversationStarters {
  site_id: number;
  id: Generated<number>;
  label: string;
  prompt: string;
  position: Default<number>;
}

interface AuditEntries {
  site_id: number;
  id: Generated<number>;
  actor_kind: string;
  actor_id: number | null;
  subject: string;
  subject_id: number | null;
  action: string;
  label: ColumnType<string | null, string | null | undefined, string | null>;
  address: ColumnType<string | null, string | null | undefined, string | null>;
  changes: JSONColumnType<Record<string, [unknown, unknown]>, string | undefined, string>;
  created_at: Timestamp;
}

interface WebhookSubscriptions {
  site_id: number;
  id: Generated<number>;
  url: string;
  events: string[];
  description: string | null;
  secret_cipher: Buffer;
  secret_hint: string;
  previous_secret_cipher: Buffer | null;
  previous_secret_until: OptionalTimestamp;
  disabled_at: OptionalTimestamp;
  disabled_reason: string | null;
  untold_since: OptionalTimestamp;
  created_at: Timestamp;
  updated_at: Timestamp;
}

interface WebhookEvents {
  site_id: number;
  id: string;
  event: string;
  body: Buffer;
  created_at: Timestamp;
}

interface WebhookDeliveries {
  site_id: number;
  id: Generated<number>;
  delivery_id: string;
  event_id: string;
  subscription_id: number;
  dead_at: OptionalTimestamp;
  created_at: Timestamp;
}

interface WebhookQueue {
  site_id: number;
  delivery_id: number;
  subscription_id: number;
  next_attempt_at: Date;
  attempts_made: Default<number>;
  attempts_before: Default<number>;
}

interface WebhookAttempts {
  site_id: number;
  delivery_id: number;
  number: number;
  at: Date;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  response_excerpt: string | null;
  signature: string | null;
  signature_previous: string | null;
  standard_signature: string | null;
}

interface WebhookLanes {
  site_id: number;
  subscription_id: number;
  leased_by: string | null;
  lease_until: OptionalTimestamp;
  last_attempt_at: OptionalTimestamp;
  failing_since: OptionalTimestamp;
}

interface WebhookHours {
  site_id: number;
  subscription_id: number;
  hour: Date;
  succeeded: Default<number>;
  failed: Default<number>;
  duration_ms: Default<number>;
}

/** The tables as the migrations leave them; a row never goes to the wire. */
interface PassageVectors {
  site_id: number;
  model: string;
  text_hash: string;
  vector: Buffer;
}

interface RetentionRuns {
  site_id: number;
  kind: RetentionKind;
  due_at: Date;
  began_at: OptionalTimestamp;
  ended_at: OptionalTimestamp;
  deleted: Default<number>;
  deleted_at: OptionalTimestamp;
  through_id: Default<number>;
}

export interface Tables
  extends ArticleTables,
    BotTables,
    ChatWordTables,
    TicketTables,
    DeskTables,
    NotificationTables,
    PortalTables,
    ReportTables,
    SegmentTables,
    WritingTables {
  passage_vectors: PassageVectors;
  retention_runs: RetentionRuns;
  sites: Sites;
  auth_users: AuthUsers;
  auth_accounts: AuthAccounts;
  auth_sessions: AuthSessions;
  auth_two_factors: AuthTwoFactors;
  auth_used_codes: AuthUsedCodes;
  agents: Agents;
  pictures: Pictures;
  snippet_sightings: SnippetSightings;
  sample_records: SampleRecords;
  invitations: Invitations;
  setup_links: SetupLinks;
  api_tokens: ApiTokens;
  api_token_days: ApiTokenDays;
  idempotency_keys: IdempotencyKeys;
  usage_days: UsageDays;
  visitors: Visitors;
  visitor_devices: VisitorDevices;
  visitor_notes: VisitorNotes;
  visitor_pages: VisitorPages;
  visitor_events: VisitorEvents;
  conversations: Conversations;
  messages: Messages;
  notes: Notes;
  transcript_mails: TranscriptMails;
  handoffs: Handoffs;
  feedback: FeedbackRows;
  tags: Tags;
  conversation_tags: ConversationTags;
  conversation_starters: ConversationStarters;
  audit_entries: AuditEntries;
  webhook_subscriptions: WebhookSubscriptions;
  webhook_events: WebhookEvents;
  webhook_deliveries: WebhookDeliveries;
  webhook_queue: WebhookQueue;
  webhook_attempts: WebhookAttempts;
  webhook_lanes: WebhookLanes;
  webhook_hours: WebhookHours;
}
