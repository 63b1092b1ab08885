import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  of_tickets: 'Felder des Tickets',
  of_chats: 'Felder des Chats',
  of_people: 'Felder der Person',
  not_saved: 'Das Feld konnte nicht gespeichert werden.',
  none: 'Nicht gesetzt',
  yes: 'Ja',
  no: 'Nein',
  add_choice: 'Hinzufügen …',
  remove_choice: '{name} entfernen',
  open_link: '{name} öffnen',
  required_tickets: 'Nötig zum Lösen',
  required_chats: 'Nötig zum Beenden',
};
