import type { Translated } from '@foyer/protocol/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  preferences_title: 'Sprache, Darstellung und Ton',
  preferences_intro: 'Darstellung, Ton und Benachrichtigungen gelten nur für diesen Browser.',
  desk_language: 'Sprache',
  desk_language_intro:
    'Sprache des Dashboards, auf allen Geräten. Was Besucher lesen, stellen Sie beim Widget ein.',
  desk_language_auto: 'Wie im Browser',
  presence: 'Verfügbarkeit',
  presence_intro:
    'Gilt auf allen Geräten, bis Sie etwas anderes wählen. Wer abwesend oder unsichtbar ist, bekommt keine Chats zugeteilt; Besucher erfahren nur, wer online ist.',
  appearance: 'Darstellung',
  appearance_auto: 'Wie im System',
  appearance_light: 'Hell',
  appearance_dark: 'Dunkel',
  sound: 'Ton',
  chime: 'Signalton',
  chime_hint:
    'Wenn jemand zu warten beginnt und wenn einer Ihrer Besucher antwortet, während Sie woanders sind.',
  chime_listen: 'Anhören',
  notifications: 'Benachrichtigungen',
  notifications_intro: 'Von Ihrem Browser, solange dieser Tab geöffnet, aber nicht im Vordergrund ist.',
  notifications_on:
    'Sie sind eingeschaltet. Ausschalten können Sie sie in den Browser-Einstellungen für diese Seite.',
  notifications_blocked:
    'Ihr Browser blockiert sie. Erlauben Sie in seinen Einstellungen Benachrichtigungen für diese Seite.',
  notifications_none: 'Dieser Browser bietet für Seiten wie diese keine an.',
  notifications_turn_on: 'Benachrichtigungen einschalten',

  survey_title: 'Umfrage',
  survey_intro:
    'Was Besucher gefragt werden, wenn ein Chat zu Ende ist. Die Antworten stehen in den Berichten unter Zufriedenheit.',
  survey_when: 'Wann',
  survey_always: 'Nach jedem Chat',
  survey_after_team: 'Nach Chats mit einem Menschen',
  survey_after_bot: 'Nach Chats mit dem Bot allein',
  survey_never: 'Nie',
  survey_words: 'Worte',
  survey_words_intro:
    'Bleiben die Felder leer, fragt und dankt der Chat in der Sprache jedes Besuchers. Was Sie schreiben, sehen alle genau so.',
  survey_question: 'Frage',
  survey_question_hint: 'Zum Beispiel: Wie waren wir?',
  survey_thanks: 'Dank',
  survey_thanks_hint: 'Erscheint, sobald der Besucher bewertet hat.',
  survey_scale: 'Skala',
  survey_scale_hint: 'Beide ergeben Bewertungen von 1 bis 5 und lassen sich vergleichen.',
  survey_stars: 'Sterne',
  survey_faces: 'Gesichter',
  survey_saved: 'Gespeichert. Besucher sehen es innerhalb einer Minute.',
  survey_not_saved: 'Die Umfrage wurde nicht gespeichert.',
  survey_results: 'Ergebnisse ansehen',
};
