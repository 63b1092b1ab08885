import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  saved: 'Gespeichert. Besucher sehen es innerhalb einer Minute.',
  title: 'Einbau',
  intro: 'Zwei Zeilen bringen den Chat auf Ihre Website.',
  snippet: 'Code-Schnipsel',
  snippet_intro: 'In jede Seite, die den Chat haben soll, vor </body>.',
  snippet_copy: 'Code-Schnipsel kopieren',
  public_key: 'Öffentlicher Schlüssel: {key}',
  public_key_copy: 'Öffentlichen Schlüssel kopieren',
  try: 'Ausprobieren',
  try_intro: 'Lädt Ihr eigenes Widget in diese Seite, so wie Besucher es sehen.',
  try_failed:
    'Das Widget konnte hier nicht geladen werden. Laden Sie diese Seite neu, und versuchen Sie es noch einmal.',
  try_shown:
    'Der Knopf in der Ecke dieser Seite ist Ihr echtes Widget. Was Sie dort schreiben, erscheint im Posteingang.',
  try_show: 'Widget hier anzeigen',
  identify: 'Sagen, wer angemeldet ist',
  identify_intro: 'Dann sieht das Team einen Namen statt eines Platzhalters.',
  identify_copy: 'Beispiel für identify kopieren',
  track: 'Sagen, was geschieht',
  track_intro: 'Ereignisse erscheinen neben dem Chat und im Profil des Besuchers.',
  track_copy: 'Beispiel für track kopieren',
  privacy: 'Datenschutz',
  privacy_intro: 'Der Chat setzt auf Ihren Seiten keine Cookies.',
  consent: 'Auf Einwilligung warten',
  consent_hint:
    'Von einem Besucher wird nichts gespeichert oder gesendet, bis Ihre Seite {code} aufruft oder er den Chat öffnet.',
  proof: 'Belegen, wer angemeldet ist',
  proof_intro:
    'Ohne Beleg könnte jeder identify mit der user_id eines anderen aufrufen. Mit einem Geheimnis signiert Ihr Server die ID als userHash, und nur das wird geglaubt.',
  proof_failed: 'Die Einstellung konnte nicht geladen werden.',
  secret_title: 'Ihr Identitätsgeheimnis',
  secret_copy: 'Geheimnis kopieren',
  secret_text:
    'Legen Sie es dort ab, wo Ihr Server seine Geheimnisse hat, nie in einer Seite. Senden Sie dann userHash von jeder Seite, die identify aufruft.',
  verified: 'Identitäten werden geprüft',
  believed: 'Jeder Seite wird geglaubt',
  secret_made: 'Geheimnis {hint} · erstellt am {date}',
  secret_made_before: 'Geheimnis {hint} · erstellt am {date} · das vorige gilt bis {until}',
  no_secret: 'Es gibt noch kein Geheimnis.',
  rotate: 'Erneuern',
  remove: 'Entfernen',
  make: 'Geheimnis erstellen',
  rotate_ask: 'Neues Identitätsgeheimnis erstellen?',
  make_ask: 'Identitäten ab jetzt prüfen?',
  rotate_hint:
    'Das neue wird einmal angezeigt. Das alte gilt noch 24 Stunden, damit Sie Ihre Server in Ruhe umstellen können.',
  make_hint:
    'Das Geheimnis wird einmal angezeigt. Ab dann gelten Besucher, deren Seite keinen userHash sendet, als nicht geprüft und sehen nur die Chats ihres eigenen Browsers.',
  remove_ask: 'Identitäten nicht mehr prüfen?',
  remove_action: 'Geheimnis entfernen',
  remove_hint:
    'Ab sofort wird jeder Seite geglaubt, und niemand gilt als geprüft. Das Geheimnis lässt sich nicht zurückholen; Sie können ein neues erstellen.',
};
