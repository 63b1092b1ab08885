import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  saved: 'Gespeichert. Besucher sehen es innerhalb einer Minute.',
  title: 'Installation',
  intro: 'Bringen Sie den Chat mit zwei Zeilen Code auf Ihre Website.',
  snippet: 'Code-Schnipsel',
  snippet_intro: 'Fügen Sie ihn auf jeder Seite, die den Chat haben soll, vor </body> ein.',
  snippet_copy: 'Code-Schnipsel kopieren',
  public_key: 'Öffentlicher Schlüssel: {key}',
  public_key_copy: 'Öffentlichen Schlüssel kopieren',
  try: 'Ausprobieren',
  try_intro: 'Lädt Ihr eigenes Widget auf dieser Seite, so wie Besucher es sehen.',
  try_failed:
    'Das Widget konnte hier nicht geladen werden. Laden Sie diese Seite neu, und versuchen Sie es noch einmal.',
  try_shown:
    'Der Button in der Ecke ist Ihr echtes Widget. Nachrichten, die Sie dort senden, erscheinen im Posteingang.',
  try_show: 'Widget anzeigen',
  identify: 'Angemeldete Nutzer identifizieren',
  identify_intro: 'Agenten sehen einen Namen statt eines Platzhalters.',
  identify_copy: 'Beispiel für identify kopieren',
  track: 'Ereignisse erfassen',
  track_intro: 'Ereignisse erscheinen neben dem Chat und im Profil des Besuchers.',
  track_copy: 'Beispiel für track kopieren',
  privacy: 'Datenschutz',
  privacy_intro: 'Der Chat setzt auf Ihren Seiten keine Cookies.',
  consent: 'Auf Einwilligung warten',
  consent_hint:
    'Von einem Besucher wird nichts gespeichert oder gesendet, bis Ihre Seite {code} aufruft oder er den Chat öffnet.',
  live: 'Live-Besucher anzeigen',
  live_hint:
    'Ihre Seiten melden, wer sie gerade geöffnet hat, auch bevor der Chat geöffnet wird. Gespeichert wird nichts, weder hier noch im Browser. Browser, die nicht verfolgt werden wollen, melden nichts.',
  proof: 'Identitätsprüfung',
  proof_intro:
    'Ohne sie kann jeder identify mit der user_id einer anderen Person aufrufen. Mit einem Geheimnis signiert Ihr Server die ID als userHash, und Foyer vertraut nur signierten IDs.',
  proof_failed: 'Die Einstellung konnte nicht geladen werden.',
  secret_title: 'Identitätsgeheimnis',
  secret_copy: 'Geheimnis kopieren',
  secret_text:
    'Bewahren Sie es bei den Geheimnissen Ihres Servers auf, nie in einer Seite. Senden Sie dann userHash von jeder Seite, die identify aufruft.',
  verified: 'Identitäten werden geprüft',
  believed: 'Identitäten werden nicht geprüft',
  secret_made: 'Geheimnis {hint} · erstellt am {date}',
  secret_made_before: 'Geheimnis {hint} · erstellt am {date} · das vorige läuft ab: {until}',
  no_secret: 'Noch kein Geheimnis.',
  rotate: 'Erneuern',
  remove: 'Entfernen',
  make: 'Geheimnis erstellen',
  rotate_ask: 'Identitätsgeheimnis erneuern?',
  make_ask: 'Identitäten ab jetzt prüfen?',
  rotate_hint:
    'Das neue Geheimnis wird einmal angezeigt. Das alte gilt noch 24 Stunden, damit Sie Zeit haben, Ihre Server umzustellen.',
  make_hint:
    'Das Geheimnis wird einmal angezeigt. Danach gelten Besucher, deren Seite keinen userHash sendet, als nicht geprüft und sehen nur die Chats ihres eigenen Browsers.',
  remove_ask: 'Identitäten nicht mehr prüfen?',
  remove_action: 'Geheimnis entfernen',
  remove_hint:
    'Foyer akzeptiert wieder jede user_id, und kein Besucher gilt als geprüft. Das Geheimnis lässt sich nicht wiederherstellen, aber Sie können ein neues erstellen.',
  local_variable:
    'Dieser Code funktioniert nur auf diesem Computer: Er lädt Foyer von {address}. Bevor Sie ihn einbauen, setzen Sie {variable} auf die öffentliche Adresse von Foyer und starten Foyer neu.',
  local_here:
    'Dieser Code funktioniert nur auf diesem Computer: Er lädt Foyer von {address}. Bevor Sie ihn einbauen, legen Sie die öffentliche Adresse von Foyer fest.',
  local_settings:
    'Dieser Code funktioniert nur auf diesem Computer: Er lädt Foyer von {address}. Bevor Sie ihn einbauen, legen Sie unter „Einstellungen → Installation“ die öffentliche Adresse von Foyer fest.',
  address: 'Öffentliche Adresse von Foyer: {address}',
  address_set: 'Öffentliche Adresse festlegen',
  address_change: 'Ändern',
  address_title: 'Öffentliche Adresse',
  address_label: 'Adresse',
  address_hint:
    'Unter dieser Adresse erreichen Browser Foyer, zum Beispiel https://chat.example.com. Code und Links in E-Mails verwenden sie sofort. Nach dem nächsten Neustart von Foyer meldet sich Ihr Team dort an.',
  address_saved: 'Öffentliche Adresse gespeichert',
};
