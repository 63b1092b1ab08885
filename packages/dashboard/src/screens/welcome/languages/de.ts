import type { Translated } from '@foyer/protocol/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  code_title: 'Code eingeben',
  code_backup_hint: 'Einer der Codes, die Sie aufbewahrt haben. Jeder gilt einmal.',
  code_app_hint: 'Der Code, den Ihre App gerade anzeigt.',
  backup_code: 'Ersatzcode',
  signing_in: 'Anmeldung läuft …',
  sign_in: 'Anmelden',
  code_use_app: 'Code der App verwenden',
  code_use_backup: 'Ersatzcode verwenden',
  code_again: 'Von vorn beginnen',
  code_lost:
    'Beides nicht zur Hand? Ein Admin Ihres Teams kann Ihren zweiten Schritt unter Einstellungen, Team zurücksetzen.',
  enrol_title: 'Zwei-Faktor-Anmeldung einrichten',
  enrol_hint: 'Ihr Team verlangt sie. Danach öffnet sich das Dashboard.',
  invitation_spent: 'Diese Einladung gilt nicht mehr',
  invitation_spent_hint:
    'Sie wurde schon verwendet oder zurückgezogen, oder sie ist zu alt. Bitten Sie einen Admin des Teams um einen neuen Link.',
  invitation: 'Einladung',
  join_title: '{site_name} beitreten',
  your_name: 'Ihr Name',
  your_name_hint: 'Besucher sehen ihn, wenn Sie antworten.',
  password: 'Passwort',
  password_known: 'Das Passwort, mit dem Sie sich schon anmelden.',
  password_length: 'Mindestens {number} Zeichen.',
  joining: 'Beitritt läuft …',
  join: 'Dem Team beitreten',
  ready: 'Ihr Chat ist bereit',
  snippet_hint: 'Fügen Sie diese Zeilen in jede Seite ein, die ihn haben soll, vor </body>.',
  snippet_copy: 'Code-Schnipsel kopieren',
  preview_failed:
    'Die Vorschau konnte hier nicht geladen werden. Auf Ihren eigenen Seiten funktioniert der Code von selbst.',
  try_now:
    '{now} Der Knopf in der Ecke dieser Seite ist Ihr echtes Widget. Fragen Sie etwas, oder verlangen Sie einen Menschen; der Chat erscheint in Ihrem Posteingang.',
  try_now_label: 'Gleich ausprobieren:',
  setup_title: 'Foyer einrichten',
  link_unchecked: 'Der Link konnte nicht geprüft werden.',
  link_spent: 'Dieser Link gilt nicht mehr',
  link_spent_hint:
    'Ein Einrichtungslink gilt einmal. Der neueste steht im Protokoll des Servers; ist Foyer schon eingerichtet, melden Sie sich an.',
  to_sign_in: 'Zur Anmeldung',
  setup_hint: 'Sie werden Admin Ihrer ersten Website. Es dauert eine Minute.',
  email: 'E-Mail',
  site_name: 'Name der Website',
  site_name_hint: 'Wie Ihr Shop oder Produkt heißt.',
  sample: 'Beispielwissen hinzufügen',
  sample_hint:
    '20 Artikel eines kleinen Shops, damit der Bot sofort antworten kann. Sie können sie jederzeit löschen.',
  setting_up: 'Wird eingerichtet …',
  set_up: 'Einrichten',
  next_hint: 'Danach sind Sie wieder dort, wo Sie waren. Was Sie geschrieben haben, bleibt erhalten.',
  sign_in_hint: 'Zu Ihrem Dashboard.',
  forgotten: 'Passwort vergessen? Ein Admin Ihres Teams kann Sie entfernen und neu einladen.',
  invited_as_admin: 'Sie sind als Admin eingeladen, mit {email}.',
  invited_as_agent: 'Sie sind als Agent eingeladen, mit {email}.',
};
