import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  assign_to: '{name} zuweisen',
  team_to: 'An das Team {name} übergeben',
  note_for_team: 'Notiz für das Team {name}',
  note_for: 'Notiz für {name} (optional)',
  note_for_hint: 'Nur Ihr Team sieht das.',
  set_done: 'Frage hinzugefügt',
  set_add: 'Hinzufügen',
  set_hint: 'Bei jedem Lauf unter {link} wird dem Bot diese Frage gestellt.',
  evaluation: 'Auswertung',
  set: 'Fragensatz',
  set_new_hint: 'Foyer erstellt diesen Fragensatz. Sie können ihn später umbenennen.',
  new_set: 'Fragen aus Chats',
  summary: 'Zusammenfassung des Chats',
  summary_noted: 'Zusammenfassung als Notiz hinzugefügt',
  summary_add: 'Als Notiz hinzufügen',
  summary_copy: 'Zusammenfassung kopieren',
  summary_none: 'Der Chat konnte nicht zusammengefasst werden.',
};
