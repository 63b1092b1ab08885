import type { NotificationKind } from '@foyer/protocol';
import type { DeskSpeech } from '../i18n/desk-phrases.ts';

interface Told {
  kind: NotificationKind;
  visitor_name: string | null;
  visitor_email: string | null;
  by_name: string | null;
  ticket_id: number | null;
  count: number;
}

/** What happened, in one line: the title of a push, an entry in a mail. */
export function sentenceOf(told: Told, { say }: DeskSpeech): string {
  const name = told.visitor_name ?? told.visitor_email ?? say('somebody');
  const by = told.by_name ?? say('foyer_itself');
  switch (told.kind) {
    case 'chat_message':
      return told.count > 1 ? say('chat_messages', { name, count: told.count }) : name;
    case 'ticket_assigned':
    case 'ticket_team':
    case 'ticket_reply':
    case 'reply_failed':
      return say(told.kind, { name, by, id: String(told.ticket_id) });
    case 'sla_warning':
    case 'sla_breached':
      return told.ticket_id === null
        ? say(`${told.kind}_chat`, { name })
        : say(told.kind, { id: String(told.ticket_id) });
    default:
      return say(told.kind, { name, by });
  }
}
