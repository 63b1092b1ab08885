import type {
  ActionStep,
  ArticleCause,
  ArticleStatus,
  Attributes,
  BulkChangeAction,
  ConditionGroup,
  ErrorCode,
  ErrorReason,
  EvaluationTally,
  EventProperties,
  FieldValues,
  GroupRole,
  InboxSort,
  Language,
  MacroAction,
  MailAuthentication,
  MailPerson,
  Mention,
  MessageEvent,
  NotificationChoices,
  NotificationKind,
  OfficeHours,
  PreChatField,
  RecordCondition,
  Redaction,
  RetentionKind,
  RoutingDecision,
  RuleAction,
  RuleEvent,
  RuleTrigger,
  SegmentRule,
  Sender,
  SLA_HOURS,
  SlaConditions,
  SlaKind,
  SlaPause,
  SlaTargets,
  Source,
  StoredFailure,
  Survey,
  TicketFilter,
  TicketSort,
  TicketStatus,
  UploadKind,
  ViewList,
  WeeklyHours,
} from '@foyer/protocol';
import type { Permission } from '@foyer/protocol/values/sign-in/permissions';
import type { TokenScope } from '@foyer/protocol/values/tokens/token-scopes';

/**
 * The events stored with messages. `not_known` marks a bot message without an answer, for summaries and reports. It
 * never goes over the wire, where such a message is an ordinary one.
 */
export type StoredEvent = MessageEvent | 'not_known';

/** What one record adds to the report sums. `reports/measures.ts` names the measures. */
type StoredCount = readonly [
  measure: string,
  day: string,
  subject: string,
  bucket: number,
  count: number,
  total: number,
];

/** Why routing decided as it did, with the names of that time. */
export type StoredReasons = Omit<RoutingDecision, 'id' | 'kind' | 'agent' | 'created_utc'>;

/**
 * Types that the schema can't express: the shape of JSON, and texts whose values the contract defines. `npm run schema`
 * puts them in the place of `unknown` and `string` in tables.generated.ts, and adds `null` where the column allows it.
 */
/** Until when a reply can be undone, and what is restored then. Times are texts, as in JSON. */
export interface ReplyUndo {
  until: string;
  status: TicketStatus;
  /** The values that the reply set: later changes are kept. */
  status_after: TicketStatus;
  snoozed_until: string | null;
  last_activity_at: string;
  unanswered_since: string | null;
  replied_at: string | null;
}

/** What the triggers of rules ask about a change. */
export interface RuleEventDetails {
  /** The fields of a ticket that changed. */
  changed?: string[];
  /** Who wrote. */
  from?: string;
  /** The address of a page. */
  page?: string;
  /** Of a visitor's event. */
  name?: string;
  /** The rule whose time has come. */
  rule?: number;
}

/** An SLA target. Times are texts, as in JSON. */
export interface Promised {
  /** Since when the customer waits for it. */
  since: string;
  /** Null: it is paused, or the hours never open. */
  due: string | null;
  /** When the team is warned; null: never. */
  warn: string | null;
  warned: boolean;
  /** When it became due without being met. */
  missed: string | null;
  /** When it was met. */
  done: string | null;
}

/** The SLA state of a ticket or chat, stored in a column `sla`. */
export interface SlaState {
  policy: { id: number; name: string };
  first_response?: Promised;
  /** The current target for an answer, or the last one. */
  next_response?: Promised;
  resolution?: Promised & {
    /** Open time that had passed when it was last paused. */
    passed_ms: number;
    /** Since when it runs; null: it is paused. */
    running: string | null;
  };
  /** Earlier answers after the first one. */
  answers?: { met: number; missed: number };
}

export interface ColumnTypes {
  'action_calls.input': Record<string, string>;
  'action_runs.given': Record<string, string>;
  'actions.steps': ActionStep[];
  'agents.language': 'en' | 'de';
  'agents.languages': Language[];
  'api_tokens.scopes': TokenScope[];
  'article_drafts.status': ArticleStatus;
  'article_versions.status': ArticleStatus;
  'audit_entries.changes': Record<string, [unknown, unknown]>;
  'bulk_change_items.code': ErrorCode;
  'bulk_change_items.reason': ErrorReason;
  'bulk_change_items.reason_values': object;
  'bulk_change_items.undo': object;
  'bulk_changes.change': BulkChangeAction;
  'chat_mails.authentication': MailAuthentication;
  'chat_slas.sla': SlaState;
  'conversations.language': Language;
  'conversations.last_sender': Sender;
  'deleted_article_versions.cause': ArticleCause;
  'deleted_article_versions.status': ArticleStatus;
  'deleted_articles.status': ArticleStatus;
  'drafts.mentions': Mention[];
  'evaluations.tally': EvaluationTally;
  'identity_providers.group_roles': GroupRole[];
  'macros.actions': MacroAction[];
  'messages.event': StoredEvent;
  'messages.sources': Source[];
  'notification_choices.choices': NotificationChoices;
  'notifications.kind': NotificationKind;
  'proactive_messages.languages': Language[];
  'proactive_messages.texts': Partial<Record<Language, string>>;
  'proactive_messages.weekly': WeeklyHours;
  'proactive_receipts.language': Language;
  'received_mails.authentication': MailAuthentication;
  'report_contributions.counts': StoredCount[];
  'retention_runs.kind': RetentionKind;
  'routing_decisions.reasons': StoredReasons;
  'saved_views.filter': TicketFilter | Omit<ViewList, 'sort'>;
  'saved_views.sort': TicketSort | InboxSort;
  'ticket_mails.authentication': MailAuthentication;
  'ticket_mails.bcc_list': MailPerson[];
  'ticket_mails.cc_list': MailPerson[];
  'ticket_mails.to_list': MailPerson[];
  'ticket_replies.undo': ReplyUndo;
  'rules.actions': RuleAction[];
  'rules.conditions': ConditionGroup;
  'rules.disabled_failure': StoredFailure;
  'rules.events': RuleEvent[];
  'rules.trigger': RuleTrigger;
  'rule_events.details': RuleEventDetails;
  'rule_events.event': RuleEvent;
  'rule_runs.because': RecordCondition[];
  'rule_runs.event': RuleEvent;
  'rule_runs.failure': StoredFailure;
  'tickets.cc_list': MailPerson[];
  'tickets.sla': SlaState;
  'segments.rule': SegmentRule;
  'sites.language': Language;
  'sites.languages': Language[];
  'sla_policies.applies_to': SlaKind[];
  'sla_policies.conditions': SlaConditions;
  'sla_policies.hours': (typeof SLA_HOURS)[number];
  'sla_policies.pauses': SlaPause[];
  'sla_policies.targets': SlaTargets;
  'sites.office_hours': OfficeHours;
  'roles.permissions': Permission[];
  'teams.office_hours': OfficeHours;
  'sites.pre_chat': PreChatField[];
  'visitor_devices.pre_chat_fields': FieldValues | null;
  'sites.redaction': Redaction;
  'sites.survey': Survey;
  'sites.synonyms': string[][];
  'sites.upload_kinds': UploadKind[];
  'visitor_devices.reported_attributes': Attributes;
  'visitor_events.properties': EventProperties;
  'visitors.attributes': Attributes;
}
