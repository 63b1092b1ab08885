import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  title: 'Quellen',
  intro: 'Der Bot antwortet aus dem Text dieser Dateien wie aus Artikeln.',
  upload: 'Datei hochladen',
  uploading: 'Wird hochgeladen …',
  upload_failed: '„{name}“ konnte nicht hochgeladen werden.',
  too_large: '„{name}“ ist größer als {megabytes} MB.',
  drop: 'Ziehen Sie eine PDF- oder Word-Datei (.docx) hierher. Eine Datei mit demselben Namen wird ersetzt.',
  failed: 'Die Quellen konnten nicht geladen werden.',
  empty: 'Noch keine Quellen',
  empty_hint:
    'Laden Sie PDF- oder Word-Dateien hoch, etwa Anleitungen oder Bedingungen. Der Bot antwortet aus ihrem Text.',
  empty_agents: 'Admins können hier Dateien hochladen. Der Bot antwortet aus ihrem Text.',
  state_waiting: 'Wartet',
  state_reading: 'Wird gelesen',
  state_ready: 'Bereit',
  state_failed: 'Fehlgeschlagen',
  problem_wrong_type: 'Das ist weder eine PDF- noch eine Word-Datei (.docx).',
  problem_encrypted:
    'Die Datei braucht ein Passwort. Speichern Sie sie ohne Passwort und laden Sie sie erneut hoch.',
  problem_no_text:
    'Die Datei enthält keinen Text. Lassen Sie bei einem Scan zuerst die Texterkennung (OCR) laufen.',
  problem_damaged: 'Die Datei ist beschädigt. Speichern Sie sie neu und laden Sie sie erneut hoch.',
  problem_too_many_pages: 'Die Datei hat mehr als 500 Seiten. Teilen Sie sie auf.',
  problem_too_complex:
    'Das Lesen der Datei dauerte zu lange oder brauchte zu viel Speicher. Teilen Sie sie auf.',
  problem_file_gone: 'Die Datei wurde nicht übertragen. Laden Sie sie erneut hoch.',
  keeps_old: 'Der Bot antwortet weiter aus dem zuvor gelesenen Text.',
  passages: { one: '{count} Abschnitt', other: '{count} Abschnitte' },
  uses: { one: 'in {count} Antwort verwendet', other: 'in {count} Antworten verwendet' },
  unused: 'noch nicht verwendet',
  read: 'gelesen {when}',
  used: 'zuletzt verwendet {when}',
  delete_named: '„{name}“ löschen',
  delete_question: '„{name}“ löschen?',
  delete: 'Quelle löschen',
  delete_hint: 'Der Bot vergisst den Text sofort. Das lässt sich nicht rückgängig machen.',
  deleted: '„{name}“ gelöscht.',
  document: 'Dokument',
  document_failed: 'Das Dokument konnte nicht geladen werden.',
  cut: 'Nur die ersten 200.000 Zeichen werden verwendet. Teilen Sie die Datei auf, damit der Bot alles kennt.',
  no_text_yet: 'Noch wurde kein Text gelesen.',
  text: 'Text, wie der Bot ihn liest',
};
