import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  data_title: 'Daten',
  data_intro:
    'Wie lange die einzelnen Arten von Daten aufbewahrt werden. Was älter ist, wird innerhalb einer Stunde von selbst endgültig gelöscht. Die Zahlen der Berichte bleiben.',
  admins_only: 'Diese Seite sehen nur Admins.',
  data_failed: 'Die Aufbewahrungszeiten konnten nicht geladen werden.',
  kind_chats: 'Chats',
  kind_chats_hint:
    'Beendete Chats und solche mit dem Bot, die niemand fortführt: Nachrichten, Notizen, Dateien, Bewertungen und Übergaben. Ein Chat, der auf einen Menschen wartet oder bei einem ist, bleibt.',
  kind_tickets: 'Tickets',
  kind_tickets_hint:
    'Geschlossene Tickets, nach ihrer letzten Änderung: Antworten, Notizen, Dateien und Verlauf.',
  kind_anonymous_visitors: 'Anonyme Besucher',
  kind_anonymous_visitors_hint:
    'Danach, wann sie zuletzt da waren: Besucher ohne Namen, Adresse oder Schlüssel von Ihnen. Wer einen aufbewahrten Chat oder ein aufbewahrtes Ticket hat, bleibt damit erhalten.',
  kind_known_visitors: 'Bekannte Besucher',
  kind_known_visitors_hint:
    'Danach, wann sie zuletzt da waren, mit allem, was über sie bekannt ist. Wer einen aufbewahrten Chat oder ein aufbewahrtes Ticket hat, bleibt damit erhalten.',
  kind_events: 'Ereignisse',
  kind_events_hint:
    'Was Besucher getan haben, wie Sie es melden. Segmente richten sich nach den Ereignissen, die noch da sind.',
  kind_pages: 'Seiten',
  kind_pages_hint: 'Welche Seiten Besucher angesehen haben, danach, wann sie sie verlassen haben.',
  kind_files: 'Dateien',
  kind_files_hint:
    'Dateien in Chats und Antworten. Die Nachrichten bleiben und nennen weiterhin die Namen der Dateien.',
  kind_webhook_log: 'Webhook-Protokoll',
  kind_webhook_log_hint: 'Zustellungen mit ihren Versuchen. Was noch zugestellt werden soll, bleibt länger.',
  kind_audit_log: 'Änderungsprotokoll',
  kind_audit_log_hint: 'Wer was geändert hat. Der Verlauf eines Tickets bleibt beim Ticket.',
  kind_deleted_articles: 'Gelöschte Artikel',
  kind_deleted_articles_hint:
    'So lange können sie unter „Wissen“ zurückgeholt werden. Diese Zeit steht fest.',
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
  ask_title: '{kind}: löschen, was älter ist als {length}?',
  ask_counting: 'Es wird gezählt, was gelöscht würde …',
  ask_none: 'Derzeit ist nichts älter. Was älter wird, wird endgültig gelöscht.',
  ask_goes: {
    one: '{count} Eintrag ist älter und wird innerhalb von Minuten endgültig gelöscht. Er lässt sich nicht zurückholen.',
    other:
      '{count} Einträge sind älter und werden innerhalb von Minuten endgültig gelöscht. Sie lassen sich nicht zurückholen.',
  },
  ask_goes_more: {
    one: 'Mindestens {count} Eintrag ist älter und wird im Hintergrund endgültig gelöscht. Er lässt sich nicht zurückholen.',
    other:
      'Mindestens {count} Einträge sind älter und werden im Hintergrund endgültig gelöscht. Sie lassen sich nicht zurückholen.',
  },
  ask_save: 'Löschen, was älter ist',
  kept_saved: 'Gespeichert.',
  kept_failed: 'Es wurde nichts geändert',
  archive_title: 'Archiv der Website',
  archive_intro:
    'Alles von dieser Website in einer Datei: Einstellungen, Personen, Chats, Tickets, Artikel, Dateien. Ohne Passwörter, API-Schlüssel und die Geheimnisse der Webhooks.',
  archive_make: 'Archiv erstellen',
  archive_again: 'Neu erstellen',
  archive_not_made: 'Das Archiv wurde nicht erstellt',
  archive_making: {
    one: 'Wird erstellt: {done} von {total} Arten, bisher {count} Eintrag. Sie können diese Seite verlassen.',
    other:
      'Wird erstellt: {done} von {total} Arten, bisher {count} Einträge. Sie können diese Seite verlassen.',
  },
  archive_ready: { one: 'Fertig: {count} Eintrag, {size}.', other: 'Fertig: {count} Einträge, {size}.' },
  archive_download: 'Archiv herunterladen',
  archive_until:
    'Bis {time}. Wer den Link hat, kann es bis dahin herunterladen; die Datei enthält Daten von Personen, bewahren Sie sie sicher auf.',
  archive_too_large:
    'Die Website ist für diese Seite zu groß: Nutzen Sie „foyer site export“ auf der Befehlszeile.',
  archive_import: 'Auf dem Server, auf den Sie umziehen, liest es ein Admin unter {place} ein.',
  archive_import_place: 'Einstellungen → Importieren',
};
