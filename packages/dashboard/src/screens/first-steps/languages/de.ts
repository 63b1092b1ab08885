import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  title: 'Erste Schritte',
  intro: 'Was die meisten Teams zuerst tun. Jeder Schritt hakt sich ab, sobald er wirklich getan ist.',
  progress: '{done} von {total} erledigt',
  put_away: 'Weglegen',
  put_away_done: 'Die ersten Schritte sind weggelegt.',
  bring_back: 'Wieder im Menü zeigen',
  not_changed: 'Das wurde nicht geändert',
  failed: 'Die ersten Schritte konnten nicht geladen werden',
  done: 'Erledigt',
  to_do: 'Offen',
  all_done: 'Alle ersten Schritte sind getan',
  all_done_hint: 'Es ist nichts mehr einzurichten. Unter Einstellungen lässt sich alles jederzeit ändern.',

  step_snippet: 'Den Chat auf Ihre Website setzen',
  hint_snippet: 'Kopieren Sie zwei Zeilen in Ihre Seiten. Sobald eine davon geöffnet wird, steht es hier.',
  snippet_seen: 'Gesehen auf {page}, {when}.',
  snippet_not_allowed:
    'Gesehen auf {page}, {when}. Ihre erlaubten Seiten lassen sie aus: Dort öffnet sich der Chat nicht.',
  step_look: 'Das Aussehen wählen',
  hint_look: 'Farbe, Logo, Ecke und Begrüßung, damit der Chat nach Ihnen aussieht.',
  step_article: 'Einen ersten Artikel veröffentlichen',
  hint_article: 'Der Bot antwortet aus Ihren Artikeln, und Besucher lesen sie im Hilfecenter.',
  step_chat: 'Einen ersten Chat beantworten',
  hint_chat:
    'Fragen Sie etwas in Ihrem eigenen Widget, auf Ihrer Website oder neben dem Code-Schnipsel, und antworten Sie im Posteingang.',
  hint_chat_agent: 'Nehmen Sie einen Chat, der im Posteingang wartet, und beantworten Sie ihn.',
  step_team: 'Jemanden ins Team einladen',
  hint_team: 'Dann können mehrere auf Chats und Tickets antworten.',
  step_hours: 'Die Bürozeiten festlegen',
  hint_hours: 'Außerhalb erfahren Besucher, wann Sie wieder da sind, und können eine Adresse hinterlassen.',
  step_picture: 'Ihr Bild hinzufügen',
  hint_picture: 'Besucher sehen, mit wem sie sprechen.',
  step_alerts: 'Festlegen, wie Sie benachrichtigt werden',
  hint_alerts: 'In diesem Browser bei geschlossenem Tab, mit Ton oder per E-Mail: je Anlass, wie Sie mögen.',

  sample_there: 'Auf dieser Website liegen Beispieldaten zum Ausprobieren: {things}.',
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
    'Artikel lassen sich eine Zeit lang unter Wissen, Gelöscht wiederherstellen. Alles andere ist endgültig weg.',
  sample_said:
    'Was Ihr Team in den Beispielchats und -tickets geschrieben hat, wird mit ihnen entfernt, ebenso ihre Zahlen in den Berichten.',
  sample_kept_titles: 'Diese Artikel bleiben, weil Ihr Team sie bearbeitet hat:',
  sample_kept_chats: {
    one: '{count} Beispielchat bleibt, weil daraus ein Ticket wurde.',
    other: '{count} Beispielchats bleiben, weil daraus Tickets wurden.',
  },
  sample_kept_starters: {
    one: '{count} Einstieg bleibt, weil Ihr Team ihn bearbeitet hat.',
    other: '{count} Einstiege bleiben, weil Ihr Team sie bearbeitet hat.',
  },
  sample_removed: 'Die Beispieldaten sind entfernt.',
  sample_add: 'Beispielartikel hinzufügen',
  sample_added: 'Die Beispielartikel sind da.',
  sample_not_added: 'Es wurden keine Beispielartikel hinzugefügt',
};
