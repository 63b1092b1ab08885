import type { NotificationChoices, NotificationKind } from '@foyer/protocol';
import type { Generated, JSONColumnType } from 'kysely';

interface Notifications {
  site_id: number;
  id: Generated<number>;
  agent_id: number;
  kind: NotificationKind;
  conversation_id: number | null;
  ticket_id: number | null;
  by_agent_id: number | null;
  count: Generated<number>;
  happened_at: Date;
  unseen_since: Date;
  seen_at: Date | null;
  told_at: Date | null;
  pushed_at: Date | null;
  mail_id: number | null;
  push_due_at: Date | null;
  mail_due_at: Date | null;
}

interface NotificationMails {
  site_id: number;
  id: Generated<number>;
  agent_id: number;
  made_at: Date;
  begun_at: Generated<Date | null>;
  sent_at: Generated<Date | null>;
}

interface NotificationChoicesRows {
  site_id: number;
  agent_id: number;
  choices: JSONColumnType<NotificationChoices, string, string>;
  updated_at: Date;
}

interface PushDevices {
  site_id: number;
  id: Generated<number>;
  agent_id: number;
  sign_in_id: string;
  endpoint: string;
  keys_cipher: Buffer;
  created_at: Date;
  last_pushed_at: Generated<Date | null>;
}

export interface NotificationTables {
  notifications: Notifications;
  notification_mails: NotificationMails;
  notification_choices: NotificationChoicesRows;
  push_devices: PushDevices;
}
