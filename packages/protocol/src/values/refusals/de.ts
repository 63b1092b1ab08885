import type { Translated } from '../phrases.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  code_invalid_input: 'Einige Angaben sind ungültig.',
  code_invalid_json:
    'Die Anfrage war nicht lesbar. Laden Sie die Seite neu, und versuchen Sie es noch einmal.',
  code_unauthorized: 'Melden Sie sich an, um fortzufahren.',
  code_insufficient_scope: 'Dazu haben Sie keine Berechtigung.',
  code_plan_limit: 'Ihr Tarif umfasst das nicht.',
  code_unknown_resource: 'Das gibt es nicht.',
  code_not_found: 'Das gibt es nicht, oder es wurde gelöscht.',
  code_method_not_allowed: 'Das ist hier nicht möglich.',
  code_conflict: 'Inzwischen hat sich etwas geändert. Prüfen Sie es, und versuchen Sie es erneut.',
  code_payload_too_large: 'Das ist zu groß.',
  code_unsupported_media_type: 'Dieser Dateityp wird nicht unterstützt.',
  code_rate_limited: 'Zu viele Anfragen. Versuchen Sie es gleich noch einmal.',
  code_internal:
    'Auf dem Server ist ein Fehler aufgetreten. Suchen Sie in dessen Protokoll nach der Anfrage-ID.',
  code_unavailable: 'Der Server antwortet gerade nicht. Versuchen Sie es gleich noch einmal.',
  reason_account_known: 'Zu dieser E-Mail-Adresse gibt es schon ein Konto. Geben Sie dessen Passwort ein.',
  reason_address_taken: 'Die Adresse „{name}“ ist vergeben.',
  reason_admins_only: 'Das können nur Admins.',
  reason_agent_already: 'Diese Person gehört schon zum Team.',
  reason_visitor_wrote: 'Der Besucher hat inzwischen geschrieben. Bitte erst lesen.',
  reason_answered_meanwhile: '{name} hat inzwischen geantwortet. Bitte erst lesen.',
  reason_archive_cut:
    'Diese Datei ist unvollständig. Kopieren Sie sie erneut, oder laden Sie sie neu herunter.',
  reason_archive_newer:
    'Dieses Archiv stammt von einer neueren Version von Foyer. Aktualisieren Sie Foyer, und laden Sie es dann erneut hoch.',
  reason_archive_none:
    'Das ist kein Archiv einer Website. Verwenden Sie eine Datei von „Archiv erstellen“ oder „foyer site export“.',
  reason_article_changed:
    'Jemand anderes hat „{name}“ geändert, seit Sie den Artikel geöffnet haben. Keine der beiden Fassungen geht verloren.',
  reason_article_changed_here: 'Sie haben diesen Artikel inzwischen in einem anderen Fenster geändert.',
  reason_article_title_taken: 'In dieser Kategorie gibt es schon einen Artikel „{name}“.',
  reason_attempts: {
    one: 'Zu viele Versuche. Versuchen Sie es in {count} Sekunde erneut.',
    other: 'Zu viele Versuche. Versuchen Sie es in {count} Sekunden erneut.',
  },
  reason_bulk_agent_gone: 'Der Agent, der das gestartet hat, ist nicht mehr im Team.',
  reason_bulk_changed_since: 'Das wurde inzwischen erneut geändert.',
  reason_bulk_not_for_chats: 'Das geht nur bei Tickets.',
  reason_bulk_nothing_to_undo: 'Es gibt nichts rückgängig zu machen.',
  reason_bulk_under_way: 'Diese Änderung läuft noch.',
  reason_bulk_undone: 'Das wurde schon rückgängig gemacht.',
  reason_categories_share_titles:
    'Beide Kategorien haben einen Artikel {name}. Benennen Sie zuerst je einen um, oder löschen Sie ihn.',
  reason_category_into_itself: 'Eine Kategorie lässt sich nicht mit sich selbst zusammenführen.',
  reason_chat_closed: 'Dieser Chat ist beendet.',
  reason_chat_continued: 'Dieser Chat geht in einem neueren weiter. Antworten Sie dort.',
  reason_chat_held: '{name} hat diesen Chat. Übernehmen Sie ihn zuerst.',
  reason_chat_tags: {
    one: 'Ein Chat kann höchstens {count} Tag haben.',
    other: 'Ein Chat kann höchstens {count} Tags haben.',
  },
  reason_chats_too_fast: {
    one: 'Sie können {count} Chat pro Minute beginnen. Es wurde nichts gesendet. Versuchen Sie es in einer Minute noch einmal.',
    other:
      'Sie können {count} Chats pro Minute beginnen. Es wurde nichts gesendet. Versuchen Sie es in einer Minute noch einmal.',
  },
  reason_chat_without_question: 'In diesem Chat wurde noch nichts gefragt.',
  reason_chat_with_person: 'Das Team hat diesen Chat. Der Bot kann darin nicht schreiben.',
  reason_chat_with_bot: 'Der Bot hat diesen Chat. Übernehmen Sie ihn zuerst.',
  reason_codes_locked: 'Zu viele falsche Codes. Versuchen Sie es in 15 Minuten erneut.',
  reason_copilot_spent: {
    one: 'Das Tageslimit von {count} generiertem Text ist erreicht. Ihr Entwurf ist unverändert.',
    other: 'Das Tageslimit von {count} generierten Texten ist erreicht. Ihr Entwurf ist unverändert.',
  },
  reason_test_mails_spent: {
    one: 'Sie haben heute schon {count} Test-E-Mail gesendet. Versuchen Sie es morgen wieder.',
    other: 'Sie haben heute schon {count} Test-E-Mails gesendet. Versuchen Sie es morgen wieder.',
  },
  reason_csv_columns: 'Die Datei hat mehr als {count} Spalten. Entfernen Sie, was Sie nicht brauchen.',
  reason_csv_empty: 'Die Datei hat eine Kopfzeile, aber keine weiteren Zeilen.',
  reason_csv_none: 'Das ist keine CSV-Datei. Die erste Zeile muss die Spaltennamen enthalten.',
  reason_csv_rows: 'Die Datei hat mehr als {count} Zeilen. Teilen Sie sie in mehrere Dateien auf.',
  reason_delivery_under_way: 'Diese Zustellung läuft schon.',
  reason_enrol_first: 'Diese Website verlangt die Zwei-Faktor-Authentifizierung. Richten Sie sie zuerst ein.',
  reason_evaluation_under_way: 'Dieser Fragensatz wird gerade ausgewertet.',
  reason_import_other:
    'Auf dieser Website läuft schon der Import eines anderen Archivs. Fahren Sie mit diesem fort.',
  reason_import_stopped: 'Der Import wurde angehalten. Importierte Datensätze bleiben.',
  reason_import_twice: 'In diese Website wurde schon ein Archiv importiert.',
  reason_import_under_way: 'Dieser Import läuft gerade oder ist noch nicht bereit.',
  reason_invitation_spent: 'Diese Einladung ist nicht mehr gültig. Bitten Sie um eine neue.',
  reason_last_admin: 'Eine Website braucht einen Admin. Machen Sie zuerst jemand anderen dazu.',
  reason_macro_agent_gone:
    'Das Makro „{name}“ weist jemandem zu, der nicht mehr im Team ist. Bearbeiten Sie zuerst das Makro.',
  reason_marked_spam: 'Das ist als Spam markiert. Markieren Sie es zuerst als „Kein Spam“.',
  reason_role_refuses: 'Ihre Rolle erlaubt das nicht.',
  reason_role_in_use: {
    one: 'Eine Person im Team hat diese Rolle. Geben Sie ihr zuerst eine andere.',
    other: '{count} Personen im Team haben diese Rolle. Geben Sie ihnen zuerst eine andere.',
  },
  reason_role_cannot_answer: 'Die Rolle dieser Person erlaubt keine Antworten.',
  reason_team_in_use: 'Zu diesem Team gehören Chats oder Tickets. Archivieren Sie es stattdessen.',
  reason_team_shares:
    'Zu diesem Team gehören Makros oder Ansichten. Teilen Sie sie mit anderen oder löschen Sie sie.',
  reason_macro_not_for_chats: 'Die Aktionen dieses Makros gibt es nur bei Tickets.',
  reason_nobody_in_team: 'Niemand erhält die E-Mail: Das Team {name} hat keine Mitglieder.',
  reason_person_erased: 'Die Daten dieser Person wurden gelöscht.',
  reason_rule_chain: {
    one: 'Auf eine Änderung folgte schon {count} Regel.',
    other: 'Auf eine Änderung folgten schon {count} Regeln.',
  },
  reason_rule_field_refused:
    'Ein Feld nimmt den Wert nicht an, den ein Schritt setzt, oder wurde archiviert.',
  reason_rule_names_agent: 'Die Bedingungen nennen den Agenten {name}, der nicht mehr zum Team gehört.',
  reason_rule_names_chat_field: 'Die Bedingungen nennen das Feld {name}, das Chats nicht haben.',
  reason_rule_names_segment: 'Die Bedingungen nennen das Segment {name}, das es nicht mehr gibt.',
  reason_rule_names_team: 'Die Bedingungen nennen das Team {name}, das es nicht mehr gibt.',
  reason_rule_names_ticket_field: 'Die Bedingungen nennen das Feld {name}, das Tickets nicht haben.',
  reason_rule_no_author: 'Niemand kann die Notiz geschrieben haben. Speichern Sie die Regel noch einmal.',
  reason_rule_record_gone:
    'Ein Schritt nennt einen Agenten, ein Team oder einen Webhook, den es nicht mehr gibt.',
  reason_rule_too_often: {
    one: 'Sie lief innerhalb einer Stunde schon {count}-mal bei diesem Chat oder Ticket.',
    other: 'Sie lief innerhalb einer Stunde schon {count}-mal bei diesem Chat oder Ticket.',
  },
  reason_macro_text_empty: 'Der Text des Makros ist hier leer: Seine Variablen haben keinen Wert.',
  reason_macro_text_long: 'Der Text des Makros ist mit den eingesetzten Variablen zu lang.',
  reason_merge_closed: 'Ein geschlossenes Ticket lässt sich nicht zusammenführen.',
  reason_merge_itself: 'Ein Ticket lässt sich nicht mit sich selbst zusammenführen.',
  reason_merge_requesters: 'Diese Tickets gehören verschiedenen Kunden.',
  reason_model_key_again: 'Anbieter oder Basis-URL sind anders. Geben Sie den Schlüssel erneut ein.',
  reason_model_silent:
    'Das Sprachmodell hat nicht geantwortet. Ihr Entwurf ist unverändert; versuchen Sie es erneut.',
  reason_not_in_team: 'Sie sind nicht Mitglied dieses Teams.',
  reason_note_foreign:
    '{name} hat diese Notiz geschrieben und kann sie bearbeiten. Admins können sie löschen.',
  reason_mail_decided: 'Über diese E-Mail wurde bereits entschieden.',
  reason_mail_source_deleted:
    'Die rohe Nachricht ist nicht mehr gespeichert und kann nicht verarbeitet werden.',
  reason_mailbox_account:
    'Das mit {name} angemeldete Konto kann {user} nicht per IMAP öffnen. Wählen Sie das Konto des Postfachs, oder erlauben Sie IMAP dafür.',
  reason_mailbox_refresh_token: '{name} hat keinen dauerhaften Zugriff erteilt. Melden Sie sich erneut an.',
  reason_mailbox_sign_in_expired:
    'Diese Anmeldung ist abgelaufen oder wurde anderswo begonnen. Beginnen Sie sie erneut.',
  reason_mailbox_sign_in_failed: 'Die Anmeldung hat nicht funktioniert. {detail}',
  reason_mailbox_sign_in_scopes:
    '{name} durfte Foyer keinen Zugriff auf die E-Mails geben. Melden Sie sich erneut an und erlauben Sie ihn.',
  reason_mailbox_taken: 'Ein anderes Postfach hat diese Adresse bereits.',
  reason_other_address:
    'Die Adresse von Foyer ist {name}. Öffnen Sie Foyer dort, oder setzen Sie FOYER_BASE_URL auf die Adresse, die Sie verwenden, und starten Sie Foyer neu.',
  reason_passkey_not_created: 'Der Passkey wurde nicht erstellt. Beginnen Sie noch einmal.',
  reason_passkey_refused: 'Dieser Passkey gilt hier nicht. Melden Sie sich anders an.',
  reason_passkeys_full: {
    one: 'Sie können höchstens {count} Passkey haben. Entfernen Sie zuerst einen.',
    other: 'Sie können höchstens {count} Passkeys haben. Entfernen Sie zuerst einen.',
  },
  reason_password_again: 'Der Server oder Benutzer hat sich geändert. Geben Sie das Passwort erneut ein.',
  reason_name_taken: 'Der Name „{name}“ ist vergeben.',
  reason_picture_large: 'Das Bild ist größer als {megabytes} MB.',
  reason_plan_full: {
    one: 'Ihr Tarif umfasst {count} Agenten. Wechseln Sie den Tarif, oder entfernen Sie zuerst jemanden.',
    other: 'Ihr Tarif umfasst {count} Agenten. Wechseln Sie den Tarif, oder entfernen Sie zuerst jemanden.',
  },
  reason_private_macros_full: {
    one: 'Sie können höchstens {count} privates Makro haben. Löschen Sie zuerst eines.',
    other: 'Sie können höchstens {count} private Makros haben. Löschen Sie zuerst eines.',
  },
  reason_private_views_full: {
    one: 'Sie können höchstens {count} private Ansicht haben. Löschen Sie zuerst eine.',
    other: 'Sie können höchstens {count} private Ansichten haben. Löschen Sie zuerst eine.',
  },
  reason_question_twice: 'Diese Frage gibt es schon.',
  reason_remove_self: 'Sich selbst können Sie nicht entfernen. Bitten Sie einen anderen Admin.',
  reason_reset_link_spent:
    'Dieser Link ist abgelaufen oder wurde schon verwendet. Fordern Sie einen neuen an.',
  reason_setup_link_spent:
    'Dieser Einrichtungslink ist nicht mehr gültig. npx foyer setup-link auf dem Server erstellt einen neuen.',
  reason_shared_views_full: {
    one: 'Ihr Team kann höchstens {count} geteilte Ansicht haben. Löschen Sie zuerst eine.',
    other: 'Ihr Team kann höchstens {count} geteilte Ansichten haben. Löschen Sie zuerst eine.',
  },
  reason_provider_session:
    'Sie haben sich mit dem Identitätsanbieter dieser Website angemeldet. Melden Sie sich mit Ihrem Passwort an, um eine weitere Website anzulegen.',
  reason_sign_in_with_provider:
    'Ihr Team meldet sich mit einem Identitätsanbieter an. Passwörter und Passkeys werden nicht angenommen.',
  reason_sign_in_again:
    'Die Anmeldung ist abgelaufen, oder es waren zu viele Versuche. Melden Sie sich erneut an.',
  reason_site_in_use: 'Diese Website wird schon genutzt. Importieren Sie das Archiv in eine neue Website.',
  reason_site_left: 'Sie arbeiten nicht für diese Website.',
  reason_source_file: 'Laden Sie die Datei stattdessen erneut hoch.',
  reason_source_known: 'Diese Adresse ist schon eine Quelle.',
  reason_source_type: 'Nur PDF- und Word-Dateien (.docx) können gelesen werden.',
  reason_tag_into_itself: 'Ein Tag lässt sich nicht mit sich selbst zusammenführen.',
  reason_ticket_no_public_reply: 'Auf ein geschlossenes Ticket können Sie nicht antworten.',
  reason_copies_need_mailbox:
    'Cc und Bcc brauchen ein Postfach: Antworten dieses Tickets gehen von keinem aus.',
  reason_no_address: 'Dieser Kunde hat keine E-Mail-Adresse, es kann also nichts gesendet werden.',
  reason_no_mail_server: 'Es ist kein Mailserver eingerichtet, es kann also nichts gesendet werden.',
  reason_reply_sent: 'Diese Antwort wurde gesendet und lässt sich nicht mehr zurücknehmen.',
  reason_split_team: 'Nur eine Nachricht des Kunden kann ein eigenes Ticket werden.',
  reason_ticket_no_snooze: 'Ein Ticket mit dem Status „{from}“ lässt sich nicht zurückstellen.',
  reason_ticket_state: 'Ein Ticket kann nicht von „{from}“ zu „{to}“ wechseln.',
  reason_token_expired: 'Dieser Schlüssel ist abgelaufen. Verlängern Sie ihn zuerst.',
  reason_token_revoked: 'Ein widerrufener Schlüssel lässt sich nicht ändern. Erstellen Sie einen neuen.',
  reason_too_many: {
    one: 'Mehr als {count} geht nicht. Entfernen Sie zuerst etwas.',
    other: 'Mehr als {count} gehen nicht. Entfernen Sie zuerst etwas.',
  },
  reason_training_is_article: 'Aus dieser Zeile ist ein Artikel geworden. Bearbeiten Sie den Artikel.',
  reason_two_factor_elsewhere:
    'Diese Person arbeitet auch für eine andere Website. Der Betreiber des Servers kann ihre Anmeldung mit {command} zurücksetzen.',
  reason_two_factor_off: 'Die Zwei-Faktor-Authentifizierung ist ausgeschaltet.',
  reason_two_factor_on: 'Die Zwei-Faktor-Authentifizierung ist schon eingeschaltet.',
  reason_two_factor_own_first:
    'Richten Sie zuerst Ihre eigene Zwei-Faktor-Authentifizierung ein, unter Einstellungen → Konto.',
  reason_upgrade_unfinished:
    'Foyer wird gerade aktualisiert: Ein noch laufender Prozess würde diese Grenzen nicht anwenden. Versuchen Sie es später.',
  reason_upload_large: 'Größer als {megabytes} MB. Senden Sie es in Teilen.',
  reason_view_changed:
    'Jemand anderes hat diese Ansicht inzwischen geändert. Vergleichen Sie sie mit Ihrer und speichern Sie dann erneut.',
  reason_visitor_blocked: 'Dieser Besucher ist gesperrt.',
  reason_fields_missing: 'Fehlende Werte: {name}',
  reason_file_refused: 'Der Virenscanner hat {name} abgelehnt.',
  reason_scan_away:
    'Dateien können gerade nicht auf Schadsoftware geprüft werden. Versuchen Sie es gleich erneut.',
  reason_storage_full: 'Der Speicher Ihrer Site für Dateien ist voll.',
  reason_visitor_in_chat: 'Dieser Besucher hat schon einen offenen Chat. Schreiben Sie dort weiter.',
  reason_visitor_silent: {
    one: 'Dieser Besucher hat heute schon eine Nachricht Ihres Teams nicht beantwortet. Es wurde nichts gesendet.',
    other:
      'Dieser Besucher hat heute schon {count} Nachrichten Ihres Teams nicht beantwortet. Es wurde nichts gesendet.',
  },
  reason_visitor_connecting:
    'Die Seite des Besuchers hat den Chat nicht verbunden. Vielleicht ist sie im Hintergrund. Es wurde nichts gesendet.',
  reason_visitor_left: 'Dieser Besucher hat die Website verlassen. Es wurde nichts gesendet.',
  reason_visitor_busy: 'Dieser Besucher wird gerade anderswo geändert. Versuchen Sie es gleich noch einmal.',
  reason_webhook_disabled: 'Der Webhook ist ausgeschaltet. Schalten Sie ihn zuerst ein.',
  reason_wrong_backup_code: 'Der Ersatzcode ist falsch oder wurde schon verwendet.',
  reason_wrong_code: 'Der Code ist falsch oder wurde schon verwendet. Warten Sie auf den nächsten.',
  reason_wrong_sign_in: 'E-Mail-Adresse oder Passwort ist falsch.',
  somebody: 'Ein anderer Agent',
  state_new: 'Neu',
  state_open: 'Offen',
  state_pending: 'Wartend',
  state_hold: 'Angehalten',
  state_solved: 'Gelöst',
  state_closed: 'Geschlossen',
};
