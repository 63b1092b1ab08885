/** Webhook events about chats that can trigger a rule. */
export const CHAT_TRIGGERS = [
  'conversation_started',
  'message_created',
  'handoff',
  'conversation_assigned',
  'conversation_transferred',
  'conversation_returned',
  'conversation_team_changed',
  'conversation_tagged',
  'conversation_snoozed',
  'conversation_reopened',
  'conversation_closed',
  'feedback',
] as const;
/** Webhook events about tickets that can trigger a rule. */
export const TICKET_TRIGGERS = ['ticket_created', 'ticket_updated', 'ticket_replied'] as const;
/** A target of a chat's or ticket's SLA is nearly due, or late. */
export const SLA_TRIGGERS = ['sla_warning', 'sla_breached'] as const;
/** A chat or ticket has been idle, or a customer waiting, for so many minutes. */
export const TIME_TRIGGERS = ['chat_idle', 'chat_waiting', 'ticket_idle', 'ticket_waiting'] as const;
export type TimeTrigger = (typeof TIME_TRIGGERS)[number];
export const isTimeTrigger = (on: string): on is TimeTrigger => TIME_TRIGGERS.some((one) => one === on);
/** The office hours of a chat's team, or else of the site, begin or end. Rules check all waiting and assigned chats. */
export const OFFICE_TRIGGERS = ['office_opened', 'office_closed'] as const;
export type OfficeTrigger = (typeof OFFICE_TRIGGERS)[number];
export const isOfficeTrigger = (on: string): on is OfficeTrigger => OFFICE_TRIGGERS.some((one) => one === on);
/** What a visitor does on the site. Rules check their open chat. */
export const VISITOR_TRIGGERS = ['page_viewed', 'event_tracked', 'visitor_identified'] as const;
export const RULE_EVENTS = [
  ...TICKET_TRIGGERS,
  ...SLA_TRIGGERS,
  ...CHAT_TRIGGERS,
  'snooze_over',
  ...TIME_TRIGGERS,
  ...OFFICE_TRIGGERS,
  ...VISITOR_TRIGGERS,
] as const;
export type RuleEvent = (typeof RULE_EVENTS)[number];

/** The fields of a ticket whose change can trigger a rule. */
export const CHANGED_FIELDS = ['status', 'priority', 'assignee', 'team', 'tags', 'subject'] as const;
export type ChangedField = (typeof CHANGED_FIELDS)[number];

/** Who wrote a message of a chat, or a reply of a ticket. */
export const MESSAGE_SENDERS = ['visitor', 'agent', 'bot'] as const;
export const REPLY_SENDERS = ['customer', 'team'] as const;

/** The kinds of records that a trigger is about. */
export type RuleSubject = 'chat' | 'ticket';

const isOf = (names: readonly string[], on: string): boolean => names.includes(on);

/** The kinds of records that a rule with this trigger runs on. */
export function subjectsOf(on: string): readonly RuleSubject[] {
  if (isOf([...CHAT_TRIGGERS, ...VISITOR_TRIGGERS, ...OFFICE_TRIGGERS, 'chat_idle', 'chat_waiting'], on))
    return ['chat'];
  return isOf([...TICKET_TRIGGERS, 'ticket_idle', 'ticket_waiting'], on) ? ['ticket'] : ['chat', 'ticket'];
}

export const isRuleEvent = (event: string): event is RuleEvent => isOf(RULE_EVENTS, event);

/** Actions that only rules have. They are about chats. */
export const RULE_ONLY_ACTIONS = ['stop_bot', 'start_bot', 'request_rating'] as const;
export type RuleOnlyAction = (typeof RULE_ONLY_ACTIONS)[number];
export const isRuleOnly = <A extends { type: string }>(
  action: A,
): action is Extract<A, { type: RuleOnlyAction }> => isOf(RULE_ONLY_ACTIONS, action.type);

/** What became of a run of a rule. */
export const RULE_OUTCOMES = ['done', 'failed', 'stopped'] as const;
export type RuleOutcome = (typeof RULE_OUTCOMES)[number];
