import type { Translated } from '@foyer/protocol/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  plan_title: 'Tarif und Nutzung',
  plan_intro: 'Was der Tarif erlaubt, was genutzt wurde und was an einer Grenze geschieht.',
  plan_failed: 'Die Nutzung konnte nicht geladen werden.',
  plan_name: 'Tarif {plan}',
  plan_free: 'Free',
  plan_starter: 'Starter',
  plan_growth: 'Growth',
  cycle: 'Dieser Zeitraum: {from} bis {to}, ein Monat ab dem Tag, an dem die Website angelegt wurde.',
  of: '{part} von {all}',
  agents: 'Teammitglieder',
  agents_any: 'So viele Sie möchten.',
  agents_note: 'An der Grenze kann niemand mehr eingeladen werden. Wer da ist, bleibt.',
  requests_minute: 'Anfragen pro Minute',
  requests_note:
    'Je API-Schlüssel. Eine mehr wird mit 429 beantwortet und damit, wann es wieder geht; es geht nichts verloren.',
  replies: 'Antworten des Bots',
  replies_note: 'In diesem Zeitraum. Der Tarif setzt keine Grenze.',
  tokens: 'Tokens des Sprachmodells',
  tokens_note:
    'In diesem Zeitraum, gelesen und geschrieben. Es gelten die Grenzen, die Sie unter „Wissen“, „Bot“ setzen.',
  tokens_question: 'Wie viel verbraucht das Sprachmodell am Tag?',
  tokens_none: {
    one: 'In den letzten 30 Tagen nichts: Für {count} Antwort wurden keine Tokens verbraucht.',
    other: 'In den letzten 30 Tagen nichts: Für {count} Antworten wurden keine Tokens verbraucht.',
  },
  tokens_answer: {
    one: 'In den letzten 30 Tagen etwa {tokens} Tokens am Tag, für {count} Antwort.',
    other: 'In den letzten 30 Tagen etwa {tokens} Tokens am Tag, für {count} Antworten.',
  },
  tokens_in: 'Gelesen',
  tokens_out: 'Geschrieben',
  tokens_caption: 'Tokens am Tag',
  requests: 'Anfragen',
  requests_question: 'Wie viel ist an der API los?',
  requests_none: 'In den letzten 30 Tagen keine Anfragen.',
  requests_answer: {
    one: '{count} Anfrage in den letzten 30 Tagen, mit allen Schlüsseln; die meisten am {day}: {most}.',
    other: '{count} Anfragen in den letzten 30 Tagen, mit allen Schlüsseln; die meisten am {day}: {most}.',
  },
  requests_caption: 'Anfragen am Tag',
  storage_question: 'Was braucht den Platz?',
  storage_answer: 'Zusammen etwa {size}, das meiste für: {kind}.',
  storage_failed: 'Der belegte Platz konnte nicht ermittelt werden.',
  storage_note:
    'Geschätzt, mit Indizes, ebenso Zahlen über 20.000; Dateien sind genau. Der Tarif setzt keine Grenze.',
  storage_chats: 'Chats',
  storage_tickets: 'Tickets',
  storage_visitors: 'Besucher',
  storage_events: 'Ereignisse',
  storage_knowledge: 'Wissen',
  storage_files: 'Dateien und Bilder',
  storage_webhook_log: 'Webhook-Protokoll',
  storage_audit_log: 'Änderungsprotokoll und Verläufe',
  records: { one: '{count} Eintrag', other: '{count} Einträge' },
  change_title: 'Tarif wechseln',
  change_intro:
    'Das macht, wer diese Installation betreibt, auf der Befehlszeile; es gilt sofort. Bei einem kleineren Tarif bleiben alle, die schon im Team sind.',
  change_command: 'npx foyer site set-plan --site {site} --plan growth',
  change_copy: 'Befehl kopieren',
};
