import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  log: 'Mail-Protokoll',
  from: 'Von',
  to: 'An',
  cc: 'Cc',
  bcc: 'Bcc',
  verified: 'Absender bestätigt',
  not_verified: 'Absender nicht bestätigt',
  verified_why: 'Die Domain des Absenders ist nachgewiesen. SPF: {spf}, DKIM: {dkim}, DMARC: {dmarc}.',
  not_verified_why: 'Das kann jeder gesendet haben. SPF: {spf}, DKIM: {dkim}, DMARC: {dmarc}.',
  quoted: 'Zitierter Text',
  show_plain: 'Als Text anzeigen',
  show_formatted: 'Formatiert anzeigen',
  html_failed: 'Die Formatierung konnte nicht geladen werden.',
  show_images: 'Externe Bilder anzeigen',
  frame: 'E-Mail',
  images_blocked: {
    one: '{count} externes Bild ist blockiert, damit der Absender nicht sieht, dass Sie dies lesen.',
    other: '{count} externe Bilder sind blockiert, damit der Absender nicht sieht, dass Sie dies lesen.',
  },
  split: 'In neues Ticket verschieben',
  split_failed: 'Das Ticket konnte nicht erstellt werden.',
  edit_recipients: 'Empfänger bearbeiten',
  add_recipients: 'Cc oder Bcc hinzufügen',
  copies_hint: 'Adressen mit Kommas trennen.',
  bad_addresses: 'Keine E-Mail-Adresse: {text}',
};
