import { chatEvents } from '@foyer/protocol/chat-events/fr';
import type { HomeTable } from '../../strings.ts';

export const words: HomeTable['words'] = {
  chat: 'Discussion',
  open: 'Ouvrir la discussion',
  close: 'Fermer la discussion',
  home_hello: 'Bonjour',
  home_greeting: 'Comment pouvons-nous vous aider ?',
  home_send: 'Écrivez-nous',
  home_online: 'L’équipe est en ligne',
  home_away: 'Notre bot peut vous aider dès maintenant. L’équipe est absente.',
  home_starters: 'Questions fréquentes',
  home_recent: 'Vos discussions',
  home_all_chats: 'Toutes les discussions',
  reply_few: 'Nous répondons en général en quelques minutes',
  reply_minutes: {
    one: 'Nous répondons en général en {count} minute environ',
    many: 'Nous répondons en général en {count} minutes environ',
    other: 'Nous répondons en général en {count} minutes environ',
  },
  reply_hours: {
    one: 'Nous répondons en général en moins de {count} heure',
    many: 'Nous répondons en général en moins de {count} heures',
    other: 'Nous répondons en général en moins de {count} heures',
  },
  back_today: 'De retour aujourd’hui à {time}',
  back_tomorrow: 'De retour demain à {time}',
  back_on: 'De retour {day} à {time}',
  help_search: 'Rechercher dans l’aide',
  loading: 'Chargement…',
  load_failed: 'Le chargement a échoué.',
  bot_name: 'Assistant',
  team: 'L’équipe',
  you: 'Vous',
  says: '{name} : {text}',
  closed_hint: 'Cette discussion est terminée',
  person: 'Parler à un conseiller',
  retry: 'Réessayer',
  offline: 'Vous êtes hors ligne. Vos messages seront envoyés dès votre retour en ligne.',
  reconnecting: 'Reconnexion… Vos messages seront envoyés une fois la connexion rétablie.',
  today: 'Aujourd’hui',
  yesterday: 'Hier',
  ...chatEvents,
  unread: {
    one: '{count} message non lu',
    many: '{count} messages non lus',
    other: '{count} messages non lus',
  },
  powered: 'Chat par Foyer',
};

export const loadOthers: HomeTable['loadOthers'] = async () => (await import('../places/fr.ts')).words;
