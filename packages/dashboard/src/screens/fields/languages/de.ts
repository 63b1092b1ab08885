import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  title: 'Felder',
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
