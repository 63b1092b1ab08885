import type { DeskLanguage } from '@foyer/protocol';
import { fill, type Gaps, grammarOf, type Translated } from '@foyer/protocol/values/phrases';

const en = {
  somebody: 'A visitor',
  foyer_itself: 'Foyer',
  chat_waiting: '{name} is waiting for an agent',
  chat_assigned: '{by} assigned you the chat with {name}',
  chat_messages: { one: '{name}: {count} new message', other: '{name}: {count} new messages' },
  ticket_assigned: '{by} assigned you ticket #{id}',
  ticket_reply: '{name} replied to ticket #{id}',
  mention: '{by} mentioned you in a note',
  push_hidden_chat_waiting: 'A chat is waiting for an agent',
  push_hidden_chat_assigned: 'A chat was assigned to you',
  push_hidden_chat_message: 'You have a new message in a chat',
  push_hidden_ticket_assigned: 'A ticket was assigned to you',
  push_hidden_ticket_reply: 'You have a new reply on a ticket',
  push_hidden_mention: 'You were mentioned in a note',
  push_test_title: 'Notifications work',
  push_test_text: 'This is how Foyer notifies you when you’re away from the desk.',
  missed_subject: {
    one: '{count} thing waits for you at {site}',
    other: '{count} things wait for you at {site}',
  },
  missed_intro: 'You have not seen this yet:',
  missed_more: { one: 'and {count} more', other: 'and {count} more' },
  missed_open: 'Open the inbox',
  missed_why: 'You get this mail because you were not at the desk.',
  missed_choose: 'Choose what is mailed to you',
  missed_off: 'No more of these mails',
  mail_test_subject: '{site}: Foyer sends mail',
  mail_test: 'This is the test that you asked for: mails of your site leave, and get here.',
  webhook_off_subject: 'A webhook was disabled',
  webhook_off: 'Foyer no longer sends events of {site} to {url}.',
  webhook_off_failing: {
    one: 'Every attempt failed for {count} day.',
    other: 'Every attempt failed for {count} days.',
  },
  webhook_off_gone: 'The receiver answered 410 Gone.',
  webhook_off_next:
    'Nothing is lost: what was still to be sent waits. Mend the receiver, then enable the webhook:',
  off_title: 'No more mails about what you missed?',
  off_text:
    'Everything stays in the list of notifications at the desk. You can turn the mails on again in your settings.',
  off_button: 'Turn these mails off',
  off_done: 'These mails are turned off',
  off_wrong: 'This link does not work',
  off_wrong_text: 'Please look whether the whole link was copied, to its last letter.',
} as const;

type Table = Translated<typeof en>;

const de: Table = {
  somebody: 'Ein Besucher',
  foyer_itself: 'Foyer',
  chat_waiting: '{name} wartet auf das Team',
  chat_assigned: '{by} hat Ihnen den Chat mit {name} zugewiesen',
  chat_messages: { one: '{name}: {count} neue Nachricht', other: '{name}: {count} neue Nachrichten' },
  ticket_assigned: '{by} hat Ihnen Ticket #{id} zugewiesen',
  ticket_reply: '{name} hat auf Ticket #{id} geantwortet',
  mention: '{by} hat Sie in einer Notiz erwähnt',
  push_hidden_chat_waiting: 'Ein Chat wartet auf das Team',
  push_hidden_chat_assigned: 'Ihnen wurde ein Chat zugewiesen',
  push_hidden_chat_message: 'Sie haben eine neue Nachricht in einem Chat',
  push_hidden_ticket_assigned: 'Ihnen wurde ein Ticket zugewiesen',
  push_hidden_ticket_reply: 'Sie haben eine neue Antwort auf ein Ticket',
  push_hidden_mention: 'Sie wurden in einer Notiz erwähnt',
  push_test_title: 'Benachrichtigungen funktionieren',
  push_test_text: 'So benachrichtigt Sie Foyer, wenn Sie nicht am Platz sind.',
  missed_subject: {
    one: '{count} Sache wartet bei {site} auf Sie',
    other: '{count} Sachen warten bei {site} auf Sie',
  },
  missed_intro: 'Das haben Sie noch nicht gesehen:',
  missed_more: { one: 'und {count} weitere', other: 'und {count} weitere' },
  missed_open: 'Posteingang öffnen',
  missed_why: 'Sie bekommen diese E-Mail, weil Sie nicht am Platz waren.',
  missed_choose: 'Auswählen, was Ihnen gemailt wird',
  missed_off: 'Keine solchen E-Mails mehr',
  mail_test_subject: '{site}: Foyer verschickt E-Mails',
  mail_test:
    'Das ist der Test, um den Sie gebeten haben: E-Mails Ihrer Website gehen hinaus und kommen hier an.',
  webhook_off_subject: 'Ein Webhook wurde abgeschaltet',
  webhook_off: 'Foyer schickt keine Ereignisse von {site} mehr an {url}.',
  webhook_off_failing: {
    one: 'Seit {count} Tag ist jeder Versuch gescheitert.',
    other: 'Seit {count} Tagen ist jeder Versuch gescheitert.',
  },
  webhook_off_gone: 'Der Empfänger hat mit 410 („Gone“) geantwortet: Es gibt ihn nicht mehr.',
  webhook_off_next:
    'Nichts ist verloren: Was noch zu senden war, wartet. Bringen Sie den Empfänger in Ordnung, und schalten Sie den Webhook dann ein:',
  off_title: 'Keine E-Mails mehr über Verpasstes?',
  off_text:
    'Alles bleibt in der Liste der Benachrichtigungen. In Ihren Einstellungen können Sie die E-Mails wieder einschalten.',
  off_button: 'Diese E-Mails ausschalten',
  off_done: 'Diese E-Mails sind ausgeschaltet',
  off_wrong: 'Dieser Link funktioniert nicht',
  off_wrong_text: 'Bitte prüfen Sie, ob der ganze Link kopiert wurde, bis zum letzten Buchstaben.',
};

/** Phrases of pushes and mails to the team, in the desk's languages. */
const WORDS: Readonly<Record<DeskLanguage, Table>> = { en, de };

type Key = keyof typeof en;
type Values<K extends Key> = [Gaps<(typeof en)[K]>] extends [never]
  ? []
  : [Readonly<Record<Gaps<(typeof en)[K]>, string | number>>];

export interface DeskSpeech {
  readonly language: DeskLanguage;
  say<K extends Key>(key: K, ...values: Values<K>): string;
}

/** English numbers and plurals follow en-GB. */
export function deskSpeechOf(language: DeskLanguage): DeskSpeech {
  const grammar = grammarOf(language === 'en' ? 'en-GB' : language);
  return {
    language,
    say: (key, ...[values]) => fill<string | number>(WORDS[language][key], values ?? {}, grammar).join(''),
  };
}
