import { z } from 'zod';
import { agentRef, deleted, done, id, sessionId, text, utc } from '../values.ts';
import { NOTIFICATION_KINDS, type NotificationWays } from './notification-rule.ts';

const notificationKind = z.enum(NOTIFICATION_KINDS);
export type NotificationKind = z.infer<typeof notificationKind>;

/** How an agent wants to be told of one kind; in the list it stands in any case. */
const notificationWays = z.strictObject({ sound: z.boolean(), push: z.boolean(), mail: z.boolean() });

export const MAIL_AFTER_MINUTES_MAX = 24 * 60;

export const notificationChoices = z.strictObject({
  ways: z.record(notificationKind, notificationWays),
  /** Nothing sounds and nothing is pushed while the agent has chosen to be away. */
  quiet_away: z.boolean(),
  /** The same outside the office hours of the site, where it has set any. */
  quiet_closed: z.boolean(),
  /** A push says that something has happened, and neither who nor what. */
  hide_contents: z.boolean(),
  /** What is unseen for so long, while the agent is not at the desk, is mailed. */
  mail_after_minutes: z
    .int('must be an integer')
    .min(1, 'must be at least 1')
    .max(MAIL_AFTER_MINUTES_MAX, `must be at most ${MAIL_AFTER_MINUTES_MAX}`),
});
export type NotificationChoices = z.infer<typeof notificationChoices>;

const MINE: NotificationWays = { sound: true, push: true, mail: true };

/** What holds for who has chosen nothing: a chat that waits for anybody is mailed to nobody. */
export const DEFAULT_CHOICES: NotificationChoices = {
  ways: {
    chat_waiting: { sound: true, push: true, mail: false },
    chat_assigned: MINE,
    chat_message: MINE,
    ticket_assigned: { sound: false, push: true, mail: true },
    ticket_reply: { sound: false, push: true, mail: true },
    reply_failed: { sound: false, push: true, mail: true },
    mention: MINE,
  },
  quiet_away: true,
  quiet_closed: false,
  hide_contents: false,
  mail_after_minutes: 15,
};

/** What has happened in one conversation, since the agent last saw it. */
export const notification = z.object({
  id,
  kind: notificationKind,
  /** Of a chat; else `ticket_id` is set. */
  session_id: z.string().nullable(),
  ticket_id: id.nullable(),
  /** Whose conversation it is. */
  visitor: z.object({
    key: z.string().nullable(),
    name: z.string().nullable(),
    email: z.string().nullable(),
  }),
  /** The colleague who did it. */
  by: agentRef.nullable(),
  /** The ticket's subject, or what was said last in the chat. */
  text: z.string(),
  /** How often it has happened while it was unseen. */
  count: z.int(),
  happened_utc: utc,
  seen_utc: utc.nullable(),
});
export type Notification = z.infer<typeof notification>;

/** What a desk needs beside its own attention to decide how it tells of something. */
export interface NotificationTelling {
  ways: NotificationWays;
  quiet: boolean;
  can_push: boolean;
}

/** The list shows so many, and counts no further. */
export const NOTIFICATIONS_MAX = 100;
/** An eleventh browser takes the place of the one that signed in longest ago. */
export const PUSH_DEVICES_MAX = 10;

export const pushDevice = z.object({
  id,
  user_agent: z.string(),
  /** It is that of the session that asks. */
  current: z.boolean(),
  created_utc: utc,
  last_pushed_utc: utc.nullable(),
  /** When its push service refused the last push; null: it did not. */
  refused_utc: utc.nullable(),
});
export type PushDevice = z.infer<typeof pushDevice>;

/** What a push service made of a push: took it, knows no such browser any more, refuses it, or can't be reached now. */
const pushOutcome = z.enum(['sent', 'gone', 'refused', 'unreachable']);
export type PushOutcome = z.infer<typeof pushOutcome>;

const base64url = (characters: number) =>
  z
    .string()
    .regex(/^[\w-]+$/, 'must be base64url')
    .length(characters, `must have ${characters} characters`);

/** A browser's subscription, as its `PushSubscription.toJSON()` has it. */
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
  /** Those of a conversation, or these; without either, all. */
  'notifications.see': {
    input: z.strictObject({
      session_id: sessionId.optional(),
      ticket_id: id.optional(),
      ids: z.array(id).min(1).max(NOTIFICATIONS_MAX).optional(),
    }),
    output: done,
  },
  /** A desk tells of it, unless another has: only one gets `true`. */
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
      /** SMTP is set up. */
      mails: z.boolean(),
    }),
  },
  'notification_settings.update': { input: notificationChoices.partial(), output: notificationChoices },
  'push_devices.add': { input: pushSubscription, output: pushDevice },
  'push_devices.remove': { input: z.strictObject({ id }), output: deleted },
  /** A push to this one of one's browsers, now. */
  'push_devices.test': { input: z.strictObject({ id }), output: z.object({ outcome: pushOutcome }) },
} as const;
