import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  title: 'API-Schlüssel',
  intro: 'Damit nutzen Programme und Webseiten die REST-API.',
  new: 'Neuer Schlüssel',
  failed: 'Die Schlüssel konnten nicht geladen werden.',
  empty: 'Noch keine Schlüssel',
  empty_hint:
    'Mit einem Schlüssel liest ein Programm Chats und Bewertungen oder meldet Besucher und Ereignisse.',
  for_api_title: 'Für Server',
  for_api_intro: 'Wer einen hat, kann die Chats dieser Website lesen. Halten Sie sie aus Webseiten heraus.',
  for_api_label: 'Schlüssel für Server',
  for_browser_title: 'Für Webseiten',
  for_browser_intro: 'Browser-Schlüssel melden Besucher und Ereignisse und können nichts lesen.',
  for_browser_label: 'Schlüssel für Webseiten',
  secret_title: 'Ihr Schlüssel',
  secret_copy: 'Schlüssel kopieren',
  secret_browser: 'Geben Sie ihn in Ihrer Seite als apiToken an boot. Hier wird nur sein Hash gespeichert.',
  secret_api:
    'Legen Sie ihn dort ab, wo Ihr Programm seine Geheimnisse hat. Hier wird nur sein Hash gespeichert.',
  revoked: 'Widerrufen',
  may_browser: 'Meldet Besucher und Ereignisse',
  may_write: 'Lesen und schreiben',
  may_read: 'Lesen',
  every_page: 'Gilt auf allen Seiten.',
  some_pages: 'Gilt auf {pages}',
  more_pages: {
    one: 'Gilt auf {pages} und {count} weiteren',
    other: 'Gilt auf {pages} und {count} weiteren',
  },
  made: 'erstellt am {date}',
  last_used: 'zuletzt benutzt {when}',
  never_used: 'nie benutzt',
  requests: { one: '{count} Anfrage', other: '{count} Anfragen' },
  requests_of: {
    one: 'Anfragen pro Tag mit {name}: {count} Anfrage in 30 Tagen',
    other: 'Anfragen pro Tag mit {name}: {count} Anfragen in 30 Tagen',
  },
  requests_on: { one: '{day}: {count} Anfrage', other: '{day}: {count} Anfragen' },
  more: 'Mehr zu {name}',
  change_pages: 'Seiten ändern',
  rotate: 'Erneuern',
  revoke: 'Widerrufen',
  revoke_ask: 'Schlüssel „{name}“ widerrufen?',
  revoke_browser:
    'Seiten mit diesem Schlüssel werden ab sofort abgewiesen. Das lässt sich nicht rückgängig machen; die Zahl der Anfragen bleibt stehen.',
  revoke_api:
    'Programme mit diesem Schlüssel werden ab sofort abgewiesen. Das lässt sich nicht rückgängig machen; die Zahl der Anfragen bleibt stehen.',
  rotate_ask: '„{name}“ erneuern?',
  rotate_hint: 'Der alte Schlüssel gilt sofort nicht mehr. Der neue wird einmal angezeigt.',
  kind_read: 'Auf einem Server, zum Lesen',
  kind_read_hint: 'Er kann alles auf dieser Website ansehen. Halten Sie ihn geheim.',
  kind_write: 'Auf einem Server, zum Lesen und Ändern',
  kind_write_hint: 'Er kann alles auf dieser Website ansehen, ändern und löschen. Halten Sie ihn geheim.',
  kind_browser: 'In einer Webseite',
  kind_browser_hint:
    'Er meldet nur, wer ein Besucher ist und was er getan hat, und kann nichts lesen: Er darf sichtbar sein.',
  create: 'Schlüssel erstellen',
  create_failed: 'Es wurde kein Schlüssel erstellt.',
  name: 'Name',
  name_hint: 'Des Programms oder der Website, die ihn benutzen wird.',
  where: 'Wo wird er benutzt?',
  pages_title: 'Seiten von „{name}“',
  pages: 'Gilt auf Seiten von',
  pages_hint:
    'Eine pro Zeile, etwa https://shop.example. Bleibt das Feld leer, gilt der Schlüssel auf allen Seiten.',
};
