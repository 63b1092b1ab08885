import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  title: 'Erste Schritte',
  intro: 'Schritte werden automatisch abgehakt.',
  progress: '{done} von {total} erledigt',
  put_away: 'Ausblenden',
  put_away_done: 'Erste Schritte ausgeblendet',
  bring_back: 'Im Menü zeigen',
  not_changed: 'Die Änderung konnte nicht gespeichert werden.',
  failed: 'Die ersten Schritte konnten nicht geladen werden.',
  done: 'Erledigt',
  to_do: 'Offen',
  all_done: 'Alle Schritte erledigt',
  all_done_hint: 'Unter Einstellungen können Sie jederzeit alles ändern.',

  step_snippet: 'Widget installieren',
  hint_snippet:
    'Fügen Sie zwei Zeilen in Ihre Seiten ein. Der Schritt ist erledigt, sobald eine davon geöffnet wird.',
  snippet_seen: 'Gesehen auf {page}, {when}.',
  snippet_not_allowed:
    'Gesehen auf {page}, {when}. Die Seite gehört nicht zu Ihren erlaubten Origins, daher öffnet sich der Chat dort nicht.',
  step_look: 'Widget anpassen',
  hint_look: 'Legen Sie Farbe, Logo, Position und Begrüßung fest.',
  step_article: 'Ersten Artikel veröffentlichen',
  hint_article: 'Der Bot antwortet aus Ihren Artikeln, und Besucher lesen sie im Hilfecenter.',
  step_chat: 'Ersten Chat beantworten',
  hint_chat:
    'Stellen Sie eine Frage im Widget, auf Ihrer Website oder neben dem Code-Schnipsel, und antworten Sie im Posteingang.',
  hint_chat_agent: 'Übernehmen Sie einen wartenden Chat im Posteingang, und antworten Sie.',
  step_team: 'Teammitglied einladen',
  hint_team: 'Teilen Sie sich die Arbeit an Chats und Tickets.',
  step_hours: 'Öffnungszeiten festlegen',
  hint_hours:
    'Außerhalb davon sehen Besucher, wann Sie wieder da sind, und können eine E-Mail-Adresse hinterlassen.',
  step_mail: 'E-Mail einrichten',
  hint_mail:
    'Bis dahin verschickt diese Website keine E-Mails: Kunden lesen Antworten nur im Chat oder über einen Link.',
  step_picture: 'Ihr Bild hinzufügen',
  hint_picture: 'Besucher sehen, mit wem sie sprechen.',
  step_alerts: 'Benachrichtigungen einrichten',
  hint_alerts: 'Wählen Sie für jeden Anlass Push, Ton oder E-Mail.',

  sample_there: 'Diese Website enthält Beispieldaten zum Ausprobieren: {things}.',
  sample_articles: { one: '{count} Artikel', other: '{count} Artikel' },
  sample_starters: { one: '{count} Einstieg', other: '{count} Einstiege' },
  sample_chats: { one: '{count} Chat', other: '{count} Chats' },
  sample_tickets: { one: '{count} Ticket', other: '{count} Tickets' },
  sample_macros: { one: '{count} Makro', other: '{count} Makros' },
  sample_visitors: { one: '{count} Besucher', other: '{count} Besucher' },
  sample_remove: 'Beispieldaten entfernen',
  sample_remove_ask: 'Die Beispieldaten entfernen?',
  sample_goes: 'Das wird entfernt: {things}.',
  sample_articles_back:
    'Artikel lassen sich eine Zeit lang unter Wissen → Gelöscht wiederherstellen. Alles andere wird endgültig gelöscht.',
  sample_said:
    'Was Ihr Team in den Beispielchats und -tickets geschrieben hat, wird ebenfalls gelöscht, samt ihren Zahlen in den Berichten.',
  sample_kept_titles: 'Diese Artikel bleiben, weil Ihr Team sie bearbeitet hat:',
  sample_kept_chats: {
    one: '{count} Beispielchat bleibt, weil daraus ein Ticket erstellt wurde.',
    other: '{count} Beispielchats bleiben, weil daraus Tickets erstellt wurden.',
  },
  sample_kept_starters: {
    one: '{count} Einstieg bleibt, weil Ihr Team ihn bearbeitet hat.',
    other: '{count} Einstiege bleiben, weil Ihr Team sie bearbeitet hat.',
  },
  sample_removed: 'Beispieldaten entfernt',
  sample_add: 'Beispielartikel hinzufügen',
  sample_added: 'Beispielartikel hinzugefügt',
  sample_not_added: 'Die Beispielartikel konnten nicht hinzugefügt werden.',
};
