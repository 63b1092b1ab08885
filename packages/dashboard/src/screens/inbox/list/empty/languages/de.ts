import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  nothing_found: 'Keine Ergebnisse',
  filters_clear: 'Filter zurücksetzen',
  no_results: 'Keine Ergebnisse',
  no_results_hint: 'Nichts passt zu allen diesen Filtern.',
  no_tickets: 'Keine Tickets',
  no_tickets_hint: 'Tickets, die zu diesen Filtern passen, erscheinen hier.',
  install: 'Widget installieren',
  see_waiting: 'Wartende anzeigen',
  see_here: 'Aktuelle Besucher anzeigen',
  see_open: 'Alle offenen anzeigen',
  none_found: 'Kein Chat und kein Ticket enthält „{q}“.',
  none_found_quoted: 'Versuchen Sie es ohne Anführungszeichen.',
  none_found_filtered: 'Kein Chat und kein Ticket, das zu den Filtern passt, enthält „{q}“.',
  empty_waiting: 'Niemand wartet',
  empty_waiting_hint: 'An Ihr Team übergebene Chats und neue Tickets erscheinen hier, mit einem Ton.',
  empty_mine: 'Ihnen ist nichts zugewiesen',
  empty_mine_hint: 'Chats, die Sie übernehmen, und Ihnen zugewiesene Tickets erscheinen hier.',
  empty_mentions: 'Keine offenen Erwähnungen',
  empty_mentions_hint:
    'Offene Chats und Tickets, in denen ein Teammitglied Sie in einer Notiz erwähnt, erscheinen hier.',
  empty_unassigned: 'Alles ist zugewiesen',
  empty_unassigned_hint: 'Nicht zugewiesene Chats und Tickets erscheinen hier.',
  empty_open: 'Nichts offen',
  empty_open_hint: 'Offene Chats und ungelöste Tickets erscheinen hier.',
  empty_snoozed: 'Nichts zurückgestellt',
  empty_snoozed_hint: 'Tickets bleiben hier, bis ihre Zurückstellung endet.',
  empty_closed: 'Nichts abgeschlossen',
  empty_closed_hint: 'Beendete Chats und gelöste Tickets erscheinen hier.',
};
