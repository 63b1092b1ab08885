import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  selected: 'Auswahl',
  selected_count: '{count} ausgewählt',
  all_selected: 'Alle {number} ausgewählt',
  clear: 'Auswahl aufheben',
  select_shown: 'Alle angezeigten auswählen',
  select_all: 'Alle {number} auswählen',
  too_many: 'Sie können höchstens {number} auf einmal ändern. Setzen Sie zuerst einen Filter.',
  nobody: 'Nicht zugewiesen',
  progress: 'Fortschritt',
  progress_of: '{done} von {total}',
  one_at_a_time: 'Eine andere Sammeländerung läuft noch',
  failed: 'Die Änderung konnte nicht durchgeführt werden.',
  changed: { one: '{count} Unterhaltung aktualisiert', other: '{count} Unterhaltungen aktualisiert' },
  undone: { one: '{count} Änderung rückgängig gemacht', other: '{count} Änderungen rückgängig gemacht' },
  undo_failed: 'Die Änderung konnte nicht rückgängig gemacht werden.',
  not_changed: {
    one: '{count} Unterhaltung konnte nicht aktualisiert werden',
    other: '{count} Unterhaltungen konnten nicht aktualisiert werden',
  },
  reason: '{reason} ({count}×)',

  nothing_to_undo: {
    one: 'Bei {count} davon gibt es nichts rückgängig zu machen.',
    other: 'Bei {count} davon gibt es nichts rückgängig zu machen.',
  },

  short_assign: 'Zuweisen',
  short_status: 'Status',
  short_priority: 'Priorität',
  short_tags: 'Tags',
  short_snooze: 'Zurückstellen',
  short_spam: 'Spam',
  short_not_spam: 'Kein Spam',
  short_macro: 'Makro',
  short_done: 'Beenden',
  short_merge: 'Zusammenführen',
  short_delete: 'Löschen',
  do_assign: { one: '{count} Unterhaltung zuweisen', other: '{count} Unterhaltungen zuweisen' },
  do_status: {
    one: 'Status von {count} Unterhaltung ändern',
    other: 'Status von {count} Unterhaltungen ändern',
  },
  do_priority: {
    one: 'Priorität von {count} Unterhaltung ändern',
    other: 'Priorität von {count} Unterhaltungen ändern',
  },
  do_tags: {
    one: 'Tags bei {count} Unterhaltung hinzufügen oder entfernen',
    other: 'Tags bei {count} Unterhaltungen hinzufügen oder entfernen',
  },
  do_snooze: { one: '{count} Unterhaltung zurückstellen', other: '{count} Unterhaltungen zurückstellen' },
  do_spam: {
    one: '{count} Unterhaltung als Spam markieren',
    other: '{count} Unterhaltungen als Spam markieren',
  },
  do_not_spam: {
    one: '{count} Unterhaltung als „Kein Spam“ markieren',
    other: '{count} Unterhaltungen als „Kein Spam“ markieren',
  },
  spam: { one: '{count} Unterhaltung als Spam markiert', other: '{count} Unterhaltungen als Spam markiert' },
  not_spam: {
    one: '{count} Unterhaltung ist kein Spam mehr',
    other: '{count} Unterhaltungen sind kein Spam mehr',
  },
  do_macro: {
    one: 'Makro auf {count} Unterhaltung anwenden',
    other: 'Makro auf {count} Unterhaltungen anwenden',
  },
  do_finish: {
    one: '{count} Unterhaltung beenden oder lösen',
    other: '{count} Unterhaltungen beenden oder lösen',
  },
  do_merge: { one: '{count} Ticket zusammenführen', other: '{count} Tickets zusammenführen' },
  merge_into: 'Zusammenführen in #{id} {subject}',
  merge_question: {
    one: '{count} Ticket mit #{id} zusammenführen?',
    other: '{count} Tickets mit #{id} zusammenführen?',
  },
  merge_do: 'Zusammenführen',
  merge_hint:
    'Öffentliche Nachrichten werden #{id} als Notiz hinzugefügt. Zusammengeführte Tickets werden geschlossen und verweisen auf #{id}. Kunden werden nicht benachrichtigt. Das lässt sich nicht rückgängig machen.',
  merge_later: 'Spätere Antworten gehen an #{id}.',
  merge_across:
    'Nicht alle Tickets sind von {name}. Nachrichten anderer Kunden werden nur als Notiz hinzugefügt, und ihre späteren Antworten erstellen neue Tickets.',
  merge_done: {
    one: '{count} Ticket mit #{id} zusammengeführt',
    other: '{count} Tickets mit #{id} zusammengeführt',
  },
  do_delete: { one: '{count} Ticket löschen', other: '{count} Tickets löschen' },
  assigned: {
    one: '{count} Unterhaltung {name} zugewiesen',
    other: '{count} Unterhaltungen {name} zugewiesen',
  },
  team_set: {
    one: '{count} Unterhaltung dem Team {name} zugewiesen',
    other: '{count} Unterhaltungen dem Team {name} zugewiesen',
  },
  unassigned: {
    one: 'Zuweisung von {count} Unterhaltung aufgehoben',
    other: 'Zuweisung von {count} Unterhaltungen aufgehoben',
  },
  status_set: {
    one: '{count} Ticket auf „{status}“ gesetzt',
    other: '{count} Tickets auf „{status}“ gesetzt',
  },
  priority_set: {
    one: '{count} Ticket auf „{priority}“ gesetzt',
    other: '{count} Tickets auf „{priority}“ gesetzt',
  },
  tagged: {
    one: 'Tag „{name}“ zu {count} Unterhaltung hinzugefügt',
    other: 'Tag „{name}“ zu {count} Unterhaltungen hinzugefügt',
  },
  untagged: {
    one: 'Tag „{name}“ von {count} Unterhaltung entfernt',
    other: 'Tag „{name}“ von {count} Unterhaltungen entfernt',
  },
  snoozed: {
    one: '{count} Unterhaltung zurückgestellt bis {date}',
    other: '{count} Unterhaltungen zurückgestellt bis {date}',
  },
  woken: {
    one: 'Zurückstellung von {count} Unterhaltung aufgehoben',
    other: 'Zurückstellung von {count} Unterhaltungen aufgehoben',
  },
  macro_applied: {
    one: '„{name}“ auf {count} Unterhaltung angewendet',
    other: '„{name}“ auf {count} Unterhaltungen angewendet',
  },
  macro_applied_unmailed: {
    one: '„{name}“ auf {count} Unterhaltung angewendet. E-Mail ist nicht eingerichtet, daher wurde die Antwort nicht per E-Mail gesendet.',
    other:
      '„{name}“ auf {count} Unterhaltungen angewendet. E-Mail ist nicht eingerichtet, daher wurden die Antworten nicht per E-Mail gesendet.',
  },
  macro_unmailed: 'Antworten gehen nicht per E-Mail',
  finished: {
    one: '{count} Unterhaltung beendet oder gelöst',
    other: '{count} Unterhaltungen beendet oder gelöst',
  },
  deleted: { one: '{count} Ticket gelöscht', other: '{count} Tickets gelöscht' },
  delete_question: { one: '{count} Ticket löschen?', other: '{count} Tickets löschen?' },
  delete_do: { one: '{count} Ticket löschen', other: '{count} Tickets löschen' },
  delete_hint:
    'Antworten und Notizen werden mitgelöscht. Chats bleiben erhalten. Das lässt sich nicht rückgängig machen.',
};
