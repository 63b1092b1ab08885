import type { words as en } from './en.ts';

export const words: Record<keyof typeof en, string> = {
  from: 'Von',
  to: 'An',
  cc: 'Cc',
  bcc: 'Bcc',
  verified: 'Absender bestätigt',
  not_verified: 'Absender nicht bestätigt',
  verified_why: 'Die Domain des Absenders ist nachgewiesen. SPF: {spf}, DKIM: {dkim}, DMARC: {dmarc}.',
  not_verified_why: 'Das kann jeder gesendet haben. SPF: {spf}, DKIM: {dkim}, DMARC: {dmarc}.',
  quoted: 'Zitierter Text',
  split: 'In neues Ticket verschieben',
  split_failed: 'Das Ticket konnte nicht erstellt werden.',
  edit_recipients: 'Empfänger bearbeiten',
  add_recipients: 'Cc oder Bcc hinzufügen',
  copies_hint: 'Adressen mit Kommas trennen.',
  bad_addresses: 'Keine E-Mail-Adresse: {text}',
};
