import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  title: 'E-Mail-Signatur',
  own_intro:
    'Steht unter Ihren Ticketantworten, nur in E-Mails. Ist sie leer, wird die Signatur der Website verwendet.',
  site_title: 'Standardsignatur',
  site_intro: 'Steht unter Ticketantworten von Agenten ohne eigene Signatur, nur in E-Mails.',
  signature: 'Signatur',
  hint: 'Markdown. {agent} und {site} fügen den Namen des Agenten und der Website ein.',
  save: 'Signatur speichern',
  saved: 'Signatur gespeichert',
  failed: 'Die Signatur konnte nicht gespeichert werden.',
};
