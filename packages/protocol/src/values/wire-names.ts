/** Names that the wire knows, apart from the schemas: a browser that only names them need not load those. */

export const TICKET_STATUSES = ['new', 'open', 'pending', 'hold', 'solved', 'closed'] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

export const TICKET_PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export type TicketPriority = (typeof TICKET_PRIORITIES)[number];

export const ARTICLE_STATUSES = ['Draft', 'Published', 'Archived'] as const;
export type ArticleStatus = (typeof ARTICLE_STATUSES)[number];

/** What a column of a CSV says of a visitor or a ticket, attributes apart. */
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
/** How the cells of an attribute are read. */
export const ATTRIBUTE_FORMS = ['text', 'number', 'boolean'] as const;

/** Why a document of an import can't be taken. */
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

/** `right`; `wrong`: answered, but not so; `silent`: not answered; `handed_off`: a person was called; `void`: the expected article is gone. */
export const OUTCOMES = ['right', 'wrong', 'silent', 'handed_off', 'void'] as const;
export type EvaluationOutcome = (typeof OUTCOMES)[number];

export const DELIVERY_STATUSES = ['pending', 'delivered', 'retrying', 'dead'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const PLANS = ['free', 'starter', 'growth'] as const;
export type Plan = (typeof PLANS)[number];

/** After which chats visitors are asked: of the bot alone (`after_bot`), or in which a person has the last word (`after_team`). */
export const SURVEY_OCCASIONS = ['always', 'after_team', 'after_bot', 'never'] as const;

/** How a rating of 1 to 5 is drawn. */
export const SURVEY_SCALES = ['stars', 'faces'] as const;
export type SurveyScale = (typeof SURVEY_SCALES)[number];

/** The kinds of data that go when they are as old as the site keeps them. */
export const RETENTION_KINDS = [
  /** Chats that have ended, or that only the bot has had; with messages, notes, files, ratings and handoffs. */
  'chats',
  /** Closed tickets; with replies, notes, files and their history. */
  'tickets',
  /** Visitors without a name, an address or a key of the site's own; while no chat or ticket is kept of them. */
  'anonymous_visitors',
  'known_visitors',
  'events',
  /** Which pages visitors have looked at. */
  'pages',
  /** Of chats and replies that stay themselves. */
  'files',
  'webhook_log',
  'audit_log',
  'deleted_articles',
] as const;
export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** Those that a site chooses the time of. */
export const CHOSEN_RETENTION_KINDS = RETENTION_KINDS.filter((kind) => kind !== 'deleted_articles');

export const MAIL_SECURITIES = ['starttls', 'tls'] as const;

/** The mails that Foyer sends. */
export const MAIL_KINDS = ['reply', 'transcript', 'missed', 'webhook_disabled', 'password', 'test'] as const;

/** What an archive is counted by, in the order in which it is told. */
export const ARCHIVE_KINDS = [
  'visitors',
  'conversations',
  'messages',
  'tickets',
  'articles',
  'attachments',
] as const;

/** Names a field within its form. */
export const preChatKey = (field: { attribute: string } | { kind: string }): string =>
  'attribute' in field ? field.attribute : field.kind;
