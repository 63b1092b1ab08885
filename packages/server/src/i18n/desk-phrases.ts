import type { DeskLanguage, StoredFailure } from '@foyer/protocol';
import { fill, type Gaps, grammarOf, type Translated } from '@foyer/protocol/values/phrases';
import { words as germanRefusals } from '@foyer/protocol/values/refusals/de';
import { words as englishRefusals } from '@foyer/protocol/values/refusals/en';
import { refusalSentence } from '@foyer/protocol/values/refusals/refusal-sentence';

const en = {
  somebody: 'A visitor',
  foyer_itself: 'Foyer',
  chat_waiting: '{name} is waiting for an agent',
  chat_assigned: '{by} assigned you the chat with {name}',
  chat_messages: { one: '{name}: {count} new message', other: '{name}: {count} new messages' },
  ticket_assigned: '{by} assigned you ticket #{id}',
  ticket_team: 'Ticket #{id} came to one of your teams',
  ticket_reply: '{name} replied to ticket #{id}',
  reply_failed: 'A reply in ticket #{id} couldn’t be emailed',
  sla_warning: 'Ticket #{id} is due soon',
  sla_warning_chat: 'The chat with {name} is due soon',
  sla_breached: 'Ticket #{id} is late',
  sla_breached_chat: 'The chat with {name} is late',
  mention: '{by} mentioned you in a note',
  mailbox_failing: 'Mail isn’t being read: a mailbox is failing',
  push_hidden_chat_waiting: 'A chat is waiting for an agent',
  push_hidden_chat_assigned: 'A chat was assigned to you',
  push_hidden_chat_message: 'You have a new message in a chat',
  push_hidden_ticket_assigned: 'A ticket was assigned to you',
  push_hidden_ticket_team: 'A ticket came to one of your teams',
  push_hidden_ticket_reply: 'You have a new reply on a ticket',
  push_hidden_reply_failed: 'A reply couldn’t be emailed',
  push_hidden_sla_warning: 'A conversation is due soon',
  push_hidden_sla_breached: 'A conversation is late',
  push_hidden_mention: 'You were mentioned in a note',
  push_hidden_mailbox_failing: 'A mailbox is failing',
  push_test_title: 'Notifications work',
  push_test_text: 'This is how Foyer notifies you when you’re away from the desk.',
  missed_subject: {
    one: '{count} missed notification from {site}',
    other: '{count} missed notifications from {site}',
  },
  missed_intro: 'You haven’t seen these yet:',
  missed_more: { one: 'and {count} more', other: 'and {count} more' },
  missed_open: 'Open inbox',
  missed_why: 'You’re receiving this email because you were away from the desk.',
  missed_choose: 'Notification settings',
  missed_off: 'Unsubscribe',
  mail_test_subject: '{site}: test email',
  mail_test: 'This is the test email you requested. Your site’s outgoing email works.',
  webhook_off_subject: 'Webhook disabled',
  webhook_off: 'Foyer no longer sends events from {site} to {url}.',
  webhook_off_failing: {
    one: 'Every attempt failed for {count} day.',
    other: 'Every attempt failed for {count} days.',
  },
  webhook_off_gone: 'The receiver answered 410 Gone.',
  webhook_off_next:
    'No events are lost: Foyer keeps the ones it couldn’t deliver. Fix the receiver, then enable the webhook again:',
  rule_off_subject: 'Rule disabled: {name}',
  rule_off: {
    one: 'Foyer disabled the rule “{name}” of {site}: it failed {count} time in a row.',
    other: 'Foyer disabled the rule “{name}” of {site}: it failed {count} times in a row.',
  },
  rule_off_why: 'The last time: {failure}',
  rule_off_next: 'Fix the rule, then enable it again:',
  token_expires_subject: 'API token expires soon: {name}',
  token_expires: 'The API token “{name}” of {site} expires on {time}. Programs that use it lose access then.',
  token_expired_subject: 'API token expired: {name}',
  token_expired: 'The API token “{name}” of {site} expired on {time}. Programs that use it have no access.',
  token_expires_next: 'Extend it, or replace it with another:',
  off_title: 'Unsubscribe from these emails?',
  off_text: 'Notifications stay in your list in Foyer. You can turn the emails on again in your settings.',
  off_button: 'Unsubscribe',
  off_done: 'You’re unsubscribed',
  off_wrong: 'This link doesn’t work',
  off_wrong_text: 'Please check that you copied the whole link.',
} as const;

type Table = Translated<typeof en>;

const de: Table = {
  somebody: 'Ein Besucher',
  foyer_itself: 'Foyer',
  chat_waiting: '{name} wartet auf das Team',
  chat_assigned: '{by} hat Ihnen den Chat mit {name} zugewiesen',
  chat_messages: { one: '{name}: {count} neue Nachricht', other: '{name}: {count} neue Nachrichten' },
  ticket_assigned: '{by} hat Ihnen Ticket #{id} zugewiesen',
  ticket_team: 'Ticket #{id} ist bei einem Ihrer Teams',
  ticket_reply: '{name} hat auf Ticket #{id} geantwortet',
  reply_failed: 'Eine Antwort in Ticket #{id} konnte nicht per E-Mail gesendet werden',
  sla_warning: 'Ticket #{id} ist bald fällig',
  sla_warning_chat: 'Der Chat mit {name} ist bald fällig',
  sla_breached: 'Ticket #{id} ist überfällig',
  sla_breached_chat: 'Der Chat mit {name} ist überfällig',
  mention: '{by} hat Sie in einer Notiz erwähnt',
  mailbox_failing: 'E-Mails werden nicht gelesen: Ein Postfach ist gestört',
  push_hidden_chat_waiting: 'Ein Chat wartet auf das Team',
  push_hidden_chat_assigned: 'Ihnen wurde ein Chat zugewiesen',
  push_hidden_chat_message: 'Sie haben eine neue Nachricht in einem Chat',
  push_hidden_ticket_assigned: 'Ihnen wurde ein Ticket zugewiesen',
  push_hidden_ticket_team: 'Ein Ticket ist bei einem Ihrer Teams',
  push_hidden_ticket_reply: 'Sie haben eine neue Antwort auf ein Ticket',
  push_hidden_reply_failed: 'Eine Antwort konnte nicht per E-Mail gesendet werden',
  push_hidden_sla_warning: 'Eine Unterhaltung ist bald fällig',
  push_hidden_sla_breached: 'Eine Unterhaltung ist überfällig',
  push_hidden_mention: 'Sie wurden in einer Notiz erwähnt',
  push_hidden_mailbox_failing: 'Ein Postfach ist gestört',
  push_test_title: 'Benachrichtigungen funktionieren',
  push_test_text: 'So benachrichtigt Sie Foyer, wenn Sie nicht am Platz sind.',
  missed_subject: {
    one: '{count} verpasste Benachrichtigung von {site}',
    other: '{count} verpasste Benachrichtigungen von {site}',
  },
  missed_intro: 'Das haben Sie noch nicht gesehen:',
  missed_more: { one: 'und {count} weitere', other: 'und {count} weitere' },
  missed_open: 'Posteingang öffnen',
  missed_why: 'Sie erhalten diese E-Mail, weil Sie nicht am Platz waren.',
  missed_choose: 'Benachrichtigungseinstellungen',
  missed_off: 'Abbestellen',
  mail_test_subject: '{site}: Test-E-Mail',
  mail_test: 'Das ist die angeforderte Test-E-Mail. Der E-Mail-Versand Ihrer Website funktioniert.',
  webhook_off_subject: 'Webhook deaktiviert',
  webhook_off: 'Foyer sendet keine Ereignisse von {site} mehr an {url}.',
  webhook_off_failing: {
    one: 'Seit {count} Tag ist jeder Versuch fehlgeschlagen.',
    other: 'Seit {count} Tagen ist jeder Versuch fehlgeschlagen.',
  },
  webhook_off_gone: 'Der Empfänger hat mit 410 Gone geantwortet.',
  webhook_off_next:
    'Es gehen keine Ereignisse verloren: Foyer behält, was nicht zugestellt werden konnte. Beheben Sie das Problem beim Empfänger, und aktivieren Sie den Webhook dann wieder:',
  rule_off_subject: 'Regel deaktiviert: {name}',
  rule_off: {
    one: 'Foyer hat die Regel „{name}“ von {site} deaktiviert: Sie ist {count} Mal in Folge fehlgeschlagen.',
    other:
      'Foyer hat die Regel „{name}“ von {site} deaktiviert: Sie ist {count} Mal in Folge fehlgeschlagen.',
  },
  rule_off_why: 'Beim letzten Mal: {failure}',
  rule_off_next: 'Korrigieren Sie die Regel, und aktivieren Sie sie dann wieder:',
  token_expires_subject: 'API-Schlüssel läuft bald ab: {name}',
  token_expires:
    'Der API-Schlüssel „{name}“ von {site} läuft am {time} ab. Programme, die ihn benutzen, verlieren dann den Zugriff.',
  token_expired_subject: 'API-Schlüssel abgelaufen: {name}',
  token_expired:
    'Der API-Schlüssel „{name}“ von {site} ist am {time} abgelaufen. Programme, die ihn benutzen, haben keinen Zugriff.',
  token_expires_next: 'Verlängern Sie ihn, oder ersetzen Sie ihn durch einen anderen:',
  off_title: 'Diese E-Mails abbestellen?',
  off_text:
    'Benachrichtigungen bleiben in Ihrer Liste in Foyer. In Ihren Einstellungen können Sie die E-Mails wieder einschalten.',
  off_button: 'Abbestellen',
  off_done: 'Sie haben die E-Mails abbestellt',
  off_wrong: 'Dieser Link funktioniert nicht',
  off_wrong_text: 'Bitte prüfen Sie, ob Sie den ganzen Link kopiert haben.',
};

/** Phrases of pushes and emails to the team, in the desk's languages. */
const WORDS: Readonly<Record<DeskLanguage, Table>> = { en, de };
const REFUSALS: Readonly<Record<DeskLanguage, Translated<typeof englishRefusals>>> = {
  en: englishRefusals,
  de: germanRefusals,
};

type Key = keyof typeof en;
type Values<K extends Key> = [Gaps<(typeof en)[K]>] extends [never]
  ? []
  : [Readonly<Record<Gaps<(typeof en)[K]>, string | number>>];

export interface DeskSpeech {
  readonly language: DeskLanguage;
  say<K extends Key>(key: K, ...values: Values<K>): string;
  /** An error that was stored, as the desk says it. */
  sayFailure(failure: StoredFailure): string;
}

/** English numbers and plurals follow en-GB. */
export function deskSpeechOf(language: DeskLanguage): DeskSpeech {
  const grammar = grammarOf(language === 'en' ? 'en-GB' : language);
  return {
    language,
    say: (key, ...[values]) => fill<string | number>(WORDS[language][key], values ?? {}, grammar).join(''),
    sayFailure: (failure) =>
      refusalSentence(failure, language, (key, values) =>
        fill<string | number>(REFUSALS[language][key], values, grammar).join(''),
      ),
  };
}
