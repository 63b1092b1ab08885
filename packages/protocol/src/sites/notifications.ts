import { z } from 'zod';
import { agentRef, deleted, done, id, sessionId, text, utc } from '../values.ts';
import { NOTIFICATION_KINDS, type NotificationWays } from './notification-rule.ts';

const notificationKind = z.enum(NOTIFICATION_KINDS);
export type NotificationKind = z.infer<typeof notificationKind>;

/** How an agent wants to be notified of one kind. The list shows it in any case. */
const notificationWays = z.strictObject({ sound: z.boolean(), push: z.boolean(), mail: z.boolean() });

export const MAIL_AFTER_MINUTES_MAX = 24 * 60;

export const notificationChoices = z.strictObject({
  ways: z.record(notificationKind, notificationWays),
  /** No sound and no push while the agent is away. */
  quiet_away: z.boolean(),
  /** No sound and no push outside the site's office hours, if it has any. */
  quiet_closed: z.boolean(),
  /** A push only says that something happened, not who or what. */
  hide_contents: z.boolean(),
  /** What has been unseen for this long, while the agent isn't at the desk, is emailed. */
  mail_after_minutes: z
    .int('must be an integer')
    .min(1, 'must be at least 1')
    .max(MAIL_AFTER_MINUTES_MAX, `must be at most ${MAIL_AFTER_MINUTES_MAX}`),
});
export type NotificationChoices = z.infer<typeof notificationChoices>;

const MINE: NotificationWays = { sound: true, push: true, mail: true };

/** For agents without choices. Waiting chats and new tickets of a team, which concern many, are emailed to nobody. */
export const DEFAULT_CHOICES: NotificationChoices = {
  ways: {
    chat_waiting: { sound: true, push: true, mail: false },
    chat_assigned: MINE,
    chat_message: MINE,
    ticket_assigned: { sound: false, push: true, mail: true },
    ticket_team: { sound: false, push: true, mail: false },
    ticket_reply: { sound: false, push: true, mail: true },
    reply_failed: { sound: false, push: true, mail: true },
    sla_warning: { sound: false, push: true, mail: false },
    sla_breached: { sound: false, push: true, mail: true },
    mention: MINE,
    mailbox_failing: { sound: false, push: true, mail: true },
  },
  quiet_away: true,
  quiet_closed: false,
  hide_contents: false,
  mail_after_minutes: 15,
};

/** What happened in one conversation since the agent last saw it. */
export const notification = z.object({
  id,
  kind: notificationKind,
  /** Set for a chat, as `ticket_id` is for a ticket; both are null for mailboxes. */
  session_id: z.string().nullable(),
  ticket_id: id.nullable(),
  /** The visitor of the conversation. */
  visitor: z.object({
    key: z.string().nullable(),
    name: z.string().nullable(),
    email: z.string().nullable(),
  }),
  /** The colleague who caused it. */
  by: agentRef.nullable(),
  /** The ticket's subject, or the chat's last message. */
  text: z.string(),
  /** How often it has happened while unseen. */
  count: z.int(),
  happened_utc: utc,
  seen_utc: utc.nullable(),
});
export type Notification = z.infer<typeof notification>;

/** What a desk needs besides its own attention to decide how to notify. */
export interface NotificationTelling {
  ways: NotificationWays;
  quiet: boolean;
  can_push: boolean;
}

/** How many notifications the list shows and counts. */
export const NOTIFICATIONS_MAX = 100;
/** An eleventh browser replaces the one that signed in longest ago. */
export const PUSH_DEVICES_MAX = 10;

export const pushDevice = z.object({
  id,
  user_agent: z.string(),
  /** Whether it belongs to the calling session. */
  current: z.boolean(),
  created_utc: utc,
  last_pushed_utc: utc.nullable(),
  /** When its push service last refused a push; null: it didn't. */
  refused_utc: utc.nullable(),
});
export type PushDevice = z.infer<typeof pushDevice>;

/** The push service's response: accepted, unknown browser, refused, or unreachable. */
const pushOutcome = z.enum(['sent', 'gone', 'refused', 'unreachable']);
export type PushOutcome = z.infer<typeof pushOutcome>;

const base64url = (characters: number) =>
  z
    .string()
    .regex(/^[\w-]+$/, 'must be base64url')
    .length(characters, `must have ${characters} characters`);

/** A browser's subscription, as returned by `PushSubscription.toJSON()`. */
const pushSubscription = z.strictObject({
  endpoint: text(1, 1_000),
  /** 65 bytes: a point of P-256. */
  p256dh: base64url(87),
  /** 16 bytes. */
  auth: base64url(22),
});

export const notificationContract = {
  /** The newest, and how many are unseen. */
  'notifications.list': {
    input: z.strictObject({}),
    output: z.object({ unseen: z.int(), notifications: z.array(notification) }),
  },
  /** Those of a conversation, the given ones, or all. */
  'notifications.see': {
    input: z.strictObject({
      session_id: sessionId.optional(),
      ticket_id: id.optional(),
      ids: z.array(id).min(1).max(NOTIFICATIONS_MAX).optional(),
    }),
    output: done,
  },
  /** A desk claims it, unless another has: only one gets `true`. */
  'notifications.tell': {
    input: z.strictObject({ id, happened_utc: utc }),
    output: z.object({ yours: z.boolean() }),
  },
  'notification_settings.get': {
    input: z.strictObject({}),
    output: z.object({
      choices: notificationChoices,
      devices: z.array(pushDevice),
      /** For `pushManager.subscribe`. */
      push_key: z.string(),
      /** Whether SMTP is set up. */
      mails: z.boolean(),
    }),
  },
  'notification_settings.update': { input: notificationChoices.partial(), output: notificationChoices },
  'push_devices.add': { input: pushSubscription, output: pushDevice },
  'push_devices.remove': { input: z.strictObject({ id }), output: deleted },
  /** Sends a push to one of the agent's own browsers now. */
  'push_devices.test': { input: z.strictObject({ id }), output: z.object({ outcome: pushOutcome }) },
} as const;
