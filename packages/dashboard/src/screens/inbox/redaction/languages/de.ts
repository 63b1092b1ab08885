import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  redact: 'Schwärzen',
  question: 'Das schwärzen?',
  part: 'Der markierte Text: „{text}“',
  message: 'Die ganze Nachricht',
  message_files: {
    one: 'Die ganze Nachricht und {count} Datei',
    other: 'Die ganze Nachricht und {count} Dateien',
  },
  file: 'Die Datei {name}',
  select_first: 'Um nur einen Teil zu schwärzen, brechen Sie ab und markieren ihn zuerst.',
  hint: 'Es wird durch „[redacted]“ ersetzt, in dieser Unterhaltung und überall, wo Foyer eine Kopie speichert: in Notizen, E-Mails, Suche und Webhooks. Auch der Kunde sieht das. Bereits gesendete E-Mails und Webhooks behalten es.',
  final: 'Das kann nicht rückgängig gemacht werden.',
  done: { one: 'An {count} Stelle geschwärzt', other: 'An {count} Stellen geschwärzt' },
};
