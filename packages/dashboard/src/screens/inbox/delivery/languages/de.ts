import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  mail_goes_to: 'Antworten werden per E-Mail an {email} gesendet.',
  mail_not_set_up: 'E-Mail ist nicht eingerichtet. {name} kann Antworten nur auf der Ticketseite lesen.',
  mail_no_address: '{name} hat keine E-Mail-Adresse und kann Antworten nur auf der Ticketseite lesen.',
  mail_in_chat: 'Antworten erscheinen im offenen Chat von {name}.',
  reply_not_sent: 'Nicht per E-Mail gesendet',
  reply_in_chat: 'In den offenen Chat gesendet',
  reply_queued: 'Noch nicht per E-Mail gesendet. Foyer versucht es weiter.',
  reply_sending: 'Die E-Mail wird in wenigen Sekunden gesendet.',
  reply_undo: 'Rückgängig',
  reply_undo_failed: 'Die Antwort konnte nicht zurückgenommen werden.',
  reply_retry: 'Erneut versuchen',
  reply_email_now: 'Jetzt per E-Mail senden',
  reply_retry_failed: 'Die Antwort konnte nicht per E-Mail gesendet werden.',
  reply_refused: 'E-Mail abgewiesen',
  reply_failed: 'E-Mail fehlgeschlagen',
  reply_bounced: 'E-Mail nicht zustellbar',
  email_received: 'Per E-Mail empfangen',
  email_sent: 'Per E-Mail an {email} gesendet',
  email_queued: 'Wird per E-Mail an {email} gesendet',
  email_quoted: 'Zitierter Text',
  chat_before: 'Setzt einen früheren Chat fort',
  chat_after: 'In einem neueren Chat fortgesetzt',
  reach_by_email:
    '{name} ist nicht auf der Website. Ungelesene Antworten werden per E-Mail an {email} gesendet.',
};
