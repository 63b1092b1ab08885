/** The ways in which an agent is notified of a kind of event. */
export interface NotificationWays {
  sound: boolean;
  push: boolean;
  mail: boolean;
}

/**
 * What agents are notified of. The first goes to the whole team, or to the team of the chat, and `ticket_team` to the
 * team of a ticket that nobody is assigned to; the others to the agents concerned: the assignee of the chat or ticket, those mentioned in a note, or the admins for mailboxes. SLAs of what nobody is assigned to
 * concern its team, or else everybody who answers.
 */
export const NOTIFICATION_KINDS = [
  'chat_waiting',
  'chat_assigned',
  'chat_message',
  'ticket_assigned',
  'ticket_team',
  'ticket_reply',
  'reply_failed',
  'sla_warning',
  'sla_breached',
  'mention',
  'mailbox_failing',
] as const;
/**
 * How close an agent is to the event. `looking`: has that conversation in view. `active`: works at a visible desk.
 * `open`: has a desk open in the background. `gone`: has none open.
 */
export type Attention = 'looking' | 'active' | 'open' | 'gone';

export interface NotificationFacts {
  attention: Attention;
  /** What the agent has chosen for this kind. */
  ways: NotificationWays;
  /** The agent wants quiet now: is away, or the office is closed, and they chose so. */
  quiet: boolean;
  /** Whether at least one of the agent's browsers accepts pushes. */
  canPush: boolean;
  /** Whether the server can send email. */
  canMail: boolean;
  /** It has been unseen, by an agent who wasn't at the desk, for as long as they chose before an email. */
  missed: boolean;
}

/** `seen`: nothing to notify. `list`: only in the list. */
export type NotificationWay = 'seen' | 'list' | 'sound' | 'push' | 'mail';

/**
 * The one decision on how to notify an agent of an event, in at most one way. Used by each open desk with its own
 * attention; by the server, for events that no desk has claimed, with `open` or `gone`; and by the clock, for
 * missed ones.
 */
export function wayOf({
  attention,
  ways,
  quiet,
  canPush,
  canMail,
  missed,
}: NotificationFacts): NotificationWay {
  if (attention === 'looking') return 'seen';
  if (missed) return ways.mail && canMail && attention !== 'active' ? 'mail' : 'list';
  if (quiet) return 'list';
  if (attention === 'active') return ways.sound ? 'sound' : 'list';
  if (ways.push && canPush) return 'push';
  return attention === 'open' && ways.sound ? 'sound' : 'list';
}
