import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  menu: 'Website: {site}',
  sites: 'Ihre Websites',
  new_site: 'Neue Website',

  new_hint: 'Eine Website hat ein eigenes Team, eigene Einstellungen und Daten. Sie sind ihr erster Admin.',
  name: 'Name der Website',
  name_hint: 'Besucher sehen ihn im Chat.',
  create: 'Website anlegen',
  not_created: 'Die Website konnte nicht angelegt werden.',

  files_question: 'Ausgewählte Dateien verwerfen?',
  files_hint: 'Noch nicht gesendete Dateien gehen verloren. Ihre Entwürfe bleiben erhalten.',
  switch: 'Website wechseln',
};
