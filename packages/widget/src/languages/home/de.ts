import { chatEvents } from '@foyer/protocol/chat-events/de';
import type { HomeTable } from '../../strings.ts';

export const words: HomeTable['words'] = {
  chat: 'Chat',
  open: 'Chat öffnen',
  close: 'Chat schließen',
  home_hello: 'Guten Tag',
  home_greeting: 'Wie können wir helfen?',
  home_send: 'Schreiben Sie uns',
  home_online: 'Unser Team ist online',
  home_away: 'Unser Bot kann jetzt helfen. Das Team ist gerade nicht da.',
  home_starters: 'Häufige Fragen',
  home_recent: 'Ihre Chats',
  home_all_chats: 'Alle Chats',
  reply_few: 'Wir antworten meist in wenigen Minuten',
  reply_minutes: {
    one: 'Wir antworten meist in etwa {count} Minute',
    other: 'Wir antworten meist in etwa {count} Minuten',
  },
  reply_hours: {
    one: 'Wir antworten meist innerhalb von {count} Stunde',
    other: 'Wir antworten meist innerhalb von {count} Stunden',
  },
  back_today: 'Heute um {time} wieder da',
  back_tomorrow: 'Morgen um {time} wieder da',
  back_on: 'Am {day} um {time} wieder da',
  help_search: 'Hilfe durchsuchen',
  loading: 'Wird geladen …',
  load_failed: 'Das konnte nicht geladen werden.',
  bot_name: 'Assistent',
  team: 'Unser Team',
  you: 'Sie',
  says: '{name}: {text}',
  closed_hint: 'Dieser Chat ist beendet',
  person: 'Mit einem Menschen sprechen',
  retry: 'Erneut versuchen',
  offline: 'Sie sind offline. Nachrichten werden gesendet, sobald Sie wieder online sind.',
  reconnecting: 'Verbindung wird wiederhergestellt … Danach werden Ihre Nachrichten gesendet.',
  today: 'Heute',
  yesterday: 'Gestern',
  ...chatEvents,
  unread: { one: '{count} ungelesene Nachricht', other: '{count} ungelesene Nachrichten' },
  powered: 'Chat von Foyer',
};

export const loadOthers: HomeTable['loadOthers'] = async () => (await import('../places/de.ts')).words;
