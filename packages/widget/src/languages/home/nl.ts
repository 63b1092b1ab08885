import { chatEvents } from '@foyer/protocol/chat-events/nl';
import type { HomeTable } from '../../strings.ts';

export const words: HomeTable['words'] = {
  chat: 'Chat',
  open: 'Chat openen',
  close: 'Chat sluiten',
  home_hello: 'Goedendag',
  home_greeting: 'Waarmee kunnen we helpen?',
  home_send: 'Stuur ons een bericht',
  home_online: 'Het team is online',
  home_away: 'Onze bot kan nu helpen. Het team is afwezig.',
  home_starters: 'Veelgestelde vragen',
  home_recent: 'Uw chats',
  home_all_chats: 'Alle chats',
  reply_few: 'We antwoorden meestal binnen een paar minuten',
  reply_minutes: {
    one: 'We antwoorden meestal binnen ongeveer {count} minuut',
    other: 'We antwoorden meestal binnen ongeveer {count} minuten',
  },
  reply_hours: {
    one: 'We antwoorden meestal binnen {count} uur',
    other: 'We antwoorden meestal binnen {count} uur',
  },
  back_today: 'Vandaag om {time} terug',
  back_tomorrow: 'Morgen om {time} terug',
  back_on: 'Op {day} om {time} terug',
  help_search: 'Zoeken naar hulp',
  loading: 'Laden…',
  load_failed: 'Laden is niet gelukt.',
  bot_name: 'Assistent',
  team: 'Het team',
  you: 'U',
  says: '{name}: {text}',
  closed_hint: 'Deze chat is beëindigd',
  person: 'Met een medewerker praten',
  retry: 'Opnieuw proberen',
  offline: 'U bent offline. Berichten worden verstuurd zodra u weer online bent.',
  reconnecting: 'Opnieuw verbinden… Berichten worden verstuurd zodra er weer verbinding is.',
  today: 'Vandaag',
  yesterday: 'Gisteren',
  ...chatEvents,
  unread: { one: '{count} ongelezen bericht', other: '{count} ongelezen berichten' },
  powered: 'Chat van Foyer',
};

export const loadOthers: HomeTable['loadOthers'] = async () => (await import('../places/nl.ts')).words;
