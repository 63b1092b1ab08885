import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  picture_change: 'Ändern',
  picture_choose: 'Bild auswählen',
  picture_remove: 'Entfernen',
  picture_refused: 'Das Bild {problem}.',
  picture_kind: '„{name}“ ist kein JPEG-, PNG-, GIF- oder WebP-Bild.',
  picture_large: '„{name}“ ist größer als {megabytes} MB.',
  code: 'Code',
  code_digits: 'Sechs Ziffern',
};
