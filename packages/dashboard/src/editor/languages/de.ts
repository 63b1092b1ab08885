import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  formatting: 'Formatierung',
  markdown: 'Markdown',
  bold: 'Fett',
  italic: 'Kursiv',
  strike: 'Durchgestrichen',
  code: 'Code',
  heading: 'Überschrift',
  subheading: 'Zwischenüberschrift',
  bullets: 'Aufzählung',
  numbers: 'Nummerierte Liste',
  quote: 'Zitat',
  code_block: 'Codeblock',
  rule: 'Trennlinie',
  undo: 'Rückgängig',
  redo: 'Wiederholen',

  link: 'Link',
  link_text: 'Linktext',
  link_find: 'Adresse einfügen oder Artikel suchen',
  link_to: 'Link zu {address}',
  link_remove: 'Link entfernen',
  link_hint: 'Keine Ergebnisse. Geben Sie eine vollständige Adresse ein, etwa https://example.com.',

  image: 'Bild',
  images_choose: 'Bilder auswählen',
  image_adding: 'Bild wird hochgeladen …',
  image_describe: 'Bildbeschreibung',
  image_describe_hint: 'Wird Menschen vorgelesen, die das Bild nicht sehen, und gezeigt, wenn es nicht lädt.',

  table: 'Tabelle',
  column: 'Spalte {number}',
  row_before: 'Zeile oberhalb einfügen',
  row_after: 'Zeile unterhalb einfügen',
  column_before: 'Spalte davor einfügen',
  column_after: 'Spalte danach einfügen',
  row_delete: 'Zeile löschen',
  column_delete: 'Spalte löschen',
  table_delete: 'Tabelle löschen',
};
