/** By which ways an agent hears of a kind of event. */
export interface NotificationWays {
  sound: boolean;
  push: boolean;
  mail: boolean;
}

/**
 * What agents are told of. The first goes to the whole team, all others to whom they concern: who has the chat or the
 * ticket, or was named in a note.
 */
export const NOTIFICATION_KINDS = [
  'chat_waiting',
  'chat_assigned',
  'chat_message',
  'ticket_assigned',
  'ticket_reply',
  'reply_failed',
  'mention',
] as const;
/**
 * How near an agent is to what has happened. `looking`: has that very conversation before them. `active`: works at a
 * desk that is on the screen. `open`: has a desk open that nobody looks at. `gone`: has none open.
 */
export type Attention = 'looking' | 'active' | 'open' | 'gone';

export interface NotificationFacts {
  attention: Attention;
  /** What the agent wants of this kind. */
  ways: NotificationWays;
  /** The agent wants quiet now: is away, or the office is closed, and they chose so. */
  quiet: boolean;
  /** At least one of the agent's browsers takes pushes. */
  canPush: boolean;
  /** Mail is set up on the server. */
  canMail: boolean;
  /** It has been unseen, by an agent who was not at the desk, for as long as they want before a mail. */
  missed: boolean;
}

/** `seen`: nothing is news. `list`: it stands in the list, and is not told further. */
export type NotificationWay = 'seen' | 'list' | 'sound' | 'push' | 'mail';

/**
 * The one decision of how somebody is told of one thing, by one way at most. Everybody goes by it: each open desk with
 * its own attention; the server, for what no desk has taken on, with `open` or `gone`; and the clock, for what is
 * missed.
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
