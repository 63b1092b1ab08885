import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  mark: 'Als Spam markieren',
  unmark: 'Kein Spam',
  marked: '{name} als Spam markiert',
  unmarked: '{name} ist kein Spam mehr',
  mark_failed: 'Die Spam-Markierung konnte nicht geändert werden.',
  marked_by: '{name} hat dies {when} als Spam markiert',
  marked_by_phrase: 'Wegen einer gesperrten Wortfolge {when} als Spam markiert',
  marked_by_block: 'Weil der Absender gesperrt ist {when} als Spam markiert',
  marked_by_token: 'Über die API {when} als Spam markiert',
  block_visitor: 'Besucher sperren',
  block_sender: 'Absender sperren',
  visitor_blocked: 'Besucher gesperrt',
  sender_blocked: '{email} gesperrt',
  blocked_before: 'Schon gesperrt',
  block_failed: 'Der Absender konnte nicht gesperrt werden.',
  role_writes_notes: 'Mit Ihrer Rolle können Sie lesen und Notizen schreiben, aber nicht antworten.',
  no_replies:
    'Das ist Spam. Der Absender weiß nichts davon. Markieren Sie es als „Kein Spam“, um zu antworten.',
  suspended: {
    one: '{count} angehaltene E-Mail wartet auf eine Entscheidung',
    other: '{count} angehaltene E-Mails warten auf eine Entscheidung',
  },
};
