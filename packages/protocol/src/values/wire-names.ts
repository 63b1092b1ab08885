/**
 * Names of the wire format, separate from the schemas, so that a browser that only needs names doesn't load those.
 */

/**
 * `manual`: agents pick from the queue. `round_robin`: waiting chats go to the agent who has waited longest for one.
 * `least_busy`: to the one with the fewest active chats.
 */
export const ROUTINGS = ['manual', 'round_robin', 'least_busy'] as const;
export type Routing = (typeof ROUTINGS)[number];

/** What routing decides on a chat: who gets it, that nobody suitable is available, that it waits again. */
export const ROUTING_DECISIONS = ['assigned', 'nobody', 'agent_away', 'agent_removed'] as const;

export const TICKET_STATUSES = ['new', 'open', 'pending', 'hold', 'solved', 'closed'] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

export const TICKET_PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export type TicketPriority = (typeof TICKET_PRIORITIES)[number];

export const ARTICLE_STATUSES = ['Draft', 'Published', 'Archived'] as const;
export type ArticleStatus = (typeof ARTICLE_STATUSES)[number];

/** What a CSV column can be for visitors and tickets, besides attributes. */
export const VISITOR_FIELDS = ['key', 'email', 'name'] as const;
export const TICKET_FIELDS = [
  'subject',
  'body',
  'requester_email',
  'requester_name',
  'requester_key',
  'status',
  'priority',
  'tags',
  'created',
  'external_id',
] as const;
/** How the cells of an attribute are parsed. */
export const ATTRIBUTE_FORMS = ['text', 'number', 'boolean'] as const;

/** Why a document can't be imported. */
export const DOCUMENT_PROBLEMS = [
  'body_long',
  'category_long',
  'characters',
  'field_twice',
  'same',
  'status',
  'title_long',
  'title_none',
] as const;

export const GAP_STATES = ['open', 'dismissed', 'solved'] as const;
export type GapState = (typeof GAP_STATES)[number];

/**
 * `right`; `wrong`: a wrong answer; `silent`: not answered; `handed_off`: a person was called; `void`: the expected
 * article was deleted.
 */
export const OUTCOMES = ['right', 'wrong', 'silent', 'handed_off', 'void'] as const;
export type EvaluationOutcome = (typeof OUTCOMES)[number];

export const DELIVERY_STATUSES = ['pending', 'delivered', 'retrying', 'dead'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const SECURITY_SEVERITIES = ['notice', 'warning'] as const;

export const TEAM_STATES = ['active', 'archived', 'all'] as const;

export const PLANS = ['free', 'starter', 'growth'] as const;
export type Plan = (typeof PLANS)[number];

/**
 * After which chats visitors are asked: those with the bot alone (`after_bot`), or those that ended with a person
 * (`after_team`).
 */
export const SURVEY_OCCASIONS = ['always', 'after_team', 'after_bot', 'never'] as const;

/** Whether somebody's office hours are open. */
export const OFFICE_STATES = ['open', 'closed'] as const;

/** How a rating of 1 to 5 is shown. */
export const SURVEY_SCALES = ['stars', 'faces'] as const;
export type SurveyScale = (typeof SURVEY_SCALES)[number];

/** Why a chat or ticket is spam: the team marked it, it contains a blocked phrase, or its sender is blocked. */
export const SPAM_REASONS = ['team', 'phrase', 'blocked'] as const;

/** When visitors' browsers are asked to solve a challenge. `auto`: under load. */
export const CHALLENGES = ['auto', 'always', 'off'] as const;
export type Challenges = (typeof CHALLENGES)[number];

/** What a site can block. */
export const BLOCK_KINDS = ['email', 'address', 'country', 'phrase'] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

/** The kinds of data that are deleted at the age that the site chooses. */
export const RETENTION_KINDS = [
  /** Closed chats, and those with the bot alone; with messages, notes, files, ratings and handoffs. */
  'chats',
  /** Closed tickets; with replies, notes, files and their history. */
  'tickets',
  /** Chats and tickets marked as spam, by the time of the mark. */
  'spam_chats',
  'spam_tickets',
  /** Visitors without a name, an address or a key of the site's own, once no chat or ticket of theirs is left. */
  'anonymous_visitors',
  'known_visitors',
  'events',
  /** Pages that visitors have viewed. */
  'pages',
  /** Files of chats and replies, which themselves stay. */
  'files',
  'webhook_log',
  /** Calls of actions. */
  'action_log',
  'audit_log',
  'deleted_articles',
  /** Emails as received, from which they can be processed again. */
  'mail_sources',
  'mail_log',
] as const;
export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** The kinds whose period a site chooses. */
export const CHOSEN_RETENTION_KINDS = RETENTION_KINDS.filter((kind) => kind !== 'deleted_articles');

/** `openai`: any endpoint that is compatible with OpenAI's. */
export const MODEL_PROVIDERS = ['openai', 'anthropic'] as const;

/** Why a language model gave no answer to a test. */
export const MODEL_PROBLEMS = [
  'no_model',
  'name_unknown',
  'name_servers_silent',
  'name_not_public',
  'refused',
  'unreachable',
  'cut',
  'too_late',
  'no_tls',
  'certificate_name',
  'certificate_expired',
  'certificate_self_signed',
  'certificate_unverified',
  'unauthorized',
  'unknown_model',
  'not_found',
  'redirect',
  'rate_limited',
  'rejected',
  'provider_failed',
  'not_an_api',
  'key_unreadable',
  'failed',
] as const;
export type ModelProblem = (typeof MODEL_PROBLEMS)[number];

/** What a visitor is asked for. A code is one word of letters, digits and - _ / . # such as an order number. */
export const ACTION_INPUT_KINDS = ['text', 'code', 'number', 'date', 'email', 'choice'] as const;
export type ActionInputKind = (typeof ACTION_INPUT_KINDS)[number];
export const ACTION_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type ActionMethod = (typeof ACTION_METHODS)[number];
export const CONDITION_OPERATORS = [
  'is',
  'is_not',
  'contains',
  'above',
  'below',
  'has_value',
  'has_no_value',
] as const;
export type ConditionOperator = (typeof CONDITION_OPERATORS)[number];
/** What began an action. */
export const ACTION_CALLERS = ['button', 'model', 'test'] as const;
export type ActionCaller = (typeof ACTION_CALLERS)[number];
export const ACTION_CALL_STATUSES = ['running', 'done', 'failed', 'unknown'] as const;
export type ActionCallStatus = (typeof ACTION_CALL_STATUSES)[number];

/** Where knowledge comes from besides articles. */
export const SOURCE_KINDS = ['page', 'sitemap', 'file'] as const;
/** Those that have an address on the web. */
export const WEB_SOURCE_KINDS = ['page', 'sitemap'] as const;
export const SOURCE_STATES = ['waiting', 'reading', 'ready', 'failed'] as const;
/** Why a source has no text, or not its newest. */
export const SOURCE_PROBLEMS = [
  'wrong_type',
  'encrypted',
  'no_text',
  'damaged',
  'too_many_pages',
  'too_complex',
  'file_gone',
  'not_found',
  'robots',
  'noindex',
  'elsewhere',
  'private_address',
  'unreachable',
  'too_slow',
  'server_error',
  'too_large',
  'not_html',
  'not_sitemap',
  'site_full',
] as const;

export const MAIL_SECURITIES = ['starttls', 'tls'] as const;

/** How mail reaches a mailbox: fetched by IMAP, taken by this installation's SMTP server, or posted by a mail service. */
export const MAIL_ROUTES = ['imap', 'smtp', 'http'] as const;

/** Who a mailbox can sign in with, instead of by a password. */
export const MAIL_PROVIDERS = ['google', 'microsoft'] as const;
export const MAIL_SIGN_INS = ['password', ...MAIL_PROVIDERS] as const;

/** The servers of a mailbox. */
export const MAILBOX_PROTOCOLS = ['imap', 'smtp'] as const;

/** The mails that Foyer sends. */
export const MAIL_KINDS = [
  'reply',
  'chat',
  'transcript',
  'missed',
  'webhook_disabled',
  'rule_disabled',
  'action',
  'token_expiry',
  'password',
  'invitation',
  'test',
] as const;

/** The kinds of records that an archive lists, in display order. */
export const ARCHIVE_KINDS = [
  'visitors',
  'conversations',
  'messages',
  'tickets',
  'articles',
  'attachments',
] as const;

/** Names a field within its form. */
export const preChatKey = (
  field: { attribute: string } | { of: string; key: string } | { kind: string },
): string => {
  if ('attribute' in field) return field.attribute;
  return 'key' in field ? `${field.of}.${field.key}` : field.kind;
};

export const MAIL_OUTCOMES = [
  'waiting',
  'ticket',
  'reply',
  'chat',
  'bounce',
  'suspended',
  'rejected',
  'ignored',
  'duplicate',
  'failed',
] as const;
export type MailOutcome = (typeof MAIL_OUTCOMES)[number];

export const MAIL_DECISIONS = [
  'accept',
  'block_address',
  'block_domain',
  'undo_block',
  'process_again',
] as const;
export type MailDecision = (typeof MAIL_DECISIONS)[number];

export const SENT_MAIL_STATES = ['queued', 'sent', 'refused', 'failed', 'bounced'] as const;
export type SentMailState = (typeof SENT_MAIL_STATES)[number];

/** Of one attempt: a delayed mail is tried again. */
export const MAIL_ATTEMPTS = ['sent', 'delayed', 'refused', 'failed', 'bounced'] as const;
export type MailAttemptOutcome = (typeof MAIL_ATTEMPTS)[number];
