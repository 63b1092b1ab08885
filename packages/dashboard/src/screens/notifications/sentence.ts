import type { Notification } from '@foyer/protocol';
import { visitorName } from '../../words.ts';
import { t } from './t.ts';

/** What happened, in one line. */
export function sentenceOf({ kind, visitor, by, ticket_id, count }: Notification): string {
  const name = visitorName(visitor);
  const colleague = by?.name ?? 'Foyer';
  const id = String(ticket_id ?? '');
  switch (kind) {
    case 'chat_waiting':
      return t('chat_waiting', { name });
    case 'chat_assigned':
      return t('chat_assigned', { name, by: colleague });
    case 'chat_message':
      return t('chat_message', { name, count });
    case 'ticket_assigned':
      return t('ticket_assigned', { by: colleague, id });
    case 'ticket_team':
      return t('ticket_team', { id });
    case 'ticket_reply':
      return t('ticket_reply', { name, id });
    case 'reply_failed':
      return t('reply_failed', { id });
    case 'sla_warning':
      return ticket_id === null ? t('sla_warning_chat', { name }) : t('sla_warning', { id });
    case 'sla_breached':
      return ticket_id === null ? t('sla_breached_chat', { name }) : t('sla_breached', { id });
    case 'mention':
      return t('mention', { by: colleague });
    case 'mailbox_failing':
      return t('mailbox_failing');
  }
}

/** The path that a notification opens. */
export function pathOf({ session_id, ticket_id }: Notification): string {
  if (session_id !== null) return `/app/inbox/${session_id}`;
  return ticket_id === null ? '/app/settings/mailboxes' : `/app/inbox/tickets/${ticket_id}`;
}
