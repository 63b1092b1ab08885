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
export type DocumentProblem = (typeof DOCUMENT_PROBLEMS)[number];

export const GAP_STATES = ['open', 'dismissed', 'solved'] as const;
export type GapState = (typeof GAP_STATES)[number];

/** `right`; `wrong`: answered, but not so; `silent`: not answered; `handed_off`: a person was called; `void`: the expected article is gone. */
export const OUTCOMES = ['right', 'wrong', 'silent', 'handed_off', 'void'] as const;
export type EvaluationOutcome = (typeof OUTCOMES)[number];

export const DELIVERY_STATUSES = ['pending', 'delivered', 'retrying', 'dead'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
