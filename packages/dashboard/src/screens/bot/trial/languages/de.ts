import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  title: 'Bot ausprobieren',
  intro: 'Antwortet wie im Chat. Nichts wird gespeichert oder gesendet.',
  log: 'Gespräch mit dem Bot',
  start_over: 'Neu beginnen',
  question: 'Ihre Frage',
  question_example: 'Fragen Sie wie ein Besucher',
  ask: 'Fragen',
  failed: 'Der Bot konnte nicht gefragt werden.',
  unsaved: 'Es gelten die gespeicherten Einstellungen. Speichern Sie Ihre Änderungen, um sie auszuprobieren.',
  nothing_known:
    'Es gibt noch keine veröffentlichten Artikel, deshalb kann der Bot keine Fragen beantworten.',
  nothing_known_action: 'Artikel schreiben oder importieren',
  over: 'Der Bot übergibt den Chat an Ihr Team.',
  silent: 'Der Bot schreibt nichts.',
  sources: 'Quellen',
  choices: 'Auswahl',

  why: 'Warum',
  by_person: 'Der Besucher möchte mit einem Menschen sprechen.',
  by_off: 'Der Bot ist aus, Besucher warten auf das Team.',
  by_files: 'Die Nachricht enthält nur Dateien.',
  by_small_talk: 'Smalltalk: beantwortet ohne Artikel.',
  by_action: 'Eine Aktion: Im Chat geht sie mit dem weiter, was der Besucher eingibt.',
  by_model: 'Das Sprachmodell hat aus den Quellen oben geantwortet.',
  by_model_unknown: 'Das Sprachmodell hat in Ihren Artikeln keine Antwort gefunden.',
  by_error: 'Der Bot ist gescheitert. Im Chat sagt er dann, dass er es nicht weiß.',
  sure: 'Der beste Treffer erreicht {percent} % Konfidenz; ab {needed} % antwortet der Bot.',
  chosen: 'Die Frage ist der Titel eines Artikels.',
  asks_back:
    'Der beste Treffer erreicht {percent} % Konfidenz. Der Bot antwortet ab {needed} %, deshalb fragt er nach, welcher Artikel gemeint ist.',
  not_sure:
    'Der beste Treffer erreicht {percent} % Konfidenz. Der Bot antwortet ab {needed} %, und für eine Rückfrage passt kein Artikel gut genug.',
  no_match: 'Kein Artikel passt.',
  no_text: 'Der beste Artikel enthält keinen Text, der die Frage beantwortet.',
  follows_up: 'Zusammen mit der vorherigen Frage verstanden.',
  model_silent:
    'Das Sprachmodell hat nichts geschrieben: Kein Abschnitt passte, es ist ausgefallen, oder Ihr Tageslimit ist erreicht. Der Bot hat aus den Artikeln geantwortet.',
  twice: 'Es ist die zweite Frage in Folge ohne Antwort, deshalb übergibt der Bot an Ihr Team.',
  candidates: 'Ähnlichste Artikel',
  training_row: 'Trainingszeile',
  percent: '{percent} %',
};
