import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  title: 'Schwärzung',
  intro:
    'Was Foyer aus dem entfernt, was Besucher und Kunden schreiben, bevor es gespeichert wird: in Chats, Tickets, E-Mails, Kommentaren zur Umfrage und Antworten vor dem Chat. Das gilt ab jetzt; frühere Nachrichten bleiben, wie sie sind.',
  saved: 'Schwärzung geändert',
  failed: 'Die Schwärzung konnte nicht geändert werden.',
  kinds: 'Nummern und Passwörter',
  card: 'Kartennummern',
  card_hint: 'Die letzten vier Ziffern bleiben. Nur Nummern mit gültiger Prüfziffer werden erkannt.',
  iban: 'Kontonummern (IBAN)',
  iban_hint: 'Die letzten vier Zeichen bleiben.',
  password: 'Passwörter',
  password_hint: 'Was auf „Passwort:“ und ähnliche Wörter in 14 Sprachen folgt.',
  patterns: 'Eigene Muster',
  patterns_intro:
    '# steht für eine Ziffer, @ für einen Buchstaben, * für beides. Ein Leerzeichen passt auch auf einen Bindestrich, einen Punkt oder nichts. Alles andere steht für sich selbst. Ein Treffer wird durch den Namen in Klammern ersetzt.',
  pattern_list: 'Muster',
  pattern_name: 'Name von Muster {number}',
  pattern_name_example: 'Kundennummer',
  pattern: 'Muster {number}',
  pattern_example: 'K-######',
  pattern_remove: '„{name}“ entfernen',
  pattern_unnamed: 'Muster {number}',
  pattern_add: 'Muster hinzufügen',
  patterns_wrong: 'Prüfen Sie die Muster: {problem}',
  try: 'Ausprobieren',
  try_intro: 'Nichts, was Sie hier eingeben, wird gesendet oder gespeichert.',
  try_text: 'Nachricht',
  try_example: 'Meine Karte ist 4111 1111 1111 1111.',
  try_shown: 'Gespeichert als',
  typing: 'Solange etwas geschwärzt wird, sehen Agenten, dass ein Besucher schreibt, aber nicht, was.',
};
