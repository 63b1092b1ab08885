import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  data_title: 'Datenaufbewahrung',
  data_intro:
    'Wie lange die einzelnen Arten von Daten aufbewahrt werden. Ältere Daten werden innerhalb einer Stunde endgültig gelöscht. Die Zahlen der Berichte bleiben.',
  admins_only: 'Diese Seite sehen nur Admins.',
  data_failed: 'Die Datenaufbewahrung konnte nicht geladen werden.',
  kind_chats: 'Chats',
  kind_chats_hint:
    'Beendete Chats und verlassene Chats mit dem Bot, mit Nachrichten, Notizen, Dateien, Bewertungen und Übergaben. Chats, die auf einen Menschen warten oder bei einem sind, bleiben.',
  kind_tickets: 'Tickets',
  kind_tickets_hint:
    'Geschlossene Tickets ab ihrer letzten Änderung, mit Antworten, Notizen, Dateien und Verlauf.',
  kind_spam_chats: 'Spam-Chats',
  kind_spam_chats_hint: 'Als Spam markierte Chats, ab der Markierung, mit Nachrichten, Notizen und Dateien.',
  kind_spam_tickets: 'Spam-Tickets',
  kind_spam_tickets_hint:
    'Als Spam markierte Tickets, ab der Markierung, mit Antworten, Notizen, Dateien und Verlauf.',
  kind_anonymous_visitors: 'Anonyme Besucher',
  kind_anonymous_visitors_hint:
    'Besucher ohne Namen, Adresse oder Nutzer-ID, ab ihrem letzten Besuch. Sie bleiben, solange einer ihrer Chats oder eines ihrer Tickets bleibt.',
  kind_known_visitors: 'Bekannte Besucher',
  kind_known_visitors_hint:
    'Alle Daten über sie, ab ihrem letzten Besuch. Sie bleiben, solange einer ihrer Chats oder eines ihrer Tickets bleibt.',
  kind_events: 'Ereignisse',
  kind_events_hint:
    'Was Besucher getan haben, wie Ihre Website es meldet. Segmente zählen nur Ereignisse, die noch gespeichert sind.',
  kind_pages: 'Seiten',
  kind_pages_hint: 'Seiten, die Besucher angesehen haben, ab dem Verlassen der Seite.',
  kind_files: 'Dateien',
  kind_files_hint:
    'Dateien in Chats und Antworten. Die Nachrichten bleiben und zeigen weiter die Dateinamen.',
  kind_webhook_log: 'Webhook-Protokoll',
  kind_webhook_log_hint:
    'Zustellungen mit ihren Versuchen. Zustellungen, die noch versucht werden, bleiben länger.',
  kind_action_log: 'Aktionsprotokoll',
  kind_action_log_hint: 'Aufrufe der Aktionen des Bots, mit Eingaben und Antworten.',
  kind_audit_log: 'Änderungsprotokoll',
  kind_audit_log_hint: 'Wer was geändert hat. Der Verlauf eines Tickets bleibt beim Ticket.',
  kind_mail_sources: 'Rohe E-Mails',
  kind_mail_sources_hint:
    'E-Mails, wie sie empfangen wurden, um sie erneut zu verarbeiten. Tickets behalten Text und Dateien.',
  kind_mail_log: 'E-Mail-Protokoll',
  kind_mail_log_hint: 'Welche E-Mails ankamen und was aus ihnen wurde.',
  kind_deleted_articles: 'Gelöschte Artikel',
  kind_deleted_articles_hint:
    'So lange können Sie sie unter „Wissen“ wiederherstellen. Diese Frist ist fest.',
  keep: '{kind} aufbewahren',
  keep_ever: 'Unbegrenzt',
  keep_days: { one: '{count} Tag', other: '{count} Tage' },
  keep_years: { one: '{count} Jahr', other: '{count} Jahre' },
  due_none: 'Derzeit ist nichts älter.',
  due: {
    one: '{count} Eintrag ist älter und wird als Nächstes gelöscht.',
    other: '{count} Einträge sind älter und werden als Nächstes gelöscht.',
  },
  due_more: {
    one: 'Mindestens {count} Eintrag ist älter und wird als Nächstes gelöscht.',
    other: 'Mindestens {count} Einträge sind älter und werden als Nächstes gelöscht.',
  },
  running: 'Wird gerade gelöscht.',
  deleted: { one: 'Zuletzt gelöscht: {count}, {when}', other: 'Zuletzt gelöscht: {count}, {when}' },
  looked: 'Zuletzt geprüft: {when}',
  ask_title: '{kind}: Daten löschen, die älter sind als {length}?',
  ask_counting: 'Es wird gezählt, was gelöscht würde …',
  ask_none: 'Derzeit ist nichts älter. Ältere Daten werden künftig endgültig gelöscht.',
  ask_goes: {
    one: '{count} Eintrag ist älter und wird innerhalb von Minuten endgültig gelöscht. Das lässt sich nicht rückgängig machen.',
    other:
      '{count} Einträge sind älter und werden innerhalb von Minuten endgültig gelöscht. Das lässt sich nicht rückgängig machen.',
  },
  ask_goes_more: {
    one: 'Mindestens {count} Eintrag ist älter und wird im Hintergrund endgültig gelöscht. Das lässt sich nicht rückgängig machen.',
    other:
      'Mindestens {count} Einträge sind älter und werden im Hintergrund endgültig gelöscht. Das lässt sich nicht rückgängig machen.',
  },
  ask_save: 'Ältere Daten löschen',
  kept_saved: 'Datenaufbewahrung geändert',
  kept_failed: 'Die Datenaufbewahrung konnte nicht geändert werden.',
  record_title: 'Verarbeitungsverzeichnis',
  record_intro:
    'Welche personenbezogenen Daten diese Website speichert, wozu und wie lange, wie alt der älteste Eintrag ist und wer sie erhält. Gelesen aus der Datenbank und Ihren Einstellungen.',
  record_download: 'Verzeichnis herunterladen',
  record_failed: 'Das Verarbeitungsverzeichnis konnte nicht erstellt werden.',
  archive_title: 'Website-Archiv',
  archive_intro:
    'Alles von dieser Website in einer Datei: Einstellungen, Personen, Chats, Tickets, Artikel und Dateien. Passwörter, API-Schlüssel und Webhook-Geheimnisse sind nicht enthalten.',
  archive_make: 'Archiv erstellen',
  archive_again: 'Neues Archiv erstellen',
  archive_not_made: 'Das Archiv konnte nicht erstellt werden.',
  archive_making: {
    one: 'Wird erstellt: {done} von {total} Arten, bisher {count} Eintrag. Sie können diese Seite verlassen.',
    other:
      'Wird erstellt: {done} von {total} Arten, bisher {count} Einträge. Sie können diese Seite verlassen.',
  },
  archive_ready: { one: 'Fertig: {count} Eintrag, {size}.', other: 'Fertig: {count} Einträge, {size}.' },
  archive_download: 'Archiv herunterladen',
  archive_until:
    'Der Link läuft ab: {time}. Bis dahin kann jeder, der ihn hat, das Archiv herunterladen. Es enthält personenbezogene Daten, bewahren Sie es sicher auf.',
  archive_too_large:
    'Diese Website ist zu groß, um sie hier zu archivieren. Nutzen Sie „foyer site export“ auf der Befehlszeile.',
  archive_import: 'Auf dem neuen Server importiert es ein Admin unter {place}.',
  archive_import_place: 'Einstellungen → Daten importieren',
};
