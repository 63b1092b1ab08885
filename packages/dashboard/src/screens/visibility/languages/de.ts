import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  visible_to: 'Sichtbar für',
  only_me: 'Nur mich',
  everyone: 'Alle',
  only_me_hint: 'Niemand sonst sieht es. Sie können es später teilen.',
  team_hint:
    'Die Mitglieder des Teams und Admins sehen es und können es ändern und löschen, soweit ihre Rollen es erlauben.',
  everyone_hint: 'Ihr ganzes Team kann es sehen, ändern und löschen.',
  team_gone: 'Team nicht mehr verfügbar',
};
