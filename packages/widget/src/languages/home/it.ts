import { chatEvents } from '@foyer/protocol/chat-events/it';
import type { HomeTable } from '../../strings.ts';

export const words: HomeTable['words'] = {
  chat: 'Chat',
  open: 'Apri la chat',
  close: 'Chiudi la chat',
  home_hello: 'Buongiorno',
  home_greeting: 'Come possiamo aiutarla?',
  home_send: 'Ci scriva un messaggio',
  home_online: 'Il team è online',
  home_away: 'Il nostro bot può aiutarla subito. Il team non è disponibile.',
  home_starters: 'Domande frequenti',
  home_recent: 'Le sue chat',
  home_all_chats: 'Tutte le chat',
  reply_few: 'Di solito rispondiamo in pochi minuti',
  reply_minutes: {
    one: 'Di solito rispondiamo in circa {count} minuto',
    many: 'Di solito rispondiamo in circa {count} minuti',
    other: 'Di solito rispondiamo in circa {count} minuti',
  },
  reply_hours: {
    one: 'Di solito rispondiamo entro {count} ora',
    many: 'Di solito rispondiamo entro {count} ore',
    other: 'Di solito rispondiamo entro {count} ore',
  },
  back_today: 'Torniamo oggi alle {time}',
  back_tomorrow: 'Torniamo domani alle {time}',
  back_on: 'Torniamo {day} alle {time}',
  help_search: 'Cerca nella guida',
  loading: 'Caricamento…',
  load_failed: 'Caricamento non riuscito.',
  bot_name: 'Assistente',
  team: 'Il team',
  you: 'Lei',
  says: '{name}: {text}',
  closed_hint: 'Questa chat è terminata',
  person: 'Parla con un operatore',
  retry: 'Riprova',
  offline: 'È offline. I messaggi saranno inviati quando tornerà online.',
  reconnecting: 'Riconnessione… I messaggi saranno inviati al ripristino della connessione.',
  today: 'Oggi',
  yesterday: 'Ieri',
  ...chatEvents,
  unread: {
    one: '{count} messaggio non letto',
    many: '{count} messaggi non letti',
    other: '{count} messaggi non letti',
  },
  powered: 'Chat di Foyer',
};

export const loadOthers: HomeTable['loadOthers'] = async () => (await import('../places/it.ts')).words;
